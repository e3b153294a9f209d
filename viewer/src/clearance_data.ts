// Joints with clearance: where the journal is in its bearing and what presses on it; no drawing here.

import type { Channel, Place, Report, Values } from "./data";
import type { Pose, Scene, SceneJoint, Vec3 } from "./scene_data";
import { frameInWorld, poseOrGround, turn, turnBack } from "./scene_math";

/** A place where a journal may touch its bearing. */
export interface ContactPoint {
  place: Place;
  /** What tells it from the other points of the joint; empty when there is one point. */
  label: string;
  /** Direction in which a wall presses on the second body, along the axis of the joint; 0: the bore presses, towards its middle. */
  wall: -1 | 0 | 1;
  gap: Values | null;
  normal: Values | null;
  /** One list for each direction of slip. */
  friction: Values[];
  slip: Values[];
  mode: Values | null;
}

export interface ClearanceJoint {
  joint: SceneJoint;
  clearance: number;
  /** Offset of the second body's frame from the first's, in the axes of the first [m]: x and y, for a ball also z. */
  offset: Values[];
  points: ContactPoint[];
  /** Of all points together. */
  mode: Values | null;
  /** Sense of the slip of planar bodies about the axis of the joint. */
  sense: -1 | 1;
}

/** What touches at a moment; vectors in the axes of the first body's frame. */
export interface Contact {
  offset: Vec3;
  points: {
    /** Middle of the journal where it touches: of a tilted pin, its end. */
    at: Vec3;
    normal: Vec3;
    /** On the second body; null where it is not recorded. The friction of a point that slips in two directions is left out: they were not recorded. */
    force: Vec3 | null;
  }[];
  /** Sum of the forces. */
  force: Vec3 | null;
}

const scaled = (v: number[], s: number) => v.map((x) => s * x) as Vec3;
const sum = (a: number[], b: number[]) => a.map((x, k) => x + b[k]) as Vec3;

export function findClearance({ scene, places }: Report, channels: Map<string, Channel>): ClearanceJoint[] {
  const values = (name: string) => channels.get(name)?.values ?? null;
  return (scene?.joints ?? []).flatMap((joint): ClearanceJoint[] => {
    const axes = joint.type === "spherical" ? ["x", "y", "z"] : ["x", "y"];
    const offset = axes.map((axis) => values(`${joint.name}.${axis}`)).filter((v): v is Values => v !== null);
    if (!(joint.clearance > 0) || offset.length < 2) return [];
    const points = places
      .filter(({ name }) => name === joint.name || name.startsWith(`${joint.name}.`))
      .map((place): ContactPoint => {
        const label = place.name.slice(joint.name.length + 1);
        const all = (names: string[]) => names.flatMap((name) => [values(name) ?? []]);
        return {
          place,
          label,
          wall: label === "A.axial" ? -1 : label === "B.axial" ? 1 : 0,
          gap: values(`${place.name}.gap`),
          normal: values(`${place.name}.normal_force`),
          friction: all(place.friction_force),
          slip: all(place.slip),
          mode: values(place.mode),
        };
      });
    const modes = points.flatMap(({ mode }) => (mode ? [mode] : []));
    const upward = turn(joint.frames[0], [0, 0, 1])[2];
    return [{ joint, clearance: joint.clearance, offset, points, mode: commonMode(modes), sense: upward < -0.5 ? -1 : 1 }];
  });
}

/** Open while all are; slipping when one of the closed ones slips. */
export function commonMode(modes: Values[]): Values | null {
  if (modes.length === 0) return null;
  return modes[0].map((_, i) => {
    const now = modes.flatMap((values) => values[i] ?? []);
    if (now.length === 0) return null;
    return now.includes(1) ? 1 : now.includes(0) ? 0 : 2;
  });
}

/** Which way the axis of the second body leans, across the axis of the first; not a unit vector. */
export function leanOf(scene: Scene, { bodies, frames }: SceneJoint, t: number): [number, number] | null {
  const [a, b] = bodies.map((body) => poseOrGround(scene, body, t));
  if (!a || !b) return null;
  const axis = turnBack(frameInWorld(a, frames[0]), turn(frameInWorld(b, frames[1]), [0, 0, 1]));
  return [axis[0], axis[1]];
}

/**
 * How far the ends of a pin are from its middle: how far follows from the gaps at the two ends, a and b away from the middle of the
 * bearing, where to from the lean.
 */
