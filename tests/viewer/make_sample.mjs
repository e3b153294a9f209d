// A sample report: a mass pulled over a LuGre contact by a spring (it sticks and slips), and a pad that is
// moved in circles under a pulsing load (two directions, and open when the load vanishes).
//
//   node tests/viewer/make_sample.mjs [report.html [data.json]]     uses viewer/dist/report.html as template

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const templatePath = resolve(here, "../../viewer/dist/report.html");
const token = '"BRISTLE_DATA"';

/** Template with the data in its slot, as the program fills it. */
export function fillTemplate(template, data) {
  if (template.split(token).length !== 2) throw new Error(`the template must contain ${token} exactly once`);
  const json = JSON.stringify(data).replaceAll("</", "<\\/");
  return template.replace(token, () => json);
}

const input = `bristle: 1
title: Mass pulled over a LuGre contact
parameters: {v_drive: 0.1 m/s}
bodies:
  mass: {type: point, mass: 1 kg}
joints:
  shoe:                     # sticks and slips
    between: [ground, mass]
    normal_force: 1 N
    friction: {type: lugre, mu_static: 1.5, mu_kinetic: 1.0, sigma0: 1e5, sigma1: 316, stribeck_velocity: 1 mm/s}
  pad:                      # moved in circles under a pulsing load
    between: [ground, table]
    normal_force: "max(0, 2 + 3*sin(1.1*t))"
    friction: {type: lugre, mu_static: 0.6, mu_kinetic: 0.4, sigma0: 4e3, sigma1: 20, stribeck_velocity: 10 mm/s}
forces:
  spring: {type: spring, between: [mass, driver], stiffness: 2 N/m}
analysis: {type: transient, end: 40 s, integrator: {type: bogacki_shampine, tolerance: 1e-7}}
record: {every: 10 ms, channels: [shoe.*, pad.*, mass.*, energy.*]}
# a comment such as </script><b> must not end the page
`;

// mass on the shoe
const m = 1, k = 2, drive = 0.1;
const shoe = { sigma0: 1e5, sigma1: Math.sqrt(1e5), sigma2: 0.4, static: 1.5, kinetic: 1, stribeck: 1e-3 };
// pad: prescribed circles
const pad = { sigma0: 4e3, sigma1: 20, static: 0.6, kinetic: 0.4, stribeck: 0.01, radius: 0.03, rate: 2.3 };
const padLoad = (t) => Math.max(0, 2 + 3 * Math.sin(1.1 * t));
const padVelocity = (t) => {
  // stands still now and then, so that it sticks as well
  const s = Math.max(0, Math.sin(0.35 * t));
  return [pad.radius * pad.rate * s * Math.cos(pad.rate * t), pad.radius * pad.rate * s * Math.sin(pad.rate * t)];
};

const stribeck = (law, v) => law.kinetic + (law.static - law.kinetic) * Math.exp(-((v / law.stribeck) ** 2));

function shoeForce(v, z) {
  const zdot = v - (shoe.sigma0 * Math.abs(v) * z) / stribeck(shoe, v);
  return { zdot, force: shoe.sigma0 * z + shoe.sigma1 * zdot + shoe.sigma2 * v };
}

function padForce(t, z) {
  const v = padVelocity(t);
  const speed = Math.hypot(...v);
  const load = padLoad(t);
  const g = stribeck(pad, speed);
  const zdot = v.map((vi, i) => vi - (pad.sigma0 * speed * z[i]) / g);
  return { v, speed, load, zdot, force: zdot.map((zd, i) => load * (pad.sigma0 * z[i] + pad.sigma1 * zd)) };
}

// state: x, v, z of the shoe, z1, z2 of the pad, travel 1, 2 of the pad, work of: drive, shoe, pad
function rate(t, y) {
  const { zdot, force } = shoeForce(y[1], y[2]);
  const p = padForce(t, [y[3], y[4]]);
  const spring = k * (drive * t - y[0]);
  return [
    y[1], (spring - force) / m, zdot, p.zdot[0], p.zdot[1], p.v[0], p.v[1],
    spring * drive, force * y[1], p.force[0] * p.v[0] + p.force[1] * p.v[1],
  ];
}

