// Bodies, joints and motion of a run in space.

import { list, number, numbers, objects, text, type Loose } from "./loose";

export type Vec3 = [number, number, number];
/** Scalar part first. */
export type Quaternion = [number, number, number, number];
/** Position, then rotation. */
export type Pose = [number, number, number, number, number, number, number];

export type Solid =
  | { kind: "box"; size: Vec3 }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "sphere"; radius: number }
  | { kind: "tube"; outer_radius: number; inner_radius: number; length: number }
  | { kind: "mesh"; points: number[]; triangles: number[] };
/** Where it sits in the frame of the centre of mass of its body; axes of cylinders and tubes are z. */
export type Shape = Solid & { position: Vec3; rotation: Quaternion };

export interface SceneBody {
  name: string;
  /** As the program calls it: "ground" does not move, all others are drawn as frames that do. */
  kind: string;
  shapes: Shape[];
}

/** The thing a body is part of: nodes of a beam `shaft` are called `shaft.0`, `shaft.1`, ... */
export const wholeOf = (name: string): string => name.split(".")[0];

export interface SceneJoint {
  name: string;
  type: string;
  /** Indices of bodies. */
  bodies: [number, number];
  /** On either body, in the frame of its centre of mass. */
  frames: [Pose, Pose];
  /** How far the second frame can leave the first [m]; 0: an ideal joint. */
  clearance: number;
}

export interface Scene {
  bodies: SceneBody[];
  joints: SceneJoint[];
  /** Times of the frames, ascending. */
  t: number[];
  /** Seven numbers for each frame; NaN where they are missing. One list for each body; null for those that do not move. */
  poses: (Float64Array | null)[];
}

export const identity: Pose = [0, 0, 0, 1, 0, 0, 0];

/** Null when there is nothing to show; what is wrong with the rest is told. */
export function readScene(raw: Loose, warnings: string[]): Scene | null {
  const t = list(raw.t).map((x) => number(x) ?? NaN);
  const bodies = objects(raw.bodies).map((b) => readBody(b, warnings));
  if (bodies.length === 0) return null;
  const moving = (typeof raw.poses === "object" && raw.poses !== null ? raw.poses : {}) as Loose;
  const poses = bodies.map(({ name, kind }) => {
    if (kind === "ground") return null;
    const values = list(moving[name]);
    if (values.length !== 7 * t.length) {
      warnings.push(`Body '${name}' has ${values.length} numbers of its motion for ${t.length} frames.`);
      return null;
    }
    return Float64Array.from(values, (x) => number(x) ?? NaN);
  });
  const joints = objects(raw.joints).flatMap((j) => {
    const names = list(j.bodies).map((name) => bodies.findIndex((b) => b.name === name));
    if (names.length !== 2 || names.includes(-1)) {
      warnings.push(`Joint '${text(j.name)}' is at a body that is not there.`);
      return [];
    }
    const frames = list(j.frames);
    return [
      {
        name: text(j.name),
        type: text(j.type),
        bodies: names as [number, number],
        frames: [numbers<Pose>(frames[0], identity), numbers<Pose>(frames[1], identity)] as [Pose, Pose],
        clearance: number(j.clearance) ?? 0,
      },
    ];
  });
  return { bodies, joints, t, poses };
}

function readBody(b: Loose, warnings: string[]): SceneBody {
  const name = text(b.name);
  const shapes = objects(b.shapes).flatMap((s) => {
    const solid = readSolid(s);
    if (!solid) {
      warnings.push(`Body '${name}' has a shape '${text(s.kind)}' that cannot be drawn.`);
      return [];
    }
    return [{ ...solid, position: numbers<Vec3>(s.position, [0, 0, 0]), rotation: numbers<Quaternion>(s.rotation, [1, 0, 0, 0]) }];
  });
  return { name, kind: text(b.kind), shapes };
}

function readSolid(s: Loose): Solid | null {
  const radius = number(s.radius);
  const length = number(s.length);
  const outer = number(s.outer_radius);
  const inner = number(s.inner_radius);
  switch (s.kind) {
    case "box": {
      const size = numbers<Vec3>(s.size, [NaN, NaN, NaN]);
      return size.includes(NaN) ? null : { kind: "box", size };
    }
    case "cylinder":
      return radius === null || length === null ? null : { kind: "cylinder", radius, length };
    case "sphere":
      return radius === null ? null : { kind: "sphere", radius };
    case "tube":
      return outer === null || inner === null || length === null ? null : { kind: "tube", outer_radius: outer, inner_radius: inner, length };
    case "mesh": {
      const points = list(s.points).map((x) => number(x) ?? NaN);
      const triangles = list(s.triangles).map((x) => number(x) ?? -1);
      const corners = points.length / 3;
      const good = Number.isInteger(corners) && triangles.length % 3 === 0 && triangles.every((i) => Number.isInteger(i) && i >= 0 && i < corners);
      return good && !points.some(Number.isNaN) ? { kind: "mesh", points, triangles } : null;
    }
    default:
      return null;
  }
}
