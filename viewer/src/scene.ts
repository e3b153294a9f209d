// The section with the 3-D scene and what it is led by.

import type { Timeline } from "./cursor";
import { el, section } from "./dom";
import { formatSI } from "./format";
import { modeLegend } from "./mode_band";
import type { Page } from "./panels";
import { Player } from "./player";
import { wholeOf, type Vec3 } from "./scene_data";
import { speeds, suitableSpeed } from "./scene_math";
import { SceneView, type JointChannels } from "./scene_view";

export interface SceneState {
  /** False: this browser cannot draw it. */
  drawn: boolean;
  time: number;
  playing: boolean;
  bodies: Record<string, Vec3>;
  /** Lengths of the force arrows [m]. */
  arrows: Record<string, number>;
  /** The same for the forces of contact in joints with clearance. */
  contacts: Record<string, number>;
  modes: Record<string, number | null>;
}

let shown: (() => SceneState) | null = null;

/** What the scene of this page shows; null where there is none. */
export function sceneState(): SceneState | null {
  return shown && shown();
}

const longestTick = 0.1; // [s] a page that was asleep does not jump

export function makeScene({ report, timeline, channels, worn }: Page): HTMLElement | null {
  const scene = report.scene;
  if (!scene) return null;
  const { root, body } = section("scene", "Scene", "Drag to turn, right-drag to move, click and scroll to zoom.");

  const canvas = el("canvas", { class: "view", tabindex: "0", role: "img", "aria-label": "Animated 3-D view of the model" });
  // asked for here: the library complains in the console where there is none
  const context = canvas.getContext("webgl2", { antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (!context) {
    body.append(el("p", { class: "card note" }, "The 3-D scene needs WebGL 2, which this browser does not offer or has switched off. Everything else on this page works without it."));
    const nothing: SceneState = { drawn: false, time: NaN, playing: false, bodies: {}, arrows: {}, contacts: {}, modes: {} };
    shown = () => nothing;
    return root;
  }

  const values = (name: string) => channels.get(name)?.values ?? null;
  const jointChannels = scene.joints.map((joint): JointChannels => {
    const force = ["x", "y", "z"].map((axis) => values(`${joint.name}.force.${axis}`));
    const own = worn.find((w) => w.joint === joint) ?? null;
    return { force: force.includes(null) ? null : (force as JointChannels["force"]), mode: own?.mode ?? values(`${joint.name}.mode`), worn: own };
  });
  const hasForces = jointChannels.some(({ force, worn }) => force !== null || worn !== null);
  const hasModes = jointChannels.some(({ mode }) => mode !== null);

  const view = new SceneView(canvas, context, scene, report.time, jointChannels);
  const player = new Player(timeline);
  const labels = makeLabels(view, scene.bodies, scene.joints.map(({ name }) => name));
  const scale = el("span", { class: "scale" }, `grid ${formatSI(view.grid.step, "m", 1)}`);
  const stage = el("div", { class: "stage" }, canvas, labels.root, el("div", { class: "corner" }, hasModes && modeLegend(), scale));
  const card = el("div", { class: "card scene" }, stage, makeTransport(player, timeline), makeOptions(view, labels, hasForces));
  const holder = el("div", { class: "scene-holder" }, card);
  body.append(holder);
  (root.querySelector(".head") as HTMLElement).append(keepInView(holder, card));

  new ResizeObserver(() => {
    if (stage.clientWidth > 0 && stage.clientHeight > 0) view.resize(stage.clientWidth, stage.clientHeight);
  }).observe(stage);
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    player.toggle();
  });
  player.onChange(() => view.setTime(player.time));
  view.onDrawn = labels.place;
  view.setTime(player.time);

  shown = () => ({ drawn: true, time: view.time, playing: player.playing, ...view.state() });
  return root;
}

function button(text: string, title: string, click: () => void): HTMLButtonElement {
  const made = el("button", { type: "button", title }, text);
  made.addEventListener("click", click);
  return made;
}

function checkbox(text: string, title: string, checked: boolean, changed: (on: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => changed(box.checked));
  return el("label", { class: "switch", title }, box, text);
}

/** Play, scrub, speed. */
function makeTransport(player: Player, timeline: Timeline): HTMLElement {
  const play = button("▶", "Play or pause (space)", () => player.toggle());
  play.classList.add("play");
  const scrub = el("input", { type: "range", min: "0", max: "1", step: "any", "aria-label": "Time of the scene" });
  scrub.addEventListener("input", () => {
    const [from, to] = timeline.visible;
    player.setTime(from + Number(scrub.value) * (to - from));
  });
  const time = el("output", { class: "time", "aria-label": "Time shown in the scene" });

  const speed = el("select", { "aria-label": "Speed", title: "Seconds of the run in a second" }, ...speeds.map((s) => el("option", { value: String(s) }, `${s}×`)));
  const setSpeed = () => (player.speed = Number(speed.value));
  speed.value = String(suitableSpeed(timeline.full));
  speed.addEventListener("change", setSpeed);
  setSpeed();

  let last = 0;
  const tick = (now: number) => {
    if (!player.playing) return;
    const passed = Math.min(longestTick, (now - last) / 1000);
    last = now;
    player.advance(passed);
    if (player.playing) requestAnimationFrame(tick);
  };
  let running = false;
  const show = () => {
    const [from, to] = timeline.visible;
    scrub.value = String((player.time - from) / (to - from));
    time.textContent = timeline.position(player.time);
    scrub.setAttribute("aria-valuetext", time.textContent);
    play.textContent = player.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    if (player.playing && !running) {
      last = performance.now();
      requestAnimationFrame(tick);
    }
    running = player.playing;
  };
  player.onChange(show);
  timeline.onWindow(show);
  show();
  play.disabled = scrub.disabled = timeline.time.length < 2;
  return el("div", { class: "transport" }, play, scrub, time, speed, checkbox("loop", "Begin again at the end", true, (on) => (player.loop = on)));
}

