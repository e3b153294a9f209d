// What a report contains (format 1), and reading it from the text in the page.

import { isObject, list, number, objects, text, texts, type Loose } from "./loose";
import { readScene, type Scene } from "./scene_data";

export type Values = (number | null)[];

export interface Channel {
  name: string;
  element: string;
  quantity: string;
  unit: string;
  text: string;
  values: Values;
}

/** A place where friction acts; slip, friction_force, travel and mode are names of channels. */
export interface Place {
  name: string;
  law: string;
  components: number;
  slip: string[];
  friction_force: string[];
  travel: string[];
  mode: string;
}

export type AccountKind = "dissipated" | "supplied" | "stored";

export interface Account {
  name: string;
  kind: AccountKind;
  values: Values;
}

export interface Energy {
  kinetic: Values;
  stored: Values;
  supplied: Values;
  dissipated: Values;
  numerical: Values;
  residual: Values;
  accounts: Account[];
}

export interface ReportEvent {
  t: number;
  element: string;
  what: string;
}

export interface Solver {
  integrator: string;
  counts: [string, number][];
  time: number[];
  step: Values;
  reasons: [string, number][];
}

/** What the samples go along. */
export interface Axis {
  name: string;
  unit: string;
}

export type Status = "finished" | "interrupted" | "failed" | "untrusted";

export interface Report {
  title: string;
  program: string;
  command: string;
  created: string;
  input: string;
  summary: [string, string][];
  status: Status;
  message: string;
  axis: Axis;
  time: number[];
  channels: Channel[];
  places: Place[];
  energy: Energy | null;
  events: ReportEvent[];
  solver: Solver | null;
  scene: Scene | null;
  /** What was wrong with the data, in sentences; the rest is shown all the same. */
  warnings: string[];
}

export const timeInSeconds: Axis = { name: "time", unit: "s" };

export const modeNames = ["stick", "slip", "open"] as const;

/** Reads the text of the data slot; throws an Error with a sentence for the reader when there is nothing to show. */
export function parseReport(source: string): Report {
  let raw: unknown;
  try {
    raw = JSON.parse(source);
  } catch (error) {
    throw new Error(`The data of this report cannot be read: ${(error as Error).message}`);
  }
  if (typeof raw === "string") throw new Error("This is the empty report template; the program fills in the data of a run.");
  if (!isObject(raw)) throw new Error("The data of this report is not an object.");
  if (raw.format !== 1) throw new Error(`The data of this report has format ${text(raw.format, "(none)")}; this page reads format 1.`);

  const warnings: string[] = [];
  const time = list(raw.time).map((t) => number(t) ?? NaN);
  if (time.some((t, i) => Number.isNaN(t) || (i > 0 && t < time[i - 1]))) warnings.push("The sample times are not ascending numbers.");

  // a series of another length than the times is shown as far as it goes
  const series = (x: unknown, name: string, length = time.length): Values => {
    const values = list(x);
    if (values.length !== length) warnings.push(`'${name}' has ${values.length} values for ${length} sample times.`);
    return Array.from({ length }, (_, i) => number(values[i]));
  };

  const status = text(raw.status, "finished");
  return {
    title: text(raw.title) || "Untitled run",
    program: text(raw.program),
    command: text(raw.command),
    created: text(raw.created),
    input: text(raw.input),
    summary: pairs(raw.summary).map(([name, value]) => [name, text(value)]),
    status: status === "failed" || status === "interrupted" || status === "untrusted" ? status : "finished",
    message: text(raw.message),
    axis: isObject(raw.axis) ? { name: text(raw.axis.name, "time"), unit: text(raw.axis.unit) } : timeInSeconds,
    time,
    channels: objects(raw.channels).map((c) => readChannel(c, series)),
    places: objects(raw.places).map(readPlace),
    energy: isObject(raw.energy) ? readEnergy(raw.energy, series) : null,
    events: objects(raw.events)
      .filter((e) => number(e.t) !== null)
      .map((e) => ({ t: e.t as number, element: text(e.element), what: text(e.what) })),
    solver: isObject(raw.solver) ? readSolver(raw.solver, series) : null,
    scene: isObject(raw.scene) ? readScene(raw.scene, warnings) : null,
    warnings,
  };
}

type ReadSeries = (x: unknown, name: string, length?: number) => Values;

function pairs(x: unknown): [string, unknown][] {
  return list(x).filter((p): p is unknown[] => Array.isArray(p) && p.length >= 2).map((p) => [text(p[0]), p[1]]);
}

function counts(x: unknown): [string, number][] {
  return pairs(x).map(([name, value]) => [name, number(value) ?? 0]);
}

function readChannel(c: Loose, series: ReadSeries): Channel {
  const name = text(c.name);
  const dot = name.indexOf(".");
  return {
    name,
    element: text(c.element, dot > 0 ? name.slice(0, dot) : ""),
    quantity: text(c.quantity, dot > 0 ? name.slice(dot + 1) : name),
    unit: text(c.unit),
    text: text(c.text),
    values: series(c.values, name),
  };
}

function readPlace(p: Loose): Place {
  const slip = texts(p.slip);
  return {
    name: text(p.name),
    law: text(p.law),
    components: number(p.components) ?? slip.length,
    slip,
    friction_force: texts(p.friction_force),
    travel: texts(p.travel),
    mode: text(p.mode),
  };
}

function readEnergy(e: Loose, series: ReadSeries): Energy | null {
  const parts = ["kinetic", "stored", "supplied", "dissipated", "numerical", "residual"] as const;
  if (!parts.some((part) => list(e[part]).length > 0)) return null;
  const read = (part: string): Values => series(e[part], `energy.${part}`);
  const kinds: AccountKind[] = ["dissipated", "supplied", "stored"];
  return {
    kinetic: read("kinetic"),
    stored: read("stored"),
    supplied: read("supplied"),
    dissipated: read("dissipated"),
    numerical: read("numerical"),
    residual: read("residual"),
    accounts: objects(e.accounts)
      .filter((a) => kinds.includes(a.kind as AccountKind))
      .map((a) => ({ name: text(a.name), kind: a.kind as AccountKind, values: series(a.values, `account ${text(a.name)}`) })),
  };
}

function readSolver(s: Loose, series: ReadSeries): Solver {
  const time = list(s.time).map((t) => number(t) ?? NaN);
  return {
    integrator: text(s.integrator),
    counts: counts(s.counts),
    time,
    step: series(s.step, "solver.step", time.length),
    reasons: counts(s.reasons),
  };
}
