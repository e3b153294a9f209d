// The energy ledger: where the energy is, where it came from and where it went.

import type { Timeline } from "./cursor";
import type { Account, AccountKind, Energy, Values } from "./data";
import { el, section, table } from "./dom";
import { formatPercent, formatSI } from "./format";
import { makeLegend } from "./legend";
import { LinkedPlot, type Line } from "./linked_plot";
import type { Page } from "./panels";
import { extent, firstValue, lastValue } from "./series";

export function makeEnergy({ report, timeline }: Page): HTMLElement | null {
  const energy = report.energy;
  if (!energy || report.time.length === 0) return null;
  const { root, body } = section("energy", "Energy ledger", "kinetic + stored + dissipated − supplied + numerical = start value + residual");

  const parts: [string, Values][] = [
    ["kinetic", energy.kinetic], ["stored", energy.stored], ["dissipated", energy.dissipated],
    ["supplied", energy.supplied], ["numerical", energy.numerical],
  ];
  const lines = parts
    .map(([name, values], i): Line => ({ name, values, palette: i, dash: name === "numerical" ? [6, 4] : undefined }))
    .filter((line) => extent(line.values) !== null);
  const residual: Line[] = [{ name: "residual", values: energy.residual, palette: 5 }];

  body.append(makeCard(timeline, "Energy", lines, 240), makeCard(timeline, "Residual of the balance", residual, 110, judgement(energy)));
  if (energy.accounts.length > 0) body.append(el("div", { class: "card scroll" }, accountTable(energy.accounts, timeline)));
  return root;
}

function makeCard(timeline: Timeline, title: string, lines: Line[], height: number, note = ""): HTMLElement {
  const legend = makeLegend(timeline, lines, "J");
  const host = el("div", { class: "plot" });
  const plot = new LinkedPlot(host, timeline, { label: `${title} over time: ${lines.map((l) => l.name).join(", ")}`, lines, unit: "J", height });
  legend.attach(plot);
  const head = el("div", { class: "plot-head" }, el("h3", {}, title), legend.root, note && el("span", { class: "aside" }, note));
  return el("div", { class: "card" }, head, host);
}

// the residual next to the energy that was turned over
function judgement(energy: Energy): string {
  const largest = largestMagnitude(energy.residual);
  if (largest === null) return "";
  const turnover = Math.max(
    ...[energy.kinetic, energy.stored].map((values) => largestMagnitude(values) ?? 0),
    ...[energy.supplied, energy.dissipated].map((values) => Math.abs((lastValue(values) ?? 0) - (firstValue(values) ?? 0))),
  );
  const share = turnover > 0 ? `, ${formatPercent(largest / turnover)} of the largest entry` : "";
  return `largest ${formatSI(largest, "J", 3)}${share}`;
}

function largestMagnitude(values: Values): number | null {
  const range = extent(values);
  return range && Math.max(Math.abs(range[0]), Math.abs(range[1]));
}

function accountTable(accounts: Account[], timeline: Timeline): HTMLElement {
  const kinds: AccountKind[] = ["dissipated", "supplied", "stored"];
  const sorted = kinds.flatMap((kind) =>
    accounts.filter((a) => a.kind === kind).sort((a, b) => Math.abs(lastValue(b.values) ?? 0) - Math.abs(lastValue(a.values) ?? 0)),
  );
  // share of what all accounts of the kind moved, whatever the sign
  const totals = new Map(kinds.map((kind) => [kind, sum(sorted.filter((a) => a.kind === kind).map((a) => Math.abs(lastValue(a.values) ?? 0)))]));
  const atCursor = sorted.map(() => el("output", {}));
  const rows = sorted.map((account, i) => {
    const end = lastValue(account.values);
    const total = totals.get(account.kind) ?? 0;
    const share = end === null || total === 0 ? null : Math.abs(end) / total;
    return [account.name, account.kind, atCursor[i], formatSI(end, "J"), shareCell(share)];
  });
  const show = () =>
    sorted.forEach((account, i) => (atCursor[i].textContent = timeline.index === null ? "" : formatSI(account.values[timeline.index], "J")));
  timeline.onCursor(show);
  const result = table("Accounts", ["element", "kind", "at the cursor", "at the end", "share of its kind"], rows);
  result.classList.add("accounts");
  return result;
}

export function shareCell(share: number | null): HTMLElement {
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `width:${(100 * Math.min(1, share ?? 0)).toFixed(1)}%` }));
  return el("span", { class: "share" }, bar, el("span", { class: "percent" }, formatPercent(share)));
}

function sum(values: number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
