// Where things are in a scene at a time; no drawing here.

import type { Values } from "./data";
import { identity, type Pose, type Scene, type Shape, type Vec3 } from "./scene_data";
import type { Range } from "./series";

/** Index of the last time that is not after t; 0 before the first. */
export function indexBefore(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Last index i with times[i] <= t, and how far t is on the way to the next one. */
function between(times: number[], t: number): [number, number] {
  const i = indexBefore(times, t);
  if (i + 1 >= times.length) return [i, 0];
  const width = times[i + 1] - times[i];
  return [i, width > 0 ? Math.min(1, Math.max(0, (t - times[i]) / width)) : 0];
}

/** Pose between two frames: straight on, and turned the short way. Null where it is not known. */
export function poseAt(times: number[], poses: Float64Array | null, t: number): Pose | null {
  if (poses === null || times.length === 0) return null;
  const [i, part] = between(times, t);
  const a = Array.from(poses.subarray(7 * i, 7 * i + 7)) as Pose;
  if (part === 0) return a.some(Number.isNaN) ? null : a;
  const b = poses.subarray(7 * i + 7, 7 * i + 14);
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const sign = dot < 0 ? -1 : 1;
  const pose = a.map((x, k) => x + part * ((k < 3 ? 1 : sign) * b[k] - x)) as Pose;
  const norm = Math.hypot(pose[3], pose[4], pose[5], pose[6]);
  for (let k = 3; k < 7; k++) pose[k] /= norm;
  return pose.some(Number.isNaN) ? null : pose;
}

/** A point of a body in the world. */
export function toWorld(pose: Pose, [x, y, z]: Vec3 | number[]): Vec3 {
  const [px, py, pz, w, a, b, c] = pose;
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  return [px + x + w * tx + b * tz - c * ty, py + y + w * ty + c * tx - a * tz, pz + z + w * tz + a * ty - b * tx];
}

/** A vector of a frame in the world. */
export function turn(pose: Pose, v: Vec3): Vec3 {
  return toWorld([0, 0, 0, ...(pose.slice(3) as [number, number, number, number])], v);
}

/** A vector of the world in a frame. */
export function turnBack([, , , w, a, b, c]: Pose, v: Vec3): Vec3 {
  return turn([0, 0, 0, w, -a, -b, -c], v);
}

/** A frame that is given on a body, in the world. */
export function frameInWorld(pose: Pose, frame: Pose): Pose {
  const [w, x, y, z] = pose.slice(3);
  const [W, X, Y, Z] = frame.slice(3);
  return [
    ...toWorld(pose, frame.slice(0, 3)),
    w * W - x * X - y * Y - z * Z, w * X + x * W + y * Z - z * Y, w * Y - x * Z + y * W + z * X, w * Z + x * Y - y * X + z * W,
  ];
}

/** Value of a channel between two samples; null where one is missing. */
export function valueAt(times: number[], values: Values, t: number): number | null {
  if (times.length === 0) return null;
  const [i, part] = between(times, t);
  const a = values[i];
  if (part === 0 || a === null) return a;
  const b = values[i + 1];
  return b === null ? null : a + part * (b - a);
}

export interface Box {
  min: Vec3;
  max: Vec3;
}

/** Corners of the box around a shape, in the frame of its body. */
function cornersOf(shape: Shape): Vec3[] {
  let half: Vec3;
  let centre: Vec3 = [0, 0, 0];
  switch (shape.kind) {
    case "box": half = shape.size.map((s) => s / 2) as Vec3; break;
    case "cylinder": half = [shape.radius, shape.radius, shape.length / 2]; break;
    case "sphere": half = [shape.radius, shape.radius, shape.radius]; break;
    case "tube": half = [shape.outer_radius, shape.outer_radius, shape.length / 2]; break;
    case "mesh": {
      const box = emptyBox();
      for (let i = 0; i < shape.points.length; i += 3) extend(box, shape.points.slice(i, i + 3) as Vec3);
      if (shape.points.length === 0) return [];
      half = box.min.map((low, k) => (box.max[k] - low) / 2) as Vec3;
      centre = box.min.map((low, k) => (box.max[k] + low) / 2) as Vec3;
    }
  }
  const signs = [-1, 1];
  const local = signs.flatMap((i) => signs.flatMap((j) => signs.map((k): Vec3 => [centre[0] + i * half[0], centre[1] + j * half[1], centre[2] + k * half[2]])));
  return local.map((p) => toWorld([...shape.position, ...shape.rotation], p));
}

function emptyBox(): Box {
  return { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
}

function extend(box: Box, p: Vec3): void {
  for (let k = 0; k < 3; k++) {
    if (p[k] < box.min[k]) box.min[k] = p[k];
    if (p[k] > box.max[k]) box.max[k] = p[k];
  }
}

function boxOf(points: Vec3[]): Box {
  const box = emptyBox();
  points.forEach((p) => extend(box, p));
  return box;
}

/** Points at the outside of everything that moves, in many frames, of the joints and of the ground; a ground that is far larger than the rest counts for nothing. */
export function outlineOf(scene: Scene, mostFrames = 60): Vec3[] {
  const points = scene.bodies.map((body, b): Vec3[] => {
    const joints = scene.joints.flatMap((j) => j.bodies.flatMap((at, side): Vec3[] => (at === b ? [j.frames[side].slice(0, 3) as Vec3] : [])));
    return [...(body.kind === "ground" ? [] : [[0, 0, 0] as Vec3, ...body.shapes.flatMap(cornersOf)]), ...joints];
  });
  const stride = Math.max(1, Math.ceil(scene.t.length / mostFrames));
  const outline: Vec3[] = [];
  scene.bodies.forEach((body, b) => {
    if (body.kind === "ground") outline.push(...points[b]);
    for (let i = 0; i < scene.t.length; i += stride) {
      const pose = poseAt(scene.t, scene.poses[b], scene.t[i]);
      if (pose) points[b].forEach((p) => outline.push(toWorld(pose, p)));
    }
  });
  const ground = scene.bodies.filter(({ kind }) => kind === "ground").flatMap(({ shapes }) => shapes.flatMap(cornersOf));
  if (outline.length === 0 || sizeOf(boxOf([...outline, ...ground])) <= 2.5 * sizeOf(boxOf(outline))) outline.push(...ground);
  return outline;
}

/** Box around points; something sensible for none and for a single one. */
export function boundsOf(points: Vec3[]): Box {
  const box = boxOf(points);
  if (points.length === 0) return { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
  if (sizeOf(box) === 0) return { min: box.min.map((x) => x - 0.5) as Vec3, max: box.max.map((x) => x + 0.5) as Vec3 };
  return box;
}

export function sizeOf(box: Box): number {
  return Math.hypot(...box.max.map((high, k) => high - box.min[k]));
}

/** 1, 2 or 5 times a power of ten: about `count` steps over the size. */
export function gridStep(size: number, count = 16): number {
  const wanted = size / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((f) => f * power >= wanted * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** From where a model is best looked at: flat ones from in front of their plane, others from a corner. z is up. */
export function viewFrom(box: Box): Vec3 {
  const [x, y, z] = box.max.map((high, k) => high - box.min[k]);
  const most = Math.max(x, y, z);
  if (z < 0.3 * most && y >= 0.3 * most) return [0, -0.5, 1];
  if (y < 0.3 * most && z >= 0.3 * most) return [0.42, -1, 0.3];
  if (x < 0.3 * most && z >= 0.3 * most) return [1, -0.42, 0.3];
  return [0.8, -1, 0.6];
}

/** Length of a force that is drawn as long as wanted: the largest, but single peaks do not make all others small. */
export function forceOf(magnitudes: number[], peak = 3): number {
  const sorted = magnitudes.filter((x) => x > 0 && Number.isFinite(x)).sort((a, b) => a - b);
  if (sorted.length === 0) return 0;
  return Math.min(sorted[sorted.length - 1], peak * sorted[Math.floor(0.95 * (sorted.length - 1))]);
}

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Speed at which a range of time is watched in about ten seconds; real time where that is bearable. */
export function suitableSpeed([from, to]: Range): number {
  const length = to - from;
  if (length >= 2 && length <= 30) return 1;
  const wanted = Math.log(length / 10);
  return speeds.reduce((best, s) => (Math.abs(Math.log(s) - wanted) < Math.abs(Math.log(best) - wanted) ? s : best));
}

export function poseOrGround(scene: Scene, body: number, t: number): Pose | null {
  return scene.bodies[body].kind === "ground" ? identity : poseAt(scene.t, scene.poses[body], t);
}
