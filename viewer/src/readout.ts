// The bar that stays in view: links to the sections, time and states at the cursor, zoom.

import type { Timeline } from "./cursor";
import { modeNames, type Channel, type Report } from "./data";
import { el } from "./dom";
import { formatCount } from "./format";

const mostChips = 4;

export function makeReadout(report: Report, timeline: Timeline, channels: Map<string, Channel>, sections: HTMLElement[]): HTMLElement {
  const links = sections.map((section) => el("a", { href: `#${section.id}` }, section.querySelector("h2")?.textContent ?? section.id));
  const bar = el("nav", { class: "bar-top", "aria-label": "Sections and cursor" }, el("div", { class: "links" }, ...links));
  if (timeline.time.length === 0) return bar;

  const time = el("output", { class: "time", "aria-label": "Time at the cursor" });
  const sample = el("span", { class: "sample" });
  const states = report.places.flatMap((place) => {
    const mode = channels.get(place.mode);
    return mode ? [{ place, mode }] : [];
  });
  const chips = el("span", { class: "chips" });
  const zoom = el("span", { class: "zoom" });
  const reset = el("button", { type: "button", title: "Show the whole run (double-click or Escape)" }, "Whole run");
  reset.addEventListener("click", () => timeline.setWindow(null));

  const showCursor = () => {
    const i = timeline.index;
    time.textContent = i === null ? "no cursor" : timeline.position(timeline.time[i]);
    sample.textContent = i === null ? "point at a plot or press →" : `sample ${formatCount(i + 1)} of ${formatCount(timeline.time.length)}`;
    const chip = (mode: string, text: string) => el("span", { class: `chip mode-${mode}`, title: text }, text);
    const now = states.map(({ place, mode }) => ({ name: place.name, mode: modeNames[(i === null ? null : mode.values[i]) ?? -1] }));
    // a few places by name, many by number
    chips.replaceChildren(
      ...(states.length <= mostChips
        ? now.filter(({ mode }) => mode !== undefined).map(({ name, mode }) => chip(mode, `${name} ${mode}`))
        : modeNames.flatMap((mode) => {
            const count = now.filter((place) => place.mode === mode).length;
            return count > 0 ? [chip(mode, `${count} ${mode}`)] : [];
          })),
    );
  };
  const showWindow = () => {
    const [from, to] = timeline.visible;
    reset.hidden = zoom.hidden = !timeline.zoomed;
    zoom.textContent = `${timeline.label(from, (to - from) / 100)} … ${timeline.label(to, (to - from) / 100)}`;
  };
  timeline.onCursor(showCursor);
  timeline.onWindow(showWindow);
  showCursor();
  showWindow();
  bar.append(el("div", { class: "readout" }, zoom, reset, chips, sample, time));
  return bar;
}
