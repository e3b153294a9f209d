// Numbers as engineers write them: a few digits and an SI prefix.

const prefixes: [number, string][] = [
  [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""],
  [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"], [1e-15, "f"],
];

const superscript: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

export const missing = "–";

export interface ScaledUnit {
  factor: number;
  unit: string;
}

// a prefix belongs to a plain leading unit: mm/s yes; squares (mm² is 1e-6 m²), kg, deg and pure numbers no
function takesPrefix(unit: string): boolean {
  return /^(rad|Pa|Hz|m|s|N|J|W|V|A|g)(?![\^²³\w])/.test(unit);
}

/** Unit in which a quantity of size `magnitude` reads as a number between 1 and 1000. */
export function scaledUnit(magnitude: number, unit: string): ScaledUnit {
  const size = Math.abs(magnitude);
  if (!(size > 0) || !Number.isFinite(size)) return { factor: 1, unit };
  // 999.96 with four digits would read 1000: round before choosing
  const rounded = Number(size.toPrecision(4));
  if (takesPrefix(unit)) {
    const longest = unit === "s" || unit === "rad" ? 1 : Infinity; // nobody reads kiloseconds
    const found = prefixes.find(([factor]) => factor <= longest && rounded >= factor) ?? prefixes[prefixes.length - 1];
    return { factor: found[0], unit: found[1] + unit };
  }
  if (rounded >= 1e-3 && rounded < 1e5) return { factor: 1, unit };
  const exponent = 3 * Math.floor(Math.log10(rounded) / 3);
  const power = "10" + [...String(exponent)].map((c) => superscript[c]).join("");
  return { factor: 10 ** exponent, unit: unit && unit !== "1" ? `${power} ${unit}` : power };
}

/** Significant digits with a true minus sign; whole numbers stay whole. */
export function formatDigits(value: number, digits = 4): string {
  if (value === 0) return "0";
  const whole = Math.abs(value) >= 10 ** (digits - 1);
  return minus(whole ? value.toFixed(0) : value.toPrecision(digits));
}

/** "12.34 mm/s"; a missing value gives a dash. */
export function formatSI(value: number | null | undefined, unit: string, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return missing;
  const { factor, unit: shown } = scaledUnit(value, unit);
  const number = formatDigits(value / factor, digits);
  if (factor !== 1 && !takesPrefix(unit)) return `${number}·${shown}`;
  return shown && shown !== "1" ? `${number} ${shown}` : number;
}

/** "12 345": thin spaces between thousands. */
export function formatCount(value: number): string {
  if (!Number.isInteger(value)) return formatDigits(value);
  return minus(String(value)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
}

export function formatPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return missing;
  const percent = 100 * share;
  if (percent !== 0 && Math.abs(percent) < 0.01) return `${minus(percent.toExponential(1))} %`;
  return `${minus(percent.toFixed(Math.abs(percent) < 10 ? 2 : 1))} %`;
}

/** Labels of axis ticks that are `increment` apart, in units of `factor`. */
export function tickLabels(ticks: number[], increment: number, factor: number): string[] {
  const decimals = decimalsOf(increment / factor);
  return ticks.map((tick) => {
    const label = (tick / factor).toFixed(decimals);
    return Number(label) === 0 ? "0" : minus(label);
  });
}

/** Decimals needed to write a number such as 0.25 exactly. */
export function decimalsOf(increment: number): number {
  for (let decimals = 0; decimals < 12; decimals++) {
    const scaled = increment * 10 ** decimals;
    if (scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 12;
}

/** Times of samples, or what else they go along, tell neighbours apart: as many decimals as the spacing asks for. */
export function formatSample(t: number, spacing: number, unit: string): string {
  const decimals = spacing > 0 ? Math.min(12, Math.max(0, Math.ceil(1 - Math.log10(spacing)))) : 6;
  const number = minus(t.toFixed(decimals));
  return unit && unit !== "1" ? `${number} ${unit}` : number;
}

function minus(text: string): string {
  return text.replace(/-/g, "−");
}
