// The list beside the time plots in which channels are switched on and off.

import { matches, type Grouping } from "./channels";
import type { Channel } from "./data";
import { el } from "./dom";

export interface ChannelList {
  root: HTMLElement;
  chosen(): Channel[];
  grouping(): Grouping;
}

export function makeChannelList(channels: Channel[], initial: Set<string>, changed: () => void): ChannelList {
  const boxes = channels.map((channel) => {
    const box = el("input", { type: "checkbox", "data-channel": channel.name });
    box.checked = initial.has(channel.name);
    return box;
  });

  // one foldable list for each element; those with something shown are open
  const elements = [...new Set(channels.map((c) => c.element))];
  const items = channels.map((channel, i) =>
    el("label", { title: channel.text || channel.name }, boxes[i], el("span", { class: "name" }, channel.quantity), el("span", { class: "unit" }, channel.unit)),
  );
  const folds = elements.map((element) => {
    const own = channels.flatMap((c, i) => (c.element === element ? [i] : []));
    const fold = el("details", {}, el("summary", {}, element || "other"), ...own.map((i) => items[i]));
    fold.open = elements.length <= 3 || own.some((i) => boxes[i].checked);
    return { fold, own };
  });

  const filter = el("input", { type: "search", placeholder: "Filter channels", "aria-label": "Filter channels" });
  const grouping = el(
    "select",
    { "aria-label": "One plot per" },
    el("option", { value: "element" }, "element + unit"),
    el("option", { value: "unit" }, "unit"),
    el("option", { value: "channel" }, "channel"),
  );

  filter.addEventListener("input", () => {
    channels.forEach((channel, i) => (items[i].hidden = !matches(channel, filter.value)));
    for (const { fold, own } of folds) {
      fold.hidden = own.every((i) => items[i].hidden);
      if (filter.value) fold.open = true;
    }
  });
  grouping.addEventListener("change", changed);
  boxes.forEach((box) => box.addEventListener("change", changed));

  // the buttons act on what the filter leaves
  const button = (text: string, title: string, choose: (i: number) => boolean) => {
    const b = el("button", { type: "button", title }, text);
    b.addEventListener("click", () => {
      boxes.forEach((box, i) => items[i].hidden || (box.checked = choose(i)));
      changed();
    });
    return b;
  };

  const root = el(
    "aside",
    { class: "channels card", "aria-label": "Channels" },
    filter,
    el(
      "div",
      { class: "buttons" },
      button("All", "Show all channels in the list", () => true),
      button("None", "Hide all channels in the list", () => false),
      button("Initial", "Back to the first choice", (i) => initial.has(channels[i].name)),
    ),
    el("div", { class: "list", tabindex: "0", role: "group", "aria-label": "Channels shown" }, ...folds.map(({ fold }) => fold)),
    el("label", { class: "grouping" }, "One plot per", grouping),
  );
  return {
    root,
    chosen: () => channels.filter((_, i) => boxes[i].checked),
    grouping: () => grouping.value as Grouping,
  };
}
