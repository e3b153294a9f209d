// Colours come from style.css, so that light and dark live in one place.

const names = ["text", "muted", "grid", "surface", "stick", "slip", "open"] as const;
type Name = (typeof names)[number];
const seriesCount = 8;

let colours: Record<string, string> = {};

function read(): void {
  const style = getComputedStyle(document.documentElement);
  const all = [...names, ...Array.from({ length: seriesCount }, (_, i) => `series-${i}`)];
  colours = Object.fromEntries(all.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export function colour(name: Name): string {
  return colours[name];
}

export function seriesColour(i: number): string {
  return colours[`series-${i % seriesCount}`];
}

/** The same colour as a CSS value. */
export function seriesVariable(i: number): string {
  return `var(--series-${i % seriesCount})`;
}

/** Any other colour of the style sheet. */
export function cssColour(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

export function modeColour(mode: number): string {
  return colours[(["stick", "slip", "open"] as const)[mode] ?? "muted"];
}

/** Reads the colours, and again whenever the reader's preference changes. */
export function watchTheme(changed: () => void): void {
  read();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    read();
    changed();
  });
}
