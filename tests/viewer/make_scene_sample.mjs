// A sample report with a 3-D scene: a slider-crank in the x-z plane with a flywheel, whose slider sticks and slips, and a ball that
// swings from the ground on a spherical joint. The motion is prescribed; forces are those of the masses, so that they look right.
//
//   node tests/viewer/make_scene_sample.mjs [report.html]     uses viewer/dist/report.html as template

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fillTemplate, templatePath } from "./make_sample.mjs";

const crank = 0.1, rod = 0.3; // [m]
const rate = 2 * Math.PI * 0.8; // [rad/s]
const level = 0.25; // height of the crank shaft
const pendulum = { at: [-0.22, 0.14, 0.42], length: 0.3 };

const half = Math.SQRT1_2;
const alongY = [half, -half, 0, 0]; // turns z to y
const alongX = [half, 0, half, 0]; // turns z to x
/** Rotation about y that takes x to the direction (cos a, 0, sin a). */
const aboutY = (a) => [Math.cos(a / 2), 0, -Math.sin(a / 2), 0];
const box = (size, position, rotation = [1, 0, 0, 0]) => ({ kind: "box", size, position, rotation });
const cylinder = (radius, length, position, rotation = [1, 0, 0, 0]) => ({ kind: "cylinder", radius, length, position, rotation });

// angle of the crank; it stands still for a moment at the end of each second turn
function angle(t) {
  return rate * t - 0.75 * Math.sin(rate * t);
}

export function placesAt(t) {
  const a = angle(t);
  const pin = [crank * Math.cos(a), 0, level + crank * Math.sin(a)];
  const b = Math.asin((crank * Math.sin(a)) / rod); // rod below the horizontal
  const slider = [pin[0] + rod * Math.cos(b), 0, level];
  const swing = 0.5 * Math.exp(-0.05 * t) * Math.cos(5.7 * t);
  const turn = 0.6 * t;
  const down = [Math.sin(swing) * Math.cos(turn), Math.sin(swing) * Math.sin(turn), -Math.cos(swing)];
  const axis = [-Math.sin(turn), Math.cos(turn), 0]; // the body turns about it by -swing
  return {
    crank: [pin[0] / 2, 0, level + (pin[2] - level) / 2, ...aboutY(a)],
    rod: [(pin[0] + slider[0]) / 2, 0, (pin[2] + slider[2]) / 2, ...aboutY(-b)],
    slider: [...slider, 1, 0, 0, 0],
    ball: [...pendulum.at.map((x, k) => x + pendulum.length * down[k]), Math.cos(swing / 2), ...axis.map((x) => -Math.sin(swing / 2) * x)],
    pin,
    sliderAt: slider[0],
  };
}

const bodies = [
  {
    name: "ground",
    kind: "ground",
    shapes: [
      { kind: "tube", outer_radius: 0.05, inner_radius: 0.022, length: 0.04, position: [0, 0.075, level], rotation: alongY },
      box([0.06, 0.04, level - 0.05], [0, 0.075, (level - 0.05) / 2]),
      box([0.36, 0.11, 0.02], [0.31, 0, level - 0.045]),
      box([0.34, 0.08, level - 0.055], [0.31, 0, (level - 0.055) / 2]),
    ],
  },
  {
    name: "crank",
    kind: "rigid",
    shapes: [
      box([crank, 0.03, 0.022], [0, 0, 0]),
      cylinder(0.022, 0.15, [-crank / 2, 0.04, 0], alongY),
      cylinder(0.13, 0.03, [-crank / 2, 0.125, 0], alongY),
      cylinder(0.016, 0.06, [crank / 2, -0.015, 0], alongY),
    ],
  },
  { name: "rod", kind: "rigid", shapes: [] },
  {
    name: "slider",
    kind: "rigid",
    shapes: [
      box([0.08, 0.07, 0.07], [0, 0, 0]),
      {
        kind: "mesh",
        points: [0.04, -0.035, -0.035, 0.04, 0.035, -0.035, 0.04, 0.035, 0.035, 0.04, -0.035, 0.035, 0.1, 0, 0],
        triangles: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
        position: [0, 0, 0],
        rotation: [1, 0, 0, 0],
      },
    ],
  },
  { name: "ball", kind: "rigid", shapes: [{ kind: "sphere", radius: 0.045, position: [0, 0, 0], rotation: [1, 0, 0, 0] }, cylinder(0.005, pendulum.length, [0, 0, pendulum.length / 2])] },
];

