// Names, colours and cursor values of the lines of a plot; a click hides or shows a line.

import type { Timeline } from "./cursor";
import { el } from "./dom";
import { formatSI } from "./format";
import type { Line, LinkedPlot } from "./linked_plot";
import { seriesVariable } from "./theme";

export interface Legend {
  root: HTMLElement;
  attach(plot: LinkedPlot): void;
  destroy(): void;
}

export function makeLegend(timeline: Timeline, lines: Line[], unit: string, hints: string[] = []): Legend {
  const root = el("div", { class: "legend" });
  const outputs = lines.map(() => el("output", { class: "value" }));
  const buttons = lines.map((line, i) => {
    const swatch = el("span", { class: "swatch", style: `background:${seriesVariable(line.palette)}` });
    const button = el("button", { type: "button", "aria-pressed": "true", title: hints[i] || line.name }, swatch, line.name);
    root.append(el("span", { class: "entry" }, button, outputs[i]));
    return button;
  });

  const show = () =>
    lines.forEach((line, i) => (outputs[i].textContent = timeline.index === null ? "" : formatSI(line.values[timeline.index], unit)));
  show();

  return {
    root,
    attach(plot) {
      buttons.forEach((button, i) =>
        button.addEventListener("click", () => {
          const shown = !plot.plot.series[i + 1].show;
          plot.plot.setSeries(i + 1, { show: shown });
          button.setAttribute("aria-pressed", String(shown));
        }),
      );
    },
    destroy: timeline.onCursor(show),
  };
}