/** What is shown, and from where. */
function makeOptions(view: SceneView, labels: Labels, hasForces: boolean): HTMLElement {
  const layers = { trails: view.bodyPlaces().length <= 12, forces: true, joints: true, grid: true };
  const layer = (name: keyof typeof layers, title: string) =>
    checkbox(name, title, layers[name], (on) => {
      layers[name] = on;
      view.setLayers({ ...layers });
    });
  view.setLayers({ ...layers });

  // one tenth to ten times the length that suits the model
  const slider = el("input", { type: "range", min: "-1", max: "1", step: "0.02", value: "0", "aria-label": "Length of the force arrows" });
  const length = el("span", { class: "scale" });
  const stretch = () => {
    view.setForceFactor(10 ** Number(slider.value));
    // as many newtons as an arrow over two fields of the grid
    const newtons = (2 * view.grid.step) / (view.forceScale * view.forceFactor);
    length.textContent = Number.isFinite(newtons) ? `${formatSI(2 * view.grid.step, "m", 1)} ≙ ${formatSI(newtons, "N", 2)}` : "";
  };
  slider.addEventListener("input", stretch);
  slider.addEventListener("dblclick", () => {
    slider.value = "0";
    stretch();
  });
  stretch();

  const views: [string, string, Vec3 | undefined][] = [
    ["Fit", "The whole model, from its best side", undefined],
    ["Corner", "From a corner", [0.8, -1, 0.6]],
    ["x", "Along the x axis", [1, 0, 0]],
    ["y", "Along the y axis", [0, -1, 0]],
    ["z", "From above", [0, -1e-4, 1]],
  ];
  return el(
    "div",
    { class: "options" },
    el(
      "div",
      { class: "group" },
      layer("trails", "Ways of the centres of mass"),
      layer("joints", "Signs of the joints"),
      layer("grid", "Ground grid"),
      checkbox("names", "Names of bodies and joints", false, labels.show),
    ),
    hasForces && el("div", { class: "group" }, layer("forces", "Forces at the joints, on their second body"), slider, length),
    el("div", { class: "group views", role: "group", "aria-label": "View" }, ...views.map(([text, title, from]) => button(text, title, () => view.look(from)))),
  );
}

interface Labels {
  root: HTMLElement;
  show(on: boolean): void;
  place(): void;
}

/** Names beside bodies and joints. */
function makeLabels(view: SceneView, bodies: { name: string; kind: string }[], joints: string[]): Labels {
  const root = el("div", { class: "labels", "aria-hidden": "true" });
  root.hidden = true;
  // a thing of many nodes has its name once, in its middle
  const parts = new Map<string, string[]>();
  for (const { name } of bodies) {
    const known = parts.get(wholeOf(name));
    if (known) known.push(name);
    else parts.set(wholeOf(name), [name]);
  }
  const middle = (name: string) => {
    const all = parts.get(wholeOf(name)) ?? [];
    return all[Math.floor(all.length / 2)] === name;
  };
  const labelOf = ({ name, kind }: { name: string; kind: string }) => (kind === "ground" || !middle(name) ? "" : wholeOf(name));
  const ofBodies = bodies.map((body) => el("span", { class: "label body" }, labelOf(body)));
  const ofJoints = joints.map((name) => el("span", { class: "label" }, name));
  root.append(...ofBodies, ...ofJoints);
  const place = () => {
    if (root.hidden) return;
    const put = (label: HTMLElement, at: Vec3 | null) => {
      const where = at && label.textContent ? view.project(at) : null;
      label.hidden = where === null;
      if (where) label.style.transform = `translate(${where[0].toFixed(1)}px, ${where[1].toFixed(1)}px)`;
    };
    view.bodyPlaces().forEach((at, i) => put(ofBodies[i], at));
    view.jointPlaces().forEach((at, i) => put(ofJoints[i], at));
  };
  return {
    root,
    place,
    show(on) {
      root.hidden = !on;
      view.invalidate();
    },
  };
}

/** The scene as a small window over the page, for reading the plots beside it. */
function keepInView(holder: HTMLElement, card: HTMLElement): HTMLElement {
  const made = button("Keep in view", "Show the scene in a corner of the window while scrolling", () => {
    const floating = !card.classList.contains("floating");
    // the page does not move when the scene leaves it
    holder.style.height = floating ? `${holder.clientHeight}px` : "";
    card.classList.toggle("floating", floating);
    made.setAttribute("aria-pressed", String(floating));
    made.textContent = floating ? "Put back" : "Keep in view";
  });
  made.setAttribute("aria-pressed", "false");
  return made;
}
