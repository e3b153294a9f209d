// The section of joints with clearance: for a chosen joint its orbit, the loops of its friction and what touches at the cursor.

import { contactOf, leanOf, magnitudesOf, slidOf, type ClearanceJoint, type ContactPoint } from "./clearance_data";
import type { Timeline } from "./cursor";
import { modeNames, type Channel, type Values } from "./data";
import { el, section, table } from "./dom";
import { formatSI, missing } from "./format";
import { makeLegend } from "./legend";
import { LinkedPlot } from "./linked_plot";
import { drawModes, modeLegend } from "./mode_band";
import { OrbitView } from "./orbit_view";
import type { Page } from "./panels";
import type { Scene } from "./scene_data";
import { extent, runs } from "./series";
import { XyPlot } from "./xy_plot";

const height = 320; // of orbits and loops [px]

/** Null when no joint has clearance. */
export function makeClearance({ report, timeline, channels, worn }: Page): HTMLElement | null {
  const scene = report.scene;
  if (worn.length === 0 || !scene || report.time.length === 0) return null;
  const { root, body } = section("clearance", "Joints with clearance", "Where the journal is in its bearing, seen from the first body; arrows are forces on the second body.");
  const choose = el("select", { "aria-label": "Joint with clearance" }, ...worn.map(({ joint }, i) => el("option", { value: String(i) }, joint.name)));
  const holder = el("div", {});
  let shown: { destroy(): void } | null = null;
  const show = () => {
    shown?.destroy();
    const chosen = worn[Number(choose.value)];
    const card = new JointCard(chosen, scene, timeline, channels, worn.length > 1 ? choose : el("h3", {}, chosen.joint.name));
    holder.replaceChildren(card.root);
    card.fill();
    shown = card;
  };
  choose.addEventListener("change", () => {
    show();
    choose.focus();
  });
  body.append(holder);
  show();
  return root;
}

function isMoved(values: Values): boolean {
  const range = extent(values);
  return range !== null && range[1] > range[0];
}

class JointCard {
  readonly root = el("div", { class: "card" });
  private readonly release: { destroy(): void }[] = [];
  private readonly loops: { destroy(): void }[] = [];

  constructor(
    private readonly worn: ClearanceJoint,
    private readonly scene: Scene,
    private readonly timeline: Timeline,
    private readonly channels: Map<string, Channel>,
    private readonly title: HTMLElement,
  ) {}

  destroy(): void {
    [...this.release, ...this.loops].forEach((made) => made.destroy());
  }

  /** Called when the card is in the page, so that sizes are known. */
  fill(): void {
    const { joint, clearance, points, mode } = this.worn;
    const type = el("span", { class: "law" }, `${joint.type.replace(/_/g, " ")}, clearance ${formatSI(clearance, "m", 3)}`);
    const head = el("div", { class: "plot-head" }, el("span", {}, this.title, type), mode && modeLegend());
    this.root.append(head);
    this.addTimePlot(head);

    const orbits = el("div", { class: "orbits" });
    const loops = el("div", { class: "pair" });
    // a direction in which nothing ever rubs has no loop
    const rubbing = points.filter(({ friction }) => friction.some(isMoved));
    const choose = el("select", { "aria-label": "Contact point" }, ...rubbing.map(({ label }, i) => el("option", { value: String(i) }, label)));
    const which = rubbing.length > 1 && el("label", { class: "switch" }, "Friction at", choose);
    const side = el("div", { class: "stack" }, which, rubbing.length > 0 && loops, this.makeTable());
    this.root.append(el("div", { class: this.worn.offset.length > 2 ? "stack worn" : "worn beside" }, orbits, side));
    this.addOrbits(orbits);
    const showLoops = () => {
      this.loops.splice(0).forEach((made) => made.destroy());
      if (rubbing.length > 0) this.addLoops(loops, rubbing[Number(choose.value)]);
    };
    choose.addEventListener("change", showLoops);
    showLoops();
  }

