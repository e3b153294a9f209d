import { describe, expect, it } from "vitest";
import { parseReport } from "../src/data";
import { identity, readScene, type Pose, type Scene } from "../src/scene_data";
import { boundsOf, forceOf, frameInWorld, gridStep, indexBefore, outlineOf, poseAt, sizeOf, suitableSpeed, toWorld, valueAt, viewFrom } from "../src/scene_math";

const turned = (angle: number): Pose => [0, 0, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
const rod = { name: "rod", kind: "rigid", shapes: [{ kind: "box", size: [2, 0.1, 0.1], position: [0, 0, 0], rotation: [1, 0, 0, 0] }] };
const raw = () => ({
  bodies: [{ name: "ground", kind: "ground", shapes: [] }, rod],
  joints: [{ name: "pin", type: "revolute", bodies: ["ground", "rod"], frames: [identity, [-1, 0, 0, 1, 0, 0, 0]] }],
  t: [0, 1],
  poses: { rod: [1, 0, 0, 1, 0, 0, 0, 0, 1, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
});
const read = (change: object = {}): [Scene | null, string[]] => {
  const warnings: string[] = [];
  return [readScene({ ...raw(), ...change }, warnings), warnings];
};

describe("readScene", () => {
  it("reads bodies, joints and motion", () => {
    const [scene, warnings] = read();
    expect(warnings).toEqual([]);
    expect(scene?.bodies[1].shapes[0]).toMatchObject({ kind: "box", size: [2, 0.1, 0.1] });
    expect(scene?.joints[0].bodies).toEqual([0, 1]);
    expect(scene?.poses[0]).toBeNull();
    expect(scene?.poses[1]).toHaveLength(14);
  });
  it("is part of a report, and a report has none without it", () => {
    expect(parseReport(JSON.stringify({ format: 1, scene: raw() })).scene?.bodies).toHaveLength(2);
    expect(parseReport(JSON.stringify({ format: 1 })).scene).toBeNull();
    expect(read({ bodies: [] })[0]).toBeNull();
  });
  it("takes bodies of a kind that it does not know as frames that move", () => {
    const arm = { name: "rod", kind: "telescope", shapes: [] };
    const [scene, warnings] = read({ bodies: [{ name: "ground", kind: "ground", shapes: [] }, arm] });
    expect(warnings).toEqual([]);
    expect(scene?.bodies[1].kind).toBe("telescope");
    expect(scene?.poses[1]).toHaveLength(14);
  });
  it("says what it leaves out", () => {
    const odd = { ...rod, shapes: [{ kind: "teapot" }, { kind: "sphere" }, { kind: "mesh", points: [0, 0, 0], triangles: [0, 1, 2] }, { kind: "sphere", radius: 1 }] };
    const [scene, warnings] = read({ bodies: [odd], poses: { rod: [1] } });
    expect(scene?.bodies[0].shapes).toHaveLength(1);
    expect(warnings).toHaveLength(5);
    expect(warnings[0]).toContain("'teapot'");
    expect(warnings[3]).toContain("'rod' has 1 numbers of its motion for 2 frames");
    expect(warnings[4]).toContain("'pin' is at a body that is not there");
  });
});

describe("poses", () => {
  it("are known between the frames", () => {
    const [scene] = read();
    const pose = poseAt(scene!.t, scene!.poses[1], 0.5)!;
    expect(pose.slice(0, 3)).toEqual([0.5, 0.5, 0]);
    expect(2 * Math.atan2(pose[6], pose[3])).toBeCloseTo(Math.PI / 4);
  });
  it("stay at the ends outside of the frames", () => {
    const [scene] = read();
    expect(poseAt(scene!.t, scene!.poses[1], -5)?.[0]).toBe(1);
    expect(poseAt(scene!.t, scene!.poses[1], 9)?.[1]).toBe(1);
  });
  it("turn the short way though a quaternion and its negative are the same rotation", () => {
    const a = turned(0.2);
    const b = turned(0.4).map((x, k) => (k < 3 ? x : -x));
    const pose = poseAt([0, 1], Float64Array.from([...a, ...b]), 0.5)!;
    expect(Math.abs(2 * Math.atan2(pose[6], pose[3]))).toBeCloseTo(0.3);
  });
  it("are missing where a number is", () => {
    expect(poseAt([0], Float64Array.from([NaN, 0, 0, 1, 0, 0, 0]), 0)).toBeNull();
    expect(poseAt([], new Float64Array(0), 0)).toBeNull();
    expect(poseAt([0], null, 0)).toBeNull();
  });
  it("carry points and frames of their body", () => {
    const pose: Pose = [1, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    const [x, y, z] = toWorld(pose, [2, 0, 0]);
    expect([x, y, z].map((v) => v + 0)).toEqual([expect.closeTo(1), expect.closeTo(2), expect.closeTo(0)]);
    const frame = frameInWorld(pose, [2, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    expect(frame[1]).toBeCloseTo(2);
    expect(frame[6]).toBeCloseTo(1); // two quarter turns about z
  });
});

describe("samples", () => {
  it("are found before a time", () => {
    expect([-1, 0, 0.5, 1, 7].map((t) => indexBefore([0, 1, 2], t))).toEqual([0, 0, 0, 1, 2]);
  });
  it("have values between them, unless one is missing", () => {
    expect(valueAt([0, 2], [1, 3], 1)).toBe(2);
    expect(valueAt([0, 2], [1, null], 1)).toBeNull();
    expect(valueAt([0, 2], [1, null], 0)).toBe(1);
  });
});

describe("sizes", () => {
  it("cover the motion, not only the start", () => {
    const box = boundsOf(outlineOf(read()[0]!));
    expect(box.min[0]).toBeCloseTo(-0.05);
    expect(box.max[0]).toBeCloseTo(2);
    expect(box.max[1]).toBeCloseTo(2);
    expect(sizeOf(box)).toBeGreaterThan(2);
  });
  it("count the ground when it is not far larger than the rest", () => {
    const ground = (size: number) => ({ name: "ground", kind: "ground", shapes: [{ kind: "box", size: [size, size, 0.2], position: [0, 0, -0.5], rotation: [1, 0, 0, 0] }] });
    const floor = (size: number) => boundsOf(outlineOf(read({ bodies: [ground(size), rod] })[0]!)).min[2];
    expect(floor(2)).toBeCloseTo(-0.6);
    expect(floor(200)).toBeCloseTo(-0.05);
  });
  it("are there for a single point and for no frames", () => {
    const point = { bodies: [{ name: "p", kind: "point", shapes: [] }], joints: [], t: [0], poses: { p: [3, 0, 0, 1, 0, 0, 0] } };
    expect(sizeOf(boundsOf(outlineOf(readScene(point, [])!)))).toBeGreaterThan(0);
    expect(sizeOf(boundsOf(outlineOf(readScene({ ...point, t: [], poses: { p: [] } }, [])!)))).toBeGreaterThan(0);
  });
  it("give a round grid", () => {
    expect(gridStep(16)).toBe(1);
    expect(gridStep(20)).toBe(2);
    expect(gridStep(0.5)).toBeCloseTo(0.05);
  });
  it("choose a view of flat models", () => {
    expect(viewFrom({ min: [0, 0, 0], max: [1, 1, 0] })[2]).toBe(1);
    expect(viewFrom({ min: [0, 0, 0], max: [1, 0, 1] })[1]).toBe(-1);
    expect(viewFrom({ min: [0, 0, 0], max: [0, 1, 1] })[0]).toBe(1);
  });
});

describe("forces", () => {
  it("are scaled by the largest, but not by a single peak", () => {
    expect(forceOf([1, 2, 3])).toBe(3);
    expect(forceOf([...Array(99).fill(1), 1000])).toBe(3);
    expect(forceOf([])).toBe(0);
  });
});

describe("suitableSpeed", () => {
  it("is real time for runs of some seconds and about ten seconds for others", () => {
    expect(suitableSpeed([0, 8])).toBe(1);
    expect(suitableSpeed([0, 0.1])).toBe(0.01);
    expect(suitableSpeed([0, 200])).toBe(20);
  });
});