// Bogacki–Shampine 3(2) with error control; steps end at the samples
function integrate(times, onSample, onStep) {
  let y = Array(10).fill(0);
  let t = 0, h = 1e-4, k1 = rate(t, y);
  const count = { accepted: 0, rejected: 0, evaluations: 1 };
  const reasons = { error: 0, output: 0, end: 0 };
  const axpy = (...terms) => y.map((yi, i) => terms.reduce((sum, [c, d]) => sum + h0 * c * d[i], yi));
  let h0 = h;
  onSample(0, t, y);
  for (let sample = 1; sample < times.length; ) {
    const left = times[sample] - t;
    const clipped = h >= left;
    h0 = clipped ? left : h;
    const k2 = rate(t + h0 / 2, axpy([1 / 2, k1]));
    const k3 = rate(t + (3 * h0) / 4, axpy([3 / 4, k2]));
    const next = axpy([2 / 9, k1], [1 / 3, k2], [4 / 9, k3]);
    const k4 = rate(t + h0, next);
    count.evaluations += 3;
    let error = 0;
    for (let i = 0; i < 5; i++) {
      const e = h0 * (-5 / 72 * k1[i] + k2[i] / 12 + k3[i] / 9 - k4[i] / 8);
      error = Math.max(error, Math.abs(e) / ((i === 2 ? 1e-11 : 1e-9) + 1e-6 * Math.max(Math.abs(y[i]), Math.abs(next[i]))));
    }
    const factor = Math.min(4, Math.max(0.2, 0.9 * error ** (-1 / 3)));
    if (error > 1) {
      count.rejected++;
      h = h0 * factor;
      continue;
    }
    count.accepted++;
    reasons[clipped ? (sample === times.length - 1 ? "end" : "output") : "error"]++;
    t = clipped ? times[sample] : t + h0;
    [y, k1] = [next, k4];
    onStep(t, h0, y);
    if (clipped) onSample(sample++, t, y);
    else h = h0 * factor;
    if (clipped && factor < 1) h = h0 * factor;
  }
  return { count, reasons };
}

