// Puts the page together.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { makeClearance } from "./clearance";
import { findClearance } from "./clearance_data";
import { bindKeys, Timeline } from "./cursor";
import { parseReport, type Report } from "./data";
import { el } from "./dom";
import { makeEnergy } from "./energy";
import { makeEvents } from "./events";
import { makeHeader } from "./header";
import { makeInput } from "./input";
import { linkedPlots } from "./linked_plot";
import { makeLoops } from "./loops";
import { orbitViews, type OrbitView } from "./orbit_view";
import { makeReadout } from "./readout";
import { makeScene, type SceneState } from "./scene";
import { sceneViews } from "./scene_view";
import { makeSolver } from "./solver";
import { watchTheme } from "./theme";
import { makeTimePlots } from "./time_plots";
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
  const channels = new Map(report.channels.map((channel) => [channel.name, channel]));

  const worn = findClearance(report, channels);
  const shownThere = new Set(worn.flatMap(({ points }) => points.map(({ place }) => place.name)));
  const scene = makeScene(report, timeline, channels, worn);
  const sections = [
    scene?.root ?? null,
    makeClearance(report, timeline, channels, worn),
    makeTimePlots(report, timeline, channels),
    makeLoops(report.places.filter(({ name }) => !shownThere.has(name)), timeline, channels),
    makeEnergy(report, timeline),
    makeEvents(report, timeline),
    makeSolver(report, timeline),
    makeInput(report),
  ].filter((section): section is HTMLElement => section !== null);

  root.append(makeHeader(report), makeReadout(report, timeline, channels, sections), el("main", {}, ...sections));
  bindKeys(timeline);
  expose(timeline, () => scene?.state() ?? null);
}

function expose(timeline: Timeline, scene: () => SceneState | null): void {
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
    scene,
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
