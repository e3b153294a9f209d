// One quantity over another, coloured by mode, with a marker at the shared cursor.
// The part inside the zoomed window sets the axes; the rest of the run stays faintly behind it.

import uPlot from "uplot";
import { rightPadding, valueAxis } from "./axes";
import type { Timeline } from "./cursor";
import { strokeCurve } from "./curve";
import type { Channel, Values } from "./data";
import { el, onWidth } from "./dom";
import { extent, indicesWithin, padded, type Range } from "./series";
import { colour, modeColour, seriesColour } from "./theme";

export interface XyOptions {
  label: string;
  x: Channel;
  y: Channel;
  xName: string;
  yName: string;
  mode: Values | null;
  height: number;
}

export const xyPlots = new Set<XyPlot>();

export class XyPlot {
  readonly plot: uPlot;
  private readonly release: (() => void)[];
  private readonly marker = el("div", { class: "marker", hidden: "" });
  private indices: Range | null = null;
  private ranges: { x: Range; y: Range } = { x: [0, 1], y: [0, 1] };

  constructor(host: HTMLElement, private readonly timeline: Timeline, private readonly options: XyOptions) {
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", options.label);
    this.measure();
    // uPlot draws the axes; the curve is not a function of x and is drawn here
    this.plot = new uPlot(
      {
        width: Math.max(200, host.clientWidth || 400),
        height: options.height,
        padding: [8, rightPadding, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: () => this.ranges.x }, y: { range: () => this.ranges.y } },
        axes: [valueAxis("x", options.x.unit, options.xName), valueAxis("y", options.y.unit, options.yName)],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: { draw: [(plot) => this.draw(plot), () => this.showMarker()] },
      },
      [[0, 1], [0, 1]],
      host,
    );
    this.plot.over.append(this.marker);
    this.plot.over.addEventListener("mousemove", (event) => this.takeCursor(event.offsetX, event.offsetY));
    this.release = [
      timeline.onCursor(() => this.showMarker()),
      timeline.onWindow(() => this.showWindow()),
      onWidth(host, (width) => this.plot.setSize({ width, height: options.height })),
    ];
    xyPlots.add(this);
  }

  destroy(): void {
    xyPlots.delete(this);
    this.release.forEach((release) => release());
    this.plot.destroy();
  }

  /** Where the marker is, in the units of the channels; null when it is hidden. */
  get markerValue(): [number, number] | null {
    const i = this.timeline.index;
    if (i === null || this.marker.hidden) return null;
    return [this.options.x.values[i] as number, this.options.y.values[i] as number];
  }

  private measure(): void {
    this.indices = indicesWithin(this.timeline.time, this.timeline.visible);
    const [first, last] = this.indices ?? [0, -1];
    this.ranges = { x: padded(extent(this.options.x.values, first, last)), y: padded(extent(this.options.y.values, first, last)) };
  }

  private showWindow(): void {
    this.measure();
    const { x, y } = this.ranges;
    this.plot.batch(() => {
      this.plot.setScale("x", { min: x[0], max: x[1] });
      this.plot.setScale("y", { min: y[0], max: y[1] });
    });
  }

  private draw(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { mode, x } = this.options;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineJoin = "round";
    this.axesThroughZero(plot);

    if (this.timeline.zoomed) {
      ctx.lineWidth = devicePixelRatio;
      ctx.globalAlpha = 0.3;
      this.stroke(plot, 0, x.values.length - 1, () => colour("muted"));
      ctx.globalAlpha = 1;
    }
    if (this.indices) {
      ctx.lineWidth = 1.5 * devicePixelRatio;
      this.stroke(plot, ...this.indices, (i) => (mode && mode[i] !== null ? modeColour(mode[i] as number) : seriesColour(0)));
    }
    ctx.restore();
  }

  private axesThroughZero(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.strokeStyle = colour("muted");
    ctx.lineWidth = devicePixelRatio;
    ctx.globalAlpha = 0.5;
    ctx.beginPath();
    const left = Math.round(plot.valToPos(0, "x", true)) + 0.5;
    const top = Math.round(plot.valToPos(0, "y", true)) + 0.5;
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.moveTo(bbox.left, top);
    ctx.lineTo(bbox.left + bbox.width, top);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  private stroke(plot: uPlot, first: number, last: number, colourOf: (i: number) => string): void {
    const { x, y } = this.options;
    const placeOf = (i: number): [number, number] | null => {
      const [u, v] = [x.values[i], y.values[i]];
      return u === null || v === null ? null : [plot.valToPos(u, "x", true), plot.valToPos(v, "y", true)];
    };
    strokeCurve(plot.ctx, first, last, placeOf, colourOf);
  }

  private showMarker(): void {
    if (!this.plot) return; // the first drawing happens inside the constructor
    const i = this.timeline.index;
    const u = i === null ? null : this.options.x.values[i];
    const v = i === null ? null : this.options.y.values[i];
    this.marker.hidden = u === null || v === null;
    if (u === null || v === null) return;
    this.marker.style.transform = `translate(${this.plot.valToPos(u, "x")}px, ${this.plot.valToPos(v, "y")}px)`;
  }

  // the sample drawn nearest to the mouse, when one is near
  private takeCursor(left: number, top: number): void {
    if (!this.indices) return;
    const { x, y } = this.options;
    let best = 20 ** 2;
    let found: number | null = null;
    for (let i = this.indices[0]; i <= this.indices[1]; i++) {
      const [u, v] = [x.values[i], y.values[i]];
      if (u === null || v === null) continue;
      const distance = (this.plot.valToPos(u, "x") - left) ** 2 + (this.plot.valToPos(v, "y") - top) ** 2;
      if (distance < best) [best, found] = [distance, i];
    }
    if (found !== null) this.timeline.setIndex(found);
  }
}
