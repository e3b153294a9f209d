// The parts of the page, in their order. A part is a function of what the page knows; null: the run has nothing for it.

import { makeClearance } from "./clearance";
import { findClearance, type ClearanceJoint } from "./clearance_data";
import type { Timeline } from "./cursor";
import type { Channel, Report } from "./data";
import { makeEnergy } from "./energy";
import { makeEvents } from "./events";
import { makeInput } from "./input";
import { makeLoops } from "./loops";
import { makeScene } from "./scene";
import { makeSolver } from "./solver";
import { makeTimePlots } from "./time_plots";

export interface Page {
  report: Report;
  /** The cursor and the zoomed window that all plots share. */
  timeline: Timeline;
  /** Channels by name. */
  channels: Map<string, Channel>;
  /** Joints with clearance. */
  worn: ClearanceJoint[];
}

export type Panel = (page: Page) => HTMLElement | null;

export const panels: Panel[] = [
  makeScene,
  makeClearance,
  makeTimePlots,
  makeLoops,
  makeEnergy,
  makeEvents,
  makeSolver,
  makeInput,
];

export function makePage(report: Report, timeline: Timeline): Page {
  const channels = new Map(report.channels.map((channel) => [channel.name, channel]));
  return { report, timeline, channels, worn: findClearance(report, channels) };
}

export function makePanels(page: Page, list: Panel[] = panels): HTMLElement[] {
  return list.map((make) => make(page)).filter((root): root is HTMLElement => root !== null);
}
