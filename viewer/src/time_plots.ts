// Linked plots over time, with the list of channels beside them.

import type uPlot from "uplot";
import { makeChannelList } from "./channel_list";
import { groupChannels, tellingChannels, type Group } from "./channels";
import type { Timeline } from "./cursor";
import { el, section } from "./dom";
import { makeLegend, type Legend } from "./legend";
import { LinkedPlot, type Line } from "./linked_plot";
import { drawModes, makeModeBands } from "./mode_band";
import type { Page } from "./panels";
import { runs, type Run } from "./series";

interface Shown {
  root: HTMLElement;
  plot: LinkedPlot;
  legend: Legend;
}

export function makeTimePlots({ report, timeline, channels }: Page): HTMLElement | null {
  if (report.channels.length === 0 || report.time.length === 0) return null;
  const { root, body } = section("time", timeline.axis.name === "time" ? "Time histories" : `Over the ${timeline.axis.name}`, "Drag to zoom, double-click to see all; ← → move the cursor.");

  // modes of the places, for the strip at the foot of their plots
  const modes = new Map<string, Run[]>();
  for (const place of report.places) {
    const mode = channels.get(place.mode);
    if (mode) modes.set(mode.element, runs(mode.values));
  }

  const plots = el("div", { class: "plots" });
  const shown = new Map<string, Shown>();
  const update = () => {
    const groups = groupChannels(list.chosen(), list.grouping());
    const wanted = new Map(groups.map((group) => [signature(group), group]));
    for (const [key, { root, plot, legend }] of shown) {
      if (wanted.has(key)) continue;
      plot.destroy();
      legend.destroy();
      root.remove();
      shown.delete(key);
    }
    for (const [key, group] of wanted) {
      let entry = shown.get(key);
      if (!entry) shown.set(key, (entry = makePlot(plots, group, timeline, group.element === null ? undefined : modes.get(group.element))));
      plots.append(entry.root); // keeps the order of the channels
    }
    none.hidden = groups.length > 0;
  };

  const list = makeChannelList(report.channels, tellingChannels(report.channels, report.places), update);
  const none = el("p", { class: "note" }, "No channel is switched on.");
  const bands = makeModeBands(timeline, report.places, channels);
  body.append(el("div", { class: "split" }, list.root, el("div", { class: "stack" }, bands, none, plots)));
  update();
  return root;
}

function makePlot(parent: HTMLElement, group: Group, timeline: Timeline, modes: Run[] | undefined): Shown {
  const lines: Line[] = group.channels.map((channel, i) => ({ name: channel.name, values: channel.values, palette: i }));
  const legend = makeLegend(timeline, lines, group.unit, group.channels.map((c) => c.text));
  const host = el("div", { class: "plot" });
  const root = el("div", { class: "card" }, el("div", { class: "plot-head" }, el("h3", {}, group.title), legend.root), host);
  parent.append(root);

  const strip = (plot: uPlot) => {
    const height = 4 * devicePixelRatio;
    if (modes) drawModes(plot, timeline.time, modes, plot.bbox.top + plot.bbox.height - height, height);
  };
  const plot = new LinkedPlot(host, timeline, {
    label: `Plot over the ${timeline.axis.name} of ${lines.map((line) => line.name).join(", ")}`,
    lines,
    unit: group.unit,
    height: 170,
    overlay: strip,
  });
  legend.attach(plot);
  return { root, plot, legend };
}

function signature(group: Group): string {
  return group.channels.map((c) => c.name).join("\n");
}