export function endOf(middle: number[], a: number, b: number, lean: [number, number] | null): Vec3 {
  const length = Math.sqrt(Math.max(0, (a * a + b * b) / 2 - middle[0] ** 2 - middle[1] ** 2));
  const norm = lean ? Math.hypot(...lean) : 0;
  return lean && norm > 0 ? [(length * lean[0]) / norm, (length * lean[1]) / norm, 0] : [0, 0, 0];
}

/** What touches when `at` tells the values of series; null where the journal is not known. */
export function contactOf(joint: ClearanceJoint, at: (values: Values) => number | null, lean: () => [number, number] | null): Contact | null {
  const read = (values: Values | null) => (values ? at(values) : null);
  const known = joint.offset.map(read);
  if (known.includes(null)) return null;
  const offset = [known[0], known[1], known[2] ?? 0] as Vec3;

  const reach = (label: string) => {
    const gap = read(joint.points.find((p) => p.label === label)?.gap ?? null);
    return gap === null ? null : joint.clearance - gap;
  };
  const [a, b] = [reach("A.radial"), reach("B.radial")];
  const end = a !== null && b !== null ? endOf(offset, a, b, lean()) : null;

  const points = joint.points.map((point): Contact["points"][number] => {
    const side = end ? (point.label.startsWith("A.") ? 1 : -1) : 0;
    const place = end ? sum(offset, scaled(end, side)) : offset;
    const away = Math.hypot(...place);
    const normal: Vec3 = point.wall !== 0 ? [0, 0, point.wall] : away > 0 ? scaled(place, -1 / away) : [-1, 0, 0];
    const pressure = read(point.normal);
    if (pressure === null) return { at: place, normal, force: null };
    // a planar body slips along axis x normal, and friction on the second body is against it
    const friction = point.friction.length === 1 ? (read(point.friction[0]) ?? 0) : 0;
    const along = scaled([-normal[1], normal[0], 0], -friction * joint.sense);
    return { at: place, normal, force: sum(scaled(normal, pressure), along) };
  });
  const forces = points.flatMap(({ force }) => (force ? [force] : []));
  return { offset, points, force: forces.length > 0 ? forces.reduce(sum) : null };
}

/** Largest force of contact at each sample; to choose the length of arrows by. */
export function magnitudesOf({ points }: ClearanceJoint, samples: number): number[] {
  return Array.from({ length: samples }, (_, i) => Math.max(0, ...points.map(({ normal }) => normal?.[i] ?? 0)));
}

/** How far surfaces have slid on each other while they touched: the slip summed over the samples. */
export function slidOf(time: number[], slip: Values, mode: Values | null): Values {
  let total = 0;
  return slip.map((speed, i) => {
    const before = slip[i - 1];
    const closed = mode === null || (mode[i] !== 2 && mode[i - 1] !== 2);
    if (i > 0 && closed && speed !== null && before !== null) total += ((speed + before) / 2) * (time[i] - time[i - 1]);
    return speed === null ? null : total;
  });
}

/** The sample drawn nearest to a place, among first ... last, when one is nearer than `reach`. */
export function nearestSample(u: Values, v: Values, [first, last]: [number, number], to: [number, number], reach: number): number | null {
  let best = reach * reach;
  let found: number | null = null;
  for (let i = first; i <= last; i++) {
    const [x, y] = [u[i], v[i]];
    if (x === null || y === null) continue;
    const distance = (x - to[0]) ** 2 + (y - to[1]) ** 2;
    if (distance < best) [best, found] = [distance, i];
  }
  return found;
}

/** Half the width of a picture of an orbit: the circle of the clearance with air, and all of the orbit. */
export function reachOf(clearance: number, u: Values, v: Values, [first, last]: [number, number]): number {
  let most = clearance;
  for (let i = first; i <= last; i++) most = Math.max(most, Math.abs(u[i] ?? 0), Math.abs(v[i] ?? 0));
  return 1.15 * most;
}

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundBelow(x: number): number {
  if (!(x > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  return ([5, 2].find((f) => f * power <= x * (1 + 1e-12)) ?? 1) * power;
}

/** A force in the axes of the first body's frame, in those of the world. */
export function forceInWorld(pose: Pose, { frames }: SceneJoint, force: Vec3): Vec3 {
  return turn(frameInWorld(pose, frames[0]), force);
}
