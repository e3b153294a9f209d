// What happened when; a click takes the cursor there.

import { el, section } from "./dom";
import { formatCount } from "./format";
import type { Page } from "./panels";

const mostRows = 2000;

export function makeEvents({ report, timeline }: Page): HTMLElement | null {
  if (report.events.length === 0) return null;
  const { root, body } = section("events", "Events", `${formatCount(report.events.length)} in all; click a time to move the cursor there.`);

  const filter = el("input", { type: "search", placeholder: "Filter events", "aria-label": "Filter events" });
  const tbody = el("tbody");
  const note = el("p", { class: "note" });
  let rows: { t: number; row: HTMLTableRowElement }[] = [];

  const fill = () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    const found = report.events.filter((e) => words.every((word) => `${e.element} ${e.what}`.toLowerCase().includes(word)));
    rows = found.slice(0, mostRows).map((event) => {
      const button = el("button", { type: "button", class: "link" }, timeline.label(event.t, timeline.spacing / 10));
      const row = el("tr", {}, el("td", {}, button), el("td", {}, event.element), el("td", {}, event.what));
      row.addEventListener("click", () => timeline.setTime(event.t));
      return { t: event.t, row };
    });
    tbody.replaceChildren(...rows.map(({ row }) => row));
    note.textContent = found.length > mostRows ? `The first ${formatCount(mostRows)} of ${formatCount(found.length)} are listed.` : "";
    note.hidden = note.textContent === "";
    mark();
  };

  // the last event up to the cursor is the one that made the present state
  const mark = () => {
    const i = timeline.index;
    const t = i === null ? -Infinity : timeline.time[i] + timeline.spacing / 2;
    let current = -1;
    rows.forEach(({ t: at }, k) => {
      if (at <= t && (current < 0 || at >= rows[current].t)) current = k;
    });
    rows.forEach(({ row }, k) => row.classList.toggle("current", k === current));
  };

  filter.addEventListener("input", fill);
  timeline.onCursor(mark);
  fill();
  const head = el("thead", {}, el("tr", {}, ...["time", "element", "what"].map((h) => el("th", { scope: "col" }, h))));
  const list = el("table", { class: "events" }, el("caption", { class: "hidden" }, "Events"), head, tbody);
  body.append(el("div", { class: "card" }, filter, el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "List of events" }, list), note));
  return root;
}
