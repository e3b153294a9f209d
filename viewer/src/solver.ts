// How the time integration went: counts, step size over time, and what limited the steps.

import { decadeAxis } from "./axes";
import { el, section, table } from "./dom";
import { shareCell } from "./energy";
import { formatCount } from "./format";
import { makeLegend } from "./legend";
import { LinkedPlot } from "./linked_plot";
import type { Page } from "./panels";
import { decades, decimate, nearestIndex } from "./series";

const mostPoints = 8000;

const rejected = "rejected steps: ";

/** Counts, and apart from them how many steps were rejected for which cause. */
export function partCounts(all: [string, number][]): [counts: [string, number][], causes: [string, number][]] {
  const causes = all.filter(([name]) => name.startsWith(rejected)).map(([name, n]): [string, number] => [name.slice(rejected.length), n]);
  return [all.filter(([name]) => !name.startsWith(rejected)), causes];
}

export function makeSolver({ report, timeline }: Page): HTMLElement | null {
  const solver = report.solver;
  if (!solver) return null;
  const { root, body } = section("solver", "Solver", solver.integrator);

  if (solver.time.length > 0) {
    // a logarithmic axis has no place for zero
    const positive = solver.step.map((h) => (h !== null && h > 0 ? h : null));
    const { time, values } = decimate(solver.time, positive, mostPoints);
    const atSamples = timeline.time.map((t) => values[nearestIndex(time, t) as number]);
    const legend = makeLegend(timeline, [{ name: "step size", values: atSamples, palette: 0 }], "s");
    const host = el("div", { class: "plot" });
    const plot = new LinkedPlot(host, timeline, {
      label: "Step size over time, logarithmic",
      lines: [{ name: "step size", values, palette: 0 }],
      time,
      unit: "s",
      height: 180,
      axis: decadeAxis("s"),
      scale: { distr: 3, range: (_plot, low, high) => decades(low === null || high === null ? null : [low, high]) },
    });
    legend.attach(plot);
    body.append(el("div", { class: "card" }, el("div", { class: "plot-head" }, el("h3", {}, "Step size"), legend.root), host));
  }

  const tables = el("div", { class: "pair" });
  const [counts, causes] = partCounts(solver.counts);
  if (counts.length > 0) {
    tables.append(el("div", { class: "card scroll" }, table("Counts", [], counts.map(([name, n]) => [name, formatCount(n)]))));
  }
  for (const [title, list] of [["What set the step size", solver.reasons], ["Why steps were rejected", causes]] as const) {
    if (list.length === 0) continue;
    const total = list.reduce((all, [, n]) => all + n, 0);
    const rows = list.map(([name, n]) => [name, formatCount(n), shareCell(total > 0 ? n / total : null)]);
    tables.append(el("div", { class: "card scroll" }, table(title, [], rows)));
  }
  if (tables.childElementCount > 0) body.append(tables);
  return body.childElementCount > 0 ? root : null;
}
