// Axes that look and label alike in every plot.

import uPlot from "uplot";
import type { Axis } from "./data";
import { scaledUnit, tickLabels } from "./format";
import { colour } from "./theme";

const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** Same width left of every plot, so that the time axes line up. [px] */
export const gutter = 78;
/** Room for the last tick label. [px] */
export const rightPadding = 24;

function common(): uPlot.Axis {
  return {
    font,
    labelFont: font,
    stroke: () => colour("muted"),
    grid: { stroke: () => colour("grid"), width: 1 },
    ticks: { stroke: () => colour("grid"), width: 1, size: 4 },
    gap: 4,
  };
}

function unitOf(plot: uPlot, scale: string, unit: string) {
  const { min, max } = plot.scales[scale];
  return scaledUnit(Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)), unit);
}

/** Horizontal axis of the samples: every tick carries its unit; what is not time has a name. */
export function sampleAxis(along: Axis): uPlot.Axis {
  return {
    ...common(),
    scale: "x",
    size: 22,
    space: 80,
    ...(along.name === "time" ? {} : { label: along.name, labelSize: 16, labelGap: 0 }),
    values: (plot, ticks, _axis, _space, increment) => {
      const { factor, unit } = unitOf(plot, "x", along.unit);
      return tickLabels(ticks, increment, factor).map((label) => (unit && unit !== "1" ? `${label} ${unit}` : label));
    },
  };
}

/** Axis of a quantity; its label is the unit with the prefix that suits what is in view. */
export function valueAxis(scale: "x" | "y", unit: string, name = ""): uPlot.Axis {
  return {
    ...common(),
    scale,
    size: scale === "y" ? gutter - 18 : 24,
    space: scale === "y" ? 26 : 70,
    labelSize: 18,
    labelGap: 0,
    label: (plot: uPlot) => {
      const shown = unitOf(plot, scale, unit).unit;
      const suffix = shown && shown !== "1" ? (name ? ` [${shown}]` : shown) : "";
      return name + suffix;
    },
    values: (plot, ticks, _axis, _space, increment) => tickLabels(ticks, increment, unitOf(plot, scale, unit).factor),
  };
}

/** Logarithmic axis: ticks at whole decades. */
export function decadeAxis(unit: string): uPlot.Axis {
  return {
    ...common(),
    scale: "y",
    size: gutter,
    splits: (_plot, _axis, min, max) => {
      const first = Math.ceil(Math.log10(min) - 1e-9);
      const last = Math.floor(Math.log10(max) + 1e-9);
      const stride = Math.ceil((last - first + 1) / 8);
      return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, i) => 10 ** (first + i * stride));
    },
    filter: (_plot, ticks) => ticks,
    values: (_plot, ticks) =>
      ticks.map((tick) => {
        const { factor, unit: shown } = scaledUnit(tick, unit);
        return `${Math.round(tick / factor)} ${shown}`;
      }),
  };
}