const joints = [
  { name: "main", type: "revolute", bodies: ["ground", "crank"], frames: [[0, 0, level, ...alongY], [-crank / 2, 0, 0, ...alongY]] },
  { name: "pin", type: "revolute", bodies: ["crank", "rod"], frames: [[crank / 2, 0, 0, ...alongY], [-rod / 2, 0, 0, ...alongY]] },
  { name: "wrist", type: "spherical", bodies: ["rod", "slider"], frames: [[rod / 2, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]] },
  { name: "guide", type: "prismatic", bodies: ["slider", "ground"], frames: [[0, 0, -0.035, ...alongX], [0.3, 0, level - 0.035, ...alongX]] },
  { name: "hook", type: "spherical", bodies: ["ground", "ball"], frames: [[...pendulum.at, 1, 0, 0, 0], [0, 0, pendulum.length, 1, 0, 0, 0]] },
];

export function makeSceneSample({ end = 5, every = 0.005, frames = 801 } = {}) {
  const round = (x) => Number(x.toPrecision(7));
  const time = Array.from({ length: Math.round(end / every) + 1 }, (_, i) => Number((i * every).toFixed(9)));
  const t = Array.from({ length: frames }, (_, i) => (end * i) / (frames - 1));
  const poses = Object.fromEntries(bodies.filter(({ kind }) => kind !== "ground").map(({ name }) => [name, t.flatMap((x) => placesAt(x)[name].map(round))]));

  const columns = {};
  const put = (name, value) => (columns[name] ??= []).push(round(value));
  for (const x of time) {
    const h = 1e-4;
    const [before, now, after] = [x - h, x, x + h].map((s) => placesAt(s).sliderAt);
    const velocity = (after - before) / (2 * h);
    const acceleration = (after - 2 * now + before) / (h * h);
    const push = 2 * acceleration + 4 * Math.tanh(velocity / 0.02); // [N] on the slider of 2 kg
    put("slider.position", now);
    put("slider.velocity", velocity);
    for (const [joint, along] of [["pin", -1], ["wrist", 1]]) {
      put(`${joint}.force.x`, along * push);
      put(`${joint}.force.y`, 0);
      put(`${joint}.force.z`, along * 0.25 * push);
    }
    put("guide.slip", velocity);
    put("guide.friction_force", 4 * Math.tanh(velocity / 0.02));
    put("guide.mode", Math.abs(velocity) < 0.03 ? 0 : 1);
  }
  const units = { position: "m", velocity: "m/s", slip: "m/s", friction_force: "N", mode: "" };
  const channels = Object.entries(columns).map(([name, values]) => {
    const dot = name.indexOf(".");
    const quantity = name.slice(dot + 1);
    return { name, element: name.slice(0, dot), quantity, unit: units[quantity] ?? "N", text: quantity.replaceAll("_", " "), values };
  });
  return {
    format: 1,
    title: "Slider-crank with a dry guide",
    program: "bristle 0.1.0",
    command: "bristle run slider_crank.yaml --out slider_crank",
    created: "2026-01-15T09:30:00",
    input: "bristle: 1\ntitle: Slider-crank with a dry guide\n",
    summary: [["simulated time", `${end} s`], ["bodies", "4"], ["joints", "5"]],
    status: "finished",
    message: "",
    time,
    channels,
    places: [{ name: "guide", law: "coulomb", components: 1, slip: ["guide.slip"], friction_force: ["guide.friction_force"], travel: [], mode: "guide.mode" }],
    events: [],
    scene: { bodies, joints, t, poses },
  };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? "scene.html";
  writeFileSync(target, fillTemplate(readFileSync(templatePath, "utf8"), makeSceneSample()));
  console.log(target);
}
