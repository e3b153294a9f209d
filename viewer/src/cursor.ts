// The one cursor and the one zoomed window that all plots share.

import { timeInSeconds, type Axis } from "./data";
import { formatSample } from "./format";
import { nearestIndex, type Range } from "./series";

type Listener = () => void;

export class Timeline {
  readonly full: Range;
  private index_: number | null = null;
  private window_: Range | null = null;
  private readonly cursorListeners = new Set<Listener>();
  private readonly windowListeners = new Set<Listener>();

  constructor(
    readonly time: number[],
    readonly axis: Axis = timeInSeconds,
  ) {
    const first = time[0] ?? 0;
    const last = time[time.length - 1] ?? 1;
    this.full = last > first ? [first, last] : [first - 0.5, first + 0.5];
  }

  /** Sample under the cursor; null before it was first placed. */
  get index(): number | null {
    return this.index_;
  }

  get zoomed(): boolean {
    return this.window_ !== null;
  }

  /** Range of time to be shown. */
  get visible(): Range {
    return this.window_ ?? this.full;
  }

  /** Mean distance of samples. */
  get spacing(): number {
    return (this.full[1] - this.full[0]) / Math.max(1, this.time.length - 1);
  }

  /** "0.125 s", with the decimals that tell samples `spacing` apart. */
  label(at: number, spacing = this.spacing): string {
    return formatSample(at, spacing, this.axis.unit);
  }

  /** "t = 0.125 s" */
  position(at: number): string {
    return `${this.axis.name === "time" ? "t" : this.axis.name} = ${this.label(at)}`;
  }

  setIndex(index: number | null): void {
    const last = this.time.length - 1;
    if (index !== null) index = last < 0 ? null : Math.min(last, Math.max(0, Math.round(index)));
    if (index === this.index_) return;
    this.index_ = index;
    if (index !== null) this.reveal(this.time[index]);
    this.cursorListeners.forEach((listener) => listener());
  }

  setTime(t: number): void {
    this.setIndex(nearestIndex(this.time, t));
  }

  /** Shows a range of time; null shows everything. */
  setWindow(range: Range | null): void {
    if (range !== null) {
      const from = Math.max(this.full[0], range[0]);
      const to = Math.min(this.full[1], range[1]);
      if (!(to > from)) return;
      range = from === this.full[0] && to === this.full[1] ? null : [from, to];
    }
    if (range === this.window_) return;
    this.window_ = range;
    this.windowListeners.forEach((listener) => listener());
  }

  onCursor(listener: Listener): () => void {
    this.cursorListeners.add(listener);
    return () => this.cursorListeners.delete(listener);
  }

  onWindow(listener: Listener): () => void {
    this.windowListeners.add(listener);
    return () => this.windowListeners.delete(listener);
  }

  // a cursor that leaves the zoomed window takes the window along
  private reveal(t: number): void {
    if (this.window_ === null) return;
    const [from, to] = this.window_;
    if (t >= from && t <= to) return;
    const width = to - from;
    const start = Math.min(this.full[1] - width, Math.max(this.full[0], t - width / 2));
    this.setWindow([start, start + width]);
  }
}

/** Arrow keys move the cursor by a sample (with Shift by ten), Home and End to the ends, Escape undoes the zoom. */
export function bindKeys(timeline: Timeline): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const stride = event.shiftKey ? 10 : 1;
    const [from, to] = timeline.visible;
    const move = (by: number) => {
      if (timeline.index !== null) timeline.setIndex(timeline.index + by);
      else timeline.setTime(by > 0 ? from : to);
    };
    if (event.key === "ArrowRight") move(stride);
    else if (event.key === "ArrowLeft") move(-stride);
    else if (event.key === "Home" && timeline.index !== null) timeline.setIndex(0);
    else if (event.key === "End" && timeline.index !== null) timeline.setIndex(timeline.time.length - 1);
    else if (event.key === "Escape") timeline.setWindow(null);
    else return;
    event.preventDefault();
  });
}