  private addTimePlot(head: HTMLElement): void {
    const pressing = this.worn.points.flatMap(({ place, normal }) => (normal ? [{ name: `${place.name}.normal_force`, values: normal }] : []));
    if (pressing.length === 0) return;
    const lines = pressing.map((line, palette) => ({ ...line, palette }));
    const legend = makeLegend(this.timeline, lines, "N");
    const host = el("div", { class: "plot" });
    head.append(legend.root);
    this.root.append(host);
    const stretches = this.worn.mode ? runs(this.worn.mode) : [];
    const plot = new LinkedPlot(host, this.timeline, {
      label: `Normal force of ${this.worn.joint.name} over time`,
      lines,
      unit: "N",
      height: 110,
      overlay: (p) => drawModes(p, this.timeline.time, stretches, p.bbox.top + p.bbox.height - 4 * devicePixelRatio, 4 * devicePixelRatio),
    });
    legend.attach(plot);
    this.release.push(plot, legend);
  }

  private addOrbits(parent: HTMLElement): void {
    const { worn, scene, timeline } = this;
    const contactAt = (i: number) => contactOf(worn, (values) => values[i] ?? null, () => leanOf(scene, worn.joint, timeline.time[i]));
    const magnitudes = magnitudesOf(worn, timeline.time.length);
    const planes: [number, number][] = worn.offset.length > 2 ? [[0, 1], [0, 2], [1, 2]] : [[0, 1]];
    for (const axes of planes) {
      const host = el("div", { class: "plot" });
      parent.append(host);
      this.release.push(new OrbitView(host, timeline, { worn, axes, height, magnitudes, contactAt }));
    }
  }

  private addLoops(parent: HTMLElement, { place, label, mode }: ContactPoint): void {
    const { channels, timeline, worn } = this;
    const of = label ? `${worn.joint.name}.${label}` : worn.joint.name;
    place.friction_force.forEach((name, component) => {
      const force = channels.get(name);
      const slip = channels.get(place.slip[component]);
      if (!force || !slip || !isMoved(force.values)) return;
      const which = place.friction_force.length > 1 ? ` ${component + 1}` : "";
      const recorded = channels.get(place.travel[component]);
      // a contact point wanders over the surfaces: most laws keep no travel of it
      const travel = recorded && isMoved(recorded.values) ? recorded : { ...slip, unit: "m", values: slidOf(timeline.time, slip.values, mode) };
      for (const [x, what] of [[slip, "slip velocity"], [travel, travel === recorded ? "travel" : "path slid"]] as const) {
        const host = el("div", { class: "plot loop" });
        parent.append(host);
        const plot = new XyPlot(host, timeline, { label: `Friction force over ${what}${which} of ${of}`, x, y: force, xName: what + which, yName: `friction force${which}`, mode, height });
        this.loops.push({
          destroy() {
            plot.destroy();
            host.remove();
          },
        });
      }
    });
  }

  /** Numbers at the cursor, a row for each contact point. */
  private makeTable(): HTMLElement {
    const { points, joint, offset, clearance } = this.worn;
    const rows = points.map(({ label }) => [label || joint.name, ...Array.from({ length: 5 }, () => el("span", {}, missing))]);
    const made = table("Contact points at the cursor", ["", "state", "gap", "normal force", "friction force", "slip"], rows);
    made.caption?.classList.add("hidden");
    const where = el("p", {});
    const show = () => {
      const i = this.timeline.index;
      const at = (values: Values | null) => (values && i !== null ? values[i] : null);
      const length = (list: Values[]) => {
        const parts = list.map(at);
        if (parts.length === 0 || parts.includes(null)) return null;
        return parts.length === 1 ? parts[0] : Math.hypot(...(parts as number[]));
      };
      points.forEach((point, k) => {
        const mode = at(point.mode);
        const texts = [mode === null ? missing : (modeNames[mode] ?? missing), formatSI(at(point.gap), "m"), formatSI(at(point.normal), "N"), formatSI(length(point.friction), "N"), formatSI(length(point.slip), "m/s")];
        texts.forEach((text, c) => ((rows[k][c + 1] as HTMLElement).textContent = text));
        (rows[k][1] as HTMLElement).className = mode === null ? "" : `chip mode-${modeNames[mode]}`;
      });
      const away = length(offset);
      where.textContent = away === null ? "At the cursor" : `At the cursor: ${formatSI(away, "m")} off the middle, ${(away / clearance).toFixed(2)} of the clearance`;
    };
    this.release.push({ destroy: this.timeline.onCursor(show) });
    show();
    return el("div", { class: "touching" }, where, el("div", { class: "scroll" }, made));
  }
}
