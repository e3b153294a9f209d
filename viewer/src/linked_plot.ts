// A plot over time that shares cursor and zoom with all others.

import uPlot from "uplot";
import { rightPadding, sampleAxis, valueAxis } from "./axes";
import type { Timeline } from "./cursor";
import type { Values } from "./data";
import { onWidth } from "./dom";
import { padded, type Range } from "./series";
import { colour, seriesColour } from "./theme";

export interface Line {
  name: string;
  values: Values;
  /** Which colour of the palette. */
  palette: number;
  dash?: number[];
}

export interface PlotOptions {
  /** Spoken description. */
  label: string;
  lines: Line[];
  unit: string;
  height: number;
  /** Times of the lines when they are not the samples of the run. */
  time?: number[];
  axis?: uPlot.Axis;
  scale?: uPlot.Scale;
  hideLines?: boolean;
  /** Draws on top of the lines, in canvas pixels. */
  overlay?: (plot: uPlot) => void;
}

export const linkedPlots = new Set<LinkedPlot>();

export class LinkedPlot {
  readonly plot: uPlot;
  private readonly release: (() => void)[];

  constructor(readonly host: HTMLElement, private readonly timeline: Timeline, options: PlotOptions) {
    const time = options.time ?? timeline.time;
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", options.label);
    this.plot = new uPlot(this.uplotOptions(options), [time, ...options.lines.map((line) => line.values)] as uPlot.AlignedData, host);
    this.release = [
      timeline.onCursor(() => this.showCursor()),
      timeline.onWindow(() => this.showWindow()),
      onWidth(host, (width) => this.plot.setSize({ width, height: options.height })),
    ];
    linkedPlots.add(this);
  }

  destroy(): void {
    linkedPlots.delete(this);
    this.release.forEach((release) => release());
    this.plot.destroy();
  }

  private uplotOptions(options: PlotOptions): uPlot.Options {
    return {
      width: Math.max(200, this.host.clientWidth || 800),
      height: options.height,
      padding: [8, rightPadding, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => this.timeline.visible },
        y: options.scale ?? { range: (_plot, low, high) => padded(low === null || high === null ? null : [low, high]) },
      },
      axes: [sampleAxis(this.timeline.axis), options.axis ?? valueAxis("y", options.unit)],
      series: [
        {},
        ...options.lines.map(
          (line): uPlot.Series => ({
            label: line.name,
            stroke: () => seriesColour(line.palette),
            width: 1.5,
            pxAlign: 0,
            dash: line.dash,
            points: { show: isolatedPoints },
            ...(options.hideLines && { paths: () => null, points: { show: false } }),
          }),
        ),
      ],
      cursor: {
        y: false,
        points: options.hideLines ? { show: false } : { size: 7, stroke: () => colour("surface"), width: 1.5 },
        drag: { x: true, y: false, setScale: false },
        bind: {
          mousemove: (plot, _target, handler) => (event) => {
            handler(event);
            this.takeCursor(plot, (event.buttons & 1) === 1);
            return null;
          },
          mouseleave: (_plot, _target, handler) => (event) => {
            handler(event);
            this.showCursor();
            return null;
          },
          dblclick: () => () => {
            this.timeline.setWindow(null);
            return null;
          },
        },
      },
      hooks: {
        setSelect: [(plot) => this.takeSelection(plot)],
        draw: [(plot) => options.overlay?.(plot), () => this.showCursor()],
      },
    };
  }

  // the mouse is here: this plot leads
  private takeCursor(plot: uPlot, dragging: boolean): void {
    const left = plot.cursor.left ?? -1;
    if (left < 0) return;
    this.timeline.setTime(plot.posToVal(left, "x"));
    // while a range is being dragged uPlot needs the true position of the mouse
    if (!dragging) this.showCursor();
  }

  private takeSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 1) return;
    const range: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    if (width >= 4) this.timeline.setWindow(range);
  }

  private showCursor(): void {
    const plot = this.plot;
    if (!plot || isDragging(plot)) return; // the first drawing happens inside the constructor
    const index = this.timeline.index;
    const left = index === null ? -10 : plot.valToPos(this.timeline.time[index], "x");
    plot.setCursor({ left, top: index === null ? -10 : 1 }, false);
  }

  private showWindow(): void {
    const [min, max] = this.timeline.visible;
    this.plot.setScale("x", { min, max });
  }
}

function isDragging(plot: uPlot): boolean {
  return plot.select.width > 0;
}

// a value between two missing ones has no line: show it as a dot
function isolatedPoints(plot: uPlot, series: number, first: number, last: number): boolean {
  return last - first < plot.bbox.width / devicePixelRatio / 12 || plot.data[series].length === 1;
}

