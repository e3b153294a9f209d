// The way of a journal in the circle of its clearance, coloured by mode, with the forces of contact at the shared cursor.

import { nearestSample, reachOf, roundBelow, type ClearanceJoint, type Contact } from "./clearance_data";
import type { Timeline } from "./cursor";
import { strokeCurve } from "./curve";
import type { Values } from "./data";
import { el, onWidth } from "./dom";
import { formatSI } from "./format";
import type { Vec3 } from "./scene_data";
import { forceOf } from "./scene_math";
import { indicesWithin, type Range } from "./series";
import { colour, cssColour, modeColour, seriesColour } from "./theme";

export interface OrbitOptions {
  worn: ClearanceJoint;
  /** Which two of x, y, z. */
  axes: [number, number];
  height: number;
  /** Sizes of the force at all samples [N]. */
  magnitudes: number[];
  /** What touches at a sample. */
  contactAt: (i: number) => Contact | null;
}

export const orbitViews = new Set<OrbitView>();

const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const axisNames = ["x", "y", "z"];
/** The way just before the cursor is drawn strongly: this part of the time in view. */
const tail = 0.04;
/** Longest arrow, in clearances; a longer one is cut and gets a second head. */
const longest = 2;

export class OrbitView {
  private readonly canvas = el("canvas", { class: "orbit" });
  // all that does not change with the cursor
  private readonly still = document.createElement("canvas");
  private readonly release: (() => void)[];
  private indices: Range | null = null;
  private reach = 1;
  /** Force whose arrow is as long as the clearance [N]. */
  private force = 0;
  private width = 0;

  constructor(readonly host: HTMLElement, private readonly timeline: Timeline, private readonly options: OrbitOptions) {
    const { worn, axes } = options;
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", `Orbit of ${worn.joint.name} in its clearance, ${axes.map((k) => axisNames[k]).join(" and ")}`);
    host.append(this.canvas);
    this.canvas.addEventListener("mousemove", (event) => this.takeCursor(event.offsetX, event.offsetY));
    this.measure();
    this.release = [
      timeline.onCursor(() => this.draw()),
      timeline.onWindow(() => this.redraw()),
      onWidth(host, (width) => {
        this.width = width;
        this.redraw();
      }),
    ];
    orbitViews.add(this);
  }

  destroy(): void {
    orbitViews.delete(this);
    this.release.forEach((release) => release());
    this.host.remove();
  }

  /** The journal and the forces on it at the cursor, in the plane of the picture. */
  get state(): { label: string; at: [number, number] | null; forces: [number, number][] } {
    const [p, q] = this.options.axes;
    const now = this.now();
    return {
      label: this.host.getAttribute("aria-label") ?? "",
      at: now && [now.offset[p], now.offset[q]],
      forces: now ? now.points.flatMap(({ force }) => (force ? [[force[p], force[q]] as [number, number]] : [])) : [],
    };
  }

