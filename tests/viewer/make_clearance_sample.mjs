// A sample report with joints that have clearance: the scene of make_scene_sample.mjs, whose crank pin is a journal in its bearing and
// whose wrist is a ball in its socket. The orbits are prescribed: along the circle of the clearance, with flights across it.
//
//   node tests/viewer/make_clearance_sample.mjs [report.html]     uses viewer/dist/report.html as template

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fillTemplate, templatePath } from "./make_sample.mjs";
import { makeSceneSample } from "./make_scene_sample.mjs";

export const clearance = { pin: 5e-4, wrist: 2e-4 }; // [m]
const stiffness = 1e6; // [N/m]
/** An impact: one sample with a hundred times the force. */
export const impact = 50;

/** Gap, slip and forces of a journal that is so far off the middle. */
function touch(size, away, speed) {
  const gap = size - away;
  const normal = gap < 0 ? -stiffness * gap : 0;
  return { gap, normal, friction: 0.2 * normal * Math.tanh(speed / 0.005), mode: gap >= 0 ? 2 : Math.abs(speed) < 0.01 ? 0 : 1 };
}

export function makeClearanceSample() {
  const data = makeSceneSample();
  const columns = {};
  const put = (name, value) => (columns[name] ??= []).push(Number(value.toPrecision(9)));
  for (const [i, t] of data.time.entries()) {
    // the journal wanders along its bearing and leaves it twice in a second
    const turn = 2.2 * t + 0.8 * Math.sin(5 * t);
    const speed = 0.05 * Math.sin(5 * t);
    const flight = Math.max(0, Math.sin(4 * Math.PI * t) - 0.7);
    const away = clearance.pin * (1.02 - 2 * flight);
    const pin = touch(clearance.pin, away, speed);
    if (i === impact) pin.normal *= 100;
    put("pin.x", away * Math.cos(turn));
    put("pin.y", away * Math.sin(turn));
    for (const [quantity, value] of [["gap", pin.gap], ["normal_force", pin.normal], ["friction_force", pin.friction], ["slip", speed], ["travel", 0], ["mode", pin.mode]]) put(`pin.${quantity}`, value);

    const rise = 0.6 * Math.sin(3 * t);
    const far = 1.01 * clearance.wrist;
    const ball = touch(clearance.wrist, far, 0.02);
    put("wrist.x", far * Math.cos(rise) * Math.cos(turn));
    put("wrist.y", far * Math.cos(rise) * Math.sin(turn));
    put("wrist.z", far * Math.sin(rise));
    put("wrist.gap", ball.gap);
    put("wrist.normal_force", ball.normal);
    for (const k of [1, 2]) {
      const slip = k === 1 ? 0.02 * Math.sin(5 * t) : 0;
      put(`wrist.slip.${k}`, slip);
      put(`wrist.friction_force.${k}`, 0.2 * ball.normal * Math.tanh(slip / 0.005));
    }
    put("wrist.mode", 1);
  }
  const units = { x: "m", y: "m", z: "m", gap: "m", normal_force: "N", friction_force: "N", slip: "m/s", travel: "m", mode: "1" };
  const channels = Object.entries(columns).map(([name, values]) => {
    const [element, quantity] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
    return { name, element, quantity, unit: units[quantity.replace(/\.\d$/, "")], text: quantity.replaceAll("_", " "), values };
  });
  const place = (name, components, travel) => {
    const parts = (quantity) => (components === 1 ? [`${name}.${quantity}`] : [1, 2].map((k) => `${name}.${quantity}.${k}`));
    return { name, law: "coulomb", components, slip: parts("slip"), friction_force: parts("friction_force"), travel: travel ? parts("travel") : [], mode: `${name}.mode` };
  };
  // what an ideal joint would carry is not there
  const kept = data.channels.filter(({ name }) => !/^(pin|wrist)\.force/.test(name));
  const joints = data.scene.joints.map((joint) => (joint.name in clearance ? { ...joint, clearance: clearance[joint.name] } : joint));
  return {
    ...data,
    title: "Slider-crank with worn joints",
    channels: [...kept, ...channels],
    places: [...data.places, place("pin", 1, true), place("wrist", 2, false)],
    scene: { ...data.scene, joints },
  };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? "clearance.html";
  writeFileSync(target, fillTemplate(readFileSync(templatePath, "utf8"), makeClearanceSample()));
  console.log(target);
}
