// Title, outcome and summary of the run.

import type { Report } from "./data";
import { el } from "./dom";

export function makeHeader(report: Report): HTMLElement {
  const badge = el("span", { class: `badge ${report.status}` }, report.status === "untrusted" ? "not trusted" : report.status);
  const facts = [report.program, report.created.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ")].filter(Boolean).join("  ·  ");
  const root = el(
    "header",
    {},
    el("div", { class: "title" }, el("h1", {}, report.title), badge),
    facts && el("p", { class: "facts" }, facts),
    report.command && el("p", { class: "command" }, el("code", {}, report.command)),
  );
  if (report.status !== "finished" || report.message) {
    const text = report.message || (report.status === "failed" ? "The run failed." : "The run was interrupted; what was recorded until then is shown.");
    root.append(el("div", { class: `banner ${report.status}`, role: report.status === "finished" ? "note" : "alert" }, text));
  }
  for (const warning of report.warnings.slice(0, 5)) root.append(el("div", { class: "banner warning", role: "note" }, warning));
  if (report.summary.length > 0) {
    const entries = report.summary.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    root.append(el("dl", { class: "summary", "aria-label": "Summary" }, ...entries));
  }
  return root;
}