  /** Everything anew: another size, window or theme. */
  redraw(): void {
    if (this.width === 0) return;
    this.measure();
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(this.width * devicePixelRatio);
      canvas.height = Math.round(this.options.height * devicePixelRatio);
    }
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.options.height}px`;
    this.drawStill();
    this.draw();
  }

  private measure(): void {
    this.indices = indicesWithin(this.timeline.time, this.timeline.visible);
    const [u, v] = this.series();
    const [first, last] = this.indices ?? [0, -1];
    this.reach = reachOf(this.options.worn.clearance, u, v, [first, last]);
    this.force = forceOf(this.options.magnitudes.slice(first, last + 1), 1.5);
  }

  private series(): [Values, Values] {
    const { worn, axes } = this.options;
    return [worn.offset[axes[0]], worn.offset[axes[1]]];
  }

  private now(): Contact | null {
    const i = this.timeline.index;
    return i === null ? null : this.options.contactAt(i);
  }

  /** Pixels for a metre. */
  private get scale(): number {
    return Math.min(this.width, this.options.height) / (2 * this.reach);
  }

  private place(x: number, y: number): [number, number] {
    return [this.width / 2 + x * this.scale, this.options.height / 2 - y * this.scale];
  }

  private begin(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const ctx = canvas.getContext("2d") as CanvasRenderingContext2D;
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, this.width, this.options.height);
    ctx.font = font;
    ctx.lineJoin = "round";
    ctx.lineCap = "butt";
    return ctx;
  }

  private stroke(ctx: CanvasRenderingContext2D, first: number, last: number, one?: string): void {
    const [u, v] = this.series();
    const { mode } = this.options.worn;
    const at = (i: number) => {
      const [x, y] = [u[i], v[i]];
      return x === null || y === null ? null : this.place(x, y);
    };
    strokeCurve(ctx, first, last, at, (i) => one ?? (mode && mode[i] !== null ? modeColour(mode[i] as number) : seriesColour(0)));
  }

  private drawStill(): void {
    const ctx = this.begin(this.still);
    const { worn, axes, height } = this.options;
    const { width } = this;
    const [left, top] = this.place(0, 0);
    const radius = worn.clearance * this.scale;

    // beyond the circle the surfaces press into each other
    ctx.fillStyle = cssColour("--raised");
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.moveTo(left + radius, top);
    ctx.arc(left, top, radius, 0, 2 * Math.PI);
    ctx.fill("evenodd");
    ctx.strokeStyle = colour("muted");
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.arc(left, top, radius, 0, 2 * Math.PI);
    ctx.stroke();

    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.45;
    ctx.beginPath();
    ctx.moveTo(left - radius, Math.round(top) + 0.5);
    ctx.lineTo(left + radius, Math.round(top) + 0.5);
    ctx.moveTo(Math.round(left) + 0.5, top - radius);
    ctx.lineTo(Math.round(left) + 0.5, top + radius);
    ctx.stroke();
    ctx.globalAlpha = 1;

    const led = this.timeline.index !== null;
    if (this.timeline.zoomed) {
      ctx.globalAlpha = 0.25;
      this.stroke(ctx, 0, this.timeline.time.length - 1, colour("muted"));
      ctx.globalAlpha = 1;
    }
    ctx.lineWidth = led ? 1 : 1.25;
    ctx.globalAlpha = led ? 0.55 : 1;
    if (this.indices) this.stroke(ctx, ...this.indices);
    ctx.globalAlpha = 1;
    this.stillLed = led;

    const labels: [string, number, number, CanvasTextAlign, CanvasTextBaseline][] = [
      [axisNames[axes[0]], left + radius - 4, top - 4, "right", "bottom"],
      [axisNames[axes[1]], left + 5, top - radius + 4, "left", "top"],
    ];
    for (const [text, x, y, align, baseline] of labels) this.write(ctx, text, x, y, align, baseline);
    const length = roundBelow(0.5 * worn.clearance);
    this.bar(ctx, 10, height - 10, length * this.scale, formatSI(length, "m", 1), false);
    const newtons = roundBelow(0.6 * this.force);
    if (newtons > 0) this.bar(ctx, width - 10 - (newtons / this.force) * radius, height - 10, (newtons / this.force) * radius, formatSI(newtons, "N", 1), true);
  }

  private stillLed = false;

  private write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, align: CanvasTextAlign, baseline: CanvasTextBaseline): void {
    ctx.textAlign = align;
    ctx.textBaseline = baseline;
    ctx.lineWidth = 3;
    ctx.strokeStyle = colour("surface");
    ctx.globalAlpha = 0.7;
    ctx.strokeText(text, x, y);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colour("muted");
    ctx.fillText(text, x, y);
  }

  /** How long a length or a force is drawn. */
  private bar(ctx: CanvasRenderingContext2D, x: number, y: number, length: number, text: string, arrow: boolean): void {
    if (arrow) {
      this.arrow(ctx, [x, y], [length, 0]);
    } else {
      ctx.strokeStyle = colour("muted");
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.moveTo(x, y - 4);
      ctx.lineTo(x, y);
      ctx.lineTo(x + length, y);
      ctx.lineTo(x + length, y - 4);
      ctx.stroke();
    }
    this.write(ctx, text, arrow ? x + length : x, y - 7, arrow ? "right" : "left", "bottom");
  }

  /** From a place along a vector, in pixels. */
  private arrow(ctx: CanvasRenderingContext2D, [x, y]: [number, number], [dx, dy]: [number, number], most = Infinity): void {
    const full = Math.hypot(dx, dy);
    if (full < 2) return;
    const length = Math.min(full, most);
    const [ex, ey] = [dx / full, dy / full];
    const head = Math.min(11, 0.6 * length);
    ctx.strokeStyle = ctx.fillStyle = seriesColour(5);
    ctx.lineWidth = 2.5;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + (length - head) * ex, y + (length - head) * ey);
    ctx.stroke();
    for (const tip of full > most ? [length, length - 0.8 * head] : [length]) {
      const [bx, by] = [x + (tip - head) * ex, y + (tip - head) * ey];
      ctx.beginPath();
      ctx.moveTo(x + tip * ex, y + tip * ey);
      ctx.lineTo(bx - 0.42 * head * ey, by + 0.42 * head * ex);
      ctx.lineTo(bx + 0.42 * head * ey, by - 0.42 * head * ex);
      ctx.fill();
    }
  }

  private draw(): void {
    if (this.width === 0) return;
    // with a cursor, the whole way steps back behind the part that leads to it
    if (this.stillLed !== (this.timeline.index !== null)) this.drawStill();
    const ctx = this.begin(this.canvas);
    ctx.drawImage(this.still, 0, 0, this.width, this.options.height);
    const i = this.timeline.index;
    const now = this.now();
    if (i === null || !now) return;

    const [from, to] = this.timeline.visible;
    const recent = indicesWithin(this.timeline.time, [this.timeline.time[i] - tail * (to - from), this.timeline.time[i]]);
    ctx.lineWidth = 2.5;
    if (recent) this.stroke(ctx, ...recent);

    const [p, q] = this.options.axes;
    const flat = (v: Vec3): [number, number] => this.place(v[p], v[q]);
    const perNewton = (this.options.worn.clearance * this.scale) / this.force;
    const several = now.points.length > 1;
    now.points.forEach(({ at, normal, force }, k) => {
      const { wall } = this.options.worn.points[k];
      // a wall presses along the axis, which is not seen here
      if (wall !== 0) return;
      if (force && Number.isFinite(perNewton)) {
        // begins where the surfaces touch
        const reach = this.options.worn.clearance;
        const start = several ? at : (normal.map((n) => -n * Math.max(reach, Math.hypot(...at))) as Vec3);
        this.arrow(ctx, flat(start), [force[p] * perNewton, -force[q] * perNewton], longest * reach * this.scale);
      }
    });
    if (several) this.drawEnds(ctx, now, flat);
    this.dot(ctx, flat(now.offset), 5);
  }

  // the ends of a pin that leans
  private drawEnds(ctx: CanvasRenderingContext2D, now: Contact, flat: (v: Vec3) => [number, number]): void {
    const ends = now.points.flatMap(({ at }, k) => (this.options.worn.points[k].wall === 0 ? [{ at: flat(at), name: this.options.worn.points[k].label.slice(0, 1) }] : []));
    if (ends.length < 2) return;
    ctx.strokeStyle = colour("text");
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ends.forEach(({ at }, k) => (k === 0 ? ctx.moveTo(...at) : ctx.lineTo(...at)));
    ctx.stroke();
    const apart = Math.hypot(ends[0].at[0] - ends[1].at[0], ends[0].at[1] - ends[1].at[1]) > 14;
    for (const { at, name } of ends) {
      this.dot(ctx, at, 3.5);
      if (apart) this.write(ctx, name, at[0] + 6, at[1] - 4, "left", "bottom");
    }
  }

  private dot(ctx: CanvasRenderingContext2D, [x, y]: [number, number], radius: number): void {
    ctx.fillStyle = colour("text");
    ctx.strokeStyle = colour("surface");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }

  // the sample drawn nearest to the mouse, when one is near
  private takeCursor(left: number, top: number): void {
    if (!this.indices) return;
    const at: [number, number] = [(left - this.width / 2) / this.scale, (this.options.height / 2 - top) / this.scale];
    const found = nearestSample(...this.series(), this.indices, at, 20 / this.scale);
    if (found !== null) this.timeline.setIndex(found);
  }
}
