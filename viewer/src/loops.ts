// Friction loops: force over slip velocity and over travel, for each place and component.

import type { Timeline } from "./cursor";
import type { Channel } from "./data";
import { el, section } from "./dom";
import { makeLegend } from "./legend";
import { LinkedPlot } from "./linked_plot";
import { drawModes, modeLegend } from "./mode_band";
import type { Page } from "./panels";
import { runs } from "./series";
import { XyPlot } from "./xy_plot";

export function makeLoops({ report, timeline, channels, worn }: Page): HTMLElement | null {
  const elsewhere = new Set(worn.flatMap(({ points }) => points.map(({ place }) => place.name))); // in the part about clearance
  const { root, body } = section("loops", "Friction loops", "The zoomed part of the run in colour; point at a curve or a plot over time to move the marker.");
  for (const place of report.places) {
    if (elsewhere.has(place.name)) continue;
    if (place.law === "none") continue; // it touches, but does not rub
    place.friction_force.forEach((name, component) => {
      const force = channels.get(name);
      const slip = channels.get(place.slip[component]);
      const travel = channels.get(place.travel[component]);
      if (!force || !(slip || travel)) return;
      const title = place.friction_force.length > 1 ? `${place.name}, direction ${component + 1}` : place.name;
      const mode = channels.get(place.mode) ?? null;
      body.append(makeCard(timeline, title, place.law, force, slip, travel, mode));
    });
  }
  return body.childElementCount > 0 ? root : null;
}

function makeCard(timeline: Timeline, title: string, law: string, force: Channel, slip: Channel | undefined, travel: Channel | undefined, mode: Channel | null): HTMLElement {
  // a slim plot over time to move the cursor by
  const host = el("div", { class: "plot" });
  const lines = [{ name: force.name, values: force.values, palette: 0 }];
  const legend = makeLegend(timeline, lines, force.unit, [force.text]);
  const stretches = mode ? runs(mode.values) : [];
  const plot = new LinkedPlot(host, timeline, {
    label: `Friction force of ${title} over time`,
    lines,
    unit: force.unit,
    height: 110,
    overlay: (plot) => drawModes(plot, timeline.time, stretches, plot.bbox.top + plot.bbox.height - 4 * devicePixelRatio, 4 * devicePixelRatio),
  });
  legend.attach(plot);

  const pair = el("div", { class: "pair" });
  for (const [x, what] of [[slip, "slip velocity"], [travel, "travel"]] as const) {
    if (!x) continue;
    const xyHost = el("div", { class: "plot loop" });
    pair.append(xyHost);
    new XyPlot(xyHost, timeline, {
      label: `Friction force over ${what} of ${title}`,
      x,
      y: force,
      xName: what,
      yName: "friction force",
      mode: mode && mode.values,
      height: 320,
    });
  }
  const name = el("h3", {}, title, law && el("span", { class: "law" }, law));
  return el("div", { class: "card" }, el("div", { class: "plot-head" }, name, mode && modeLegend(), legend.root), host, pair);
}
