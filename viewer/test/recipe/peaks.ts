// The largest value of every channel, and when.

import { el, section, table } from "../../src/dom";
import { formatSI } from "../../src/format";
import type { Page } from "../../src/panels";
import type { Values } from "../../src/data";

/** Index of the value that is farthest from zero; null when all are missing. */
export function peakOf(values: Values): number | null {
  let found: number | null = null;
  values.forEach((value, i) => {
    if (value !== null && (found === null || Math.abs(value) > Math.abs(values[found] as number))) found = i;
  });
  return found;
}

export function makePeaks({ report, timeline }: Page): HTMLElement | null {
  const rows = report.channels.flatMap(({ name, unit, values }) => {
    const i = peakOf(values);
    return i === null ? [] : [[name, formatSI(values[i], unit), timeline.position(report.time[i])]];
  });
  if (rows.length === 0) return null;
  const { root, body } = section("peaks", "Largest values");
  body.append(el("div", { class: "card scroll" }, table("Largest values", ["channel", "value", "when"], rows)));
  return root;
}
