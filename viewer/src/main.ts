// Puts the page together.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { bindKeys, Timeline } from "./cursor";
import { parseReport, type Report } from "./data";
import { el } from "./dom";
import { makeHeader } from "./header";
import { linkedPlots } from "./linked_plot";
import { orbitViews, type OrbitView } from "./orbit_view";
import { makePage, makePanels } from "./panels";
import { makeReadout } from "./readout";
import { sceneState, type SceneState } from "./scene";
import { sceneViews } from "./scene_view";
import { watchTheme } from "./theme";
import { xyPlots } from "./xy_plot";

declare global {
  interface Window {
    /** For tests and for the console. */
    bristle: {
      cursor(): number | null;
      setCursor(index: number | null): void;
      readonly plots: number;
      /** State of every linked plot: sample and time under its cursor, range in view. */
      linked(): { label: string; index: number | null; time: number | null; left: number; range: [number, number] }[];
      /** Place of the marker in every loop. */
      markers(): ([number, number] | null)[];
      /** The journal and the forces on it in every orbit. */
      orbits(): OrbitView["state"][];
      /** What the 3-D scene shows; null where there is none. */
      scene(): SceneState | null;
    };
  }
}

function show(report: Report, root: HTMLElement): void {
  document.title = `${report.title} – Bristle`;
  watchTheme(() => {
    linkedPlots.forEach(({ plot }) => plot.redraw(false));
    xyPlots.forEach(({ plot }) => plot.redraw(false));
    orbitViews.forEach((view) => view.redraw());
    sceneViews.forEach((view) => view.setColours());
  });
  const timeline = new Timeline(report.time, report.axis);
  const page = makePage(report, timeline);
  const sections = makePanels(page);
  root.append(makeHeader(report), makeReadout(report, timeline, page.channels, sections), el("main", {}, ...sections));
  bindKeys(timeline);
  expose(timeline);
}

function expose(timeline: Timeline): void {
  window.bristle = {
    cursor: () => timeline.index,
    setCursor: (index) => timeline.setIndex(index),
    get plots() {
      return linkedPlots.size + xyPlots.size;
    },
    linked: () =>
      [...linkedPlots].map(({ plot, host }) => {
        const index = plot.cursor.idx ?? null;
        return {
          label: host.getAttribute("aria-label") ?? "",
          index,
          time: index === null ? null : plot.data[0][index],
          left: plot.cursor.left ?? -10,
          range: [plot.scales.x.min as number, plot.scales.x.max as number],
        };
      }),
    markers: () => [...xyPlots].map((plot) => plot.markerValue),
    orbits: () => [...orbitViews].map((view) => view.state),
    scene: sceneState,
  };
}

function read(root: HTMLElement): Report | null {
  try {
    return parseReport(document.getElementById("bristle-data")?.textContent ?? "");
  } catch (error) {
    root.append(el("div", { class: "banner failed", role: "alert" }, (error as Error).message));
    return null;
  }
}

const root = document.getElementById("report") as HTMLElement;
const report = read(root);
if (report) show(report, root);