export function makeSample({ end = 40, every = 0.01 } = {}) {
  const time = Array.from({ length: Math.round(end / every) + 1 }, (_, i) => Number((i * every).toFixed(9)));
  const columns = {};
  const put = (name, value) => (columns[name] ??= []).push(Number(value.toPrecision(9)));
  const events = [], steps = [];
  const names = ["stick", "slip", "open"];
  const modes = { shoe: 0, pad: 0 };
  const note = (t, element, mode) => {
    if (mode === modes[element]) return;
    events.push({ t, element, what: `${names[modes[element]]} -> ${names[mode]}` });
    modes[element] = mode;
  };
  // a threshold with hysteresis, so that a mode does not flicker
  const observe = (t, y) => {
    const limit = (element) => (modes[element] === 1 ? 0.5 : 1);
    note(t, "shoe", Math.abs(y[1]) > limit("shoe") * shoe.stribeck ? 1 : 0);
    const { speed, load } = padForce(t, [y[3], y[4]]);
    note(t, "pad", load === 0 ? 2 : speed > limit("pad") * 0.2 * pad.stribeck ? 1 : 0);
  };

  const sample = (_, t, y) => {
    const { force } = shoeForce(y[1], y[2]);
    const p = padForce(t, [y[3], y[4]]);
    const spring = k * (drive * t - y[0]);
    put("mass.position", y[0]);
    put("mass.velocity", y[1]);
    put("spring.force", spring);
    put("shoe.slip", y[1]);
    put("shoe.friction_force", force);
    put("shoe.travel", y[0]);
    put("shoe.normal_force", 1);
    put("shoe.mode", modes.shoe);
    put("pad.slip.1", p.v[0]);
    put("pad.slip.2", p.v[1]);
    put("pad.friction_force.1", p.force[0]);
    put("pad.friction_force.2", p.force[1]);
    put("pad.travel.1", y[5]);
    put("pad.travel.2", y[6]);
    put("pad.normal_force", p.load);
    put("pad.mode", modes.pad);
    const kinetic = (m * y[1] ** 2) / 2;
    const inSpring = spring ** 2 / (2 * k), inShoe = (shoe.sigma0 * y[2] ** 2) / 2;
    put("kinetic", kinetic);
    put("stored", inSpring + inShoe);
    put("stored in spring", inSpring);
    put("stored in shoe", inShoe);
    put("supplied", y[7] + y[9]);
    put("supplied by driver", y[7]);
    put("supplied by table", y[9]);
    put("dissipated", y[8] - inShoe + y[9]);
    put("dissipated in shoe", y[8] - inShoe);
    put("dissipated in pad", y[9]);
    put("numerical", 0);
    put("residual", kinetic + inSpring + inShoe + (y[8] - inShoe + y[9]) - (y[7] + y[9]));
  };
  const { count, reasons } = integrate(time, sample, (t, h, y) => {
    steps.push([t, h]);
    observe(t, y);
  });

  const stride = Math.ceil(steps.length / 4000);
  const kept = steps.filter((_, i) => i % stride === 0);
  const channel = (name, unit, text) => {
    const dot = name.indexOf(".");
    return { name, element: name.slice(0, dot), quantity: name.slice(dot + 1), unit, text, values: columns[name] };
  };
  const account = (name, kind, column) => ({ name, kind, values: columns[column] });
  return {
    format: 1,
    title: "Mass pulled over a LuGre contact",
    program: "bristle 0.1.0",
    command: "bristle run stick_slip.yaml --out stick_slip",
    created: "2026-01-15T09:30:00",
    input,
    summary: [
      ["simulated time", `${end} s`], ["steps", String(count.accepted)], ["rejected", String(count.rejected)],
      ["integrator", "Bogacki–Shampine 3(2)"], ["friction places", "2"], ["events", String(events.length)],
      ["wall time", "1.2 s"], ["energy residual", `${columns.residual.at(-1).toExponential(1)} J`],
    ],
    status: "finished",
    message: "",
    time,
    channels: [
      channel("mass.position", "m", "position"),
      channel("mass.velocity", "m/s", "velocity"),
      channel("spring.force", "N", "force of the spring"),
      channel("shoe.slip", "m/s", "slip velocity"),
      channel("shoe.friction_force", "N", "friction force"),
      channel("shoe.travel", "m", "travel"),
      channel("shoe.normal_force", "N", "normal force"),
      channel("shoe.mode", "", "mode"),
      channel("pad.slip.1", "m/s", "slip velocity"),
      channel("pad.slip.2", "m/s", "slip velocity"),
      channel("pad.friction_force.1", "N", "friction force"),
      channel("pad.friction_force.2", "N", "friction force"),
      channel("pad.travel.1", "m", "travel"),
      channel("pad.travel.2", "m", "travel"),
      channel("pad.normal_force", "N", "normal force"),
      channel("pad.mode", "", "mode"),
    ],
    places: [
      { name: "shoe", law: "lugre", components: 1, slip: ["shoe.slip"], friction_force: ["shoe.friction_force"], travel: ["shoe.travel"], mode: "shoe.mode" },
      {
        name: "pad", law: "lugre", components: 2, slip: ["pad.slip.1", "pad.slip.2"],
        friction_force: ["pad.friction_force.1", "pad.friction_force.2"], travel: ["pad.travel.1", "pad.travel.2"], mode: "pad.mode",
      },
    ],
    energy: {
      kinetic: columns.kinetic, stored: columns.stored, supplied: columns.supplied,
      dissipated: columns.dissipated, numerical: columns.numerical, residual: columns.residual,
      accounts: [
        account("shoe", "dissipated", "dissipated in shoe"), account("pad", "dissipated", "dissipated in pad"),
        account("driver", "supplied", "supplied by driver"), account("table", "supplied", "supplied by table"),
        account("spring", "stored", "stored in spring"), account("shoe", "stored", "stored in shoe"),
      ],
    },
    events,
    solver: {
      integrator: "bogacki_shampine",
      counts: [["accepted steps", count.accepted], ["rejected steps", count.rejected], ["evaluations", count.evaluations]],
      time: kept.map(([t]) => t),
      step: kept.map(([, h]) => h),
      reasons: Object.entries(reasons),
    },
  };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [out = "sample_report.html", json] = process.argv.slice(2);
  const data = makeSample();
  writeFileSync(out, fillTemplate(readFileSync(templatePath, "utf8"), data));
  if (json) writeFileSync(json, JSON.stringify(data));
  console.log(`wrote ${out}${json ? ` and ${json}` : ""}: ${data.time.length} samples, ${data.events.length} events`);
}
