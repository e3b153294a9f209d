// Bands along the time axis: where each friction place sticks, slips or is open.

import type uPlot from "uplot";
import { gutter } from "./axes";
import type { Timeline } from "./cursor";
import { modeNames, type Channel, type Place } from "./data";
import { el } from "./dom";
import { LinkedPlot } from "./linked_plot";
import { runs, type Run } from "./series";
import { colour, modeColour } from "./theme";

/** Fills a strip of the canvas with the colours of the modes; top and height in canvas pixels. */
export function drawModes(plot: uPlot, time: number[], stretches: Run[], top: number, height: number): void {
  const { ctx, bbox } = plot;
  const [min, max] = [plot.scales.x.min as number, plot.scales.x.max as number];
  ctx.save();
  for (const { first, last, value } of stretches) {
    // a mode holds until the next sample
    const from = Math.max(min, time[first]);
    const to = Math.min(max, time[Math.min(last + 1, time.length - 1)]);
    if (to < from) continue;
    const left = plot.valToPos(from, "x", true);
    const right = plot.valToPos(to, "x", true);
    ctx.fillStyle = modeColour(value);
    ctx.fillRect(left, top, Math.min(Math.max(1, right - left), bbox.left + bbox.width - left), height);
  }
  ctx.restore();
}

export function modeLegend(): HTMLElement {
  const entries = modeNames.map((name) => el("span", { class: "entry" }, el("span", { class: `swatch mode-${name}` }), name));
  return el("div", { class: "legend" }, ...entries);
}

/** One plot with a row for each place that records its mode; null when none does. */
export function makeModeBands(timeline: Timeline, places: Place[], channels: Map<string, Channel>): HTMLElement | null {
  const rows = places.filter((place) => channels.has(place.mode));
  if (rows.length === 0) return null;
  const stretches = rows.map((place) => runs((channels.get(place.mode) as Channel).values));

  const overlay = (plot: uPlot) => {
    const { ctx, bbox } = plot;
    const row = bbox.height / rows.length;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    rows.forEach((place, i) => {
      const top = bbox.top + i * row;
      drawModes(plot, timeline.time, stretches[i], top + 0.14 * row, 0.72 * row);
      ctx.fillStyle = colour("text");
      ctx.fillText(fitted(ctx, place.name, bbox.left - 12 * devicePixelRatio), bbox.left - 8 * devicePixelRatio, top + row / 2);
    });
    ctx.restore();
  };

  const host = el("div", { class: "plot" });
  new LinkedPlot(host, timeline, {
    label: `Stick, slip and open phases over time of ${rows.map((place) => place.name).join(", ")}`,
    lines: rows.map((place) => ({ name: place.name, values: (channels.get(place.mode) as Channel).values, palette: 0 })),
    unit: "",
    height: rows.length * (rows.length <= 10 ? 24 : 15) + 32,
    scale: { range: () => [0, 1] },
    axis: { scale: "y", size: gutter, values: () => [], grid: { show: false }, ticks: { show: false } },
    hideLines: true,
    overlay,
  });
  return el("div", { class: "card" }, el("div", { class: "plot-head" }, el("h3", {}, "State of the friction places"), modeLegend()), host);
}

function fitted(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  while (text.length > 1 && ctx.measureText(text + "…").width > width) text = text.slice(0, -1);
  return text + "…";
}
