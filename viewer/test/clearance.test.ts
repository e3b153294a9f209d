import { describe, expect, it } from "vitest";
import { commonMode, contactOf, endOf, findClearance, leanOf, magnitudesOf, nearestSample, reachOf, roundBelow, slidOf } from "../src/clearance_data";
import { parseReport, type Channel } from "../src/data";

const pose = [0, 0, 0, 1, 0, 0, 0];
interface Given {
  type?: string;
  clearance?: number;
  channels: Record<string, number[]>;
  places?: { name: string; components?: number }[];
  frame?: number[];
}
/** A report of two samples with one joint between the ground and a rod. */
function reportOf({ type = "revolute", clearance = 1e-3, channels, places = [{ name: "pin" }], frame = pose }: Given) {
  const report = parseReport(
    JSON.stringify({
      format: 1,
      time: [0, 1],
      channels: Object.entries(channels).map(([name, values]) => ({ name, values })),
      places: places.map(({ name, components = 1 }) => {
        const parts = (quantity: string) => (components === 1 ? [`${name}.${quantity}`] : [1, 2].map((k) => `${name}.${quantity}.${k}`));
        return { name, law: "coulomb", slip: parts("slip"), friction_force: parts("friction_force"), travel: [], mode: `${name}.mode` };
      }),
      scene: {
        bodies: [{ name: "ground", kind: "ground" }, { name: "rod", kind: "rigid" }],
        joints: [{ name: "pin", type, bodies: ["ground", "rod"], frames: [frame, pose], clearance }],
        t: [0, 1],
        poses: { rod: [...pose, 0, 0, 0, Math.cos(0.05), 0, Math.sin(0.05), 0] }, // then turned by 0.1 about y
      },
    }),
  );
  return { report, worn: findClearance(report, new Map(report.channels.map((c): [string, Channel] => [c.name, c]))) };
}
const planar = { "pin.x": [3e-4, 1e-3], "pin.y": [4e-4, 0], "pin.gap": [5e-4, 0], "pin.normal_force": [0, 100], "pin.friction_force": [0, 10], "pin.slip": [1, 2], "pin.mode": [2, 1] };
const at = (i: number) => (values: (number | null)[]) => values[i];

describe("findClearance", () => {
  it("finds joints with clearance whose offset is recorded", () => {
    expect(reportOf({ channels: planar }).worn).toMatchObject([{ clearance: 1e-3, mode: [2, 1], points: [{ label: "", wall: 0, normal: [0, 100] }] }]);
    expect(reportOf({ channels: planar, clearance: 0 }).worn).toEqual([]);
    expect(reportOf({ channels: { "pin.x": [0, 0] } }).worn).toEqual([]);
  });
  it("takes the points of the joint and of no other one", () => {
    const names = ["pin.A.radial", "pin.B.radial", "pin.A.axial", "pin.B.axial", "pin2", "other"];
    const { worn } = reportOf({ channels: planar, places: names.map((name) => ({ name })) });
    expect(worn[0].points.map(({ label, wall }) => [label, wall])).toEqual([["A.radial", 0], ["B.radial", 0], ["A.axial", -1], ["B.axial", 1]]);
  });
  it("takes a third direction for a ball only", () => {
    const channels = { ...planar, "pin.z": [0, 0] };
    expect(reportOf({ channels }).worn[0].offset).toHaveLength(2);
    expect(reportOf({ channels, type: "spherical" }).worn[0].offset).toHaveLength(3);
  });
});

describe("contactOf", () => {
  const none = () => null;
  it("presses towards the middle, and friction is against the slip", () => {
    const [joint] = reportOf({ channels: planar }).worn;
    const touching = contactOf(joint, at(1), none)!;
    expect(touching.points[0].normal.map((x) => x + 0)).toEqual([-1, 0, 0]);
    // the slip is along z x normal, which is -y here
    expect(touching.force!.map((x) => x + 0)).toEqual([-100, 10, 0]);
    expect(contactOf(joint, at(0), none)!.force!.map((x) => x + 0)).toEqual([0, 0, 0]);
  });
  it("knows the sense of the slip when the axis points down", () => {
    const [joint] = reportOf({ channels: planar, frame: [0, 0, 0, 0, 1, 0, 0] }).worn;
    expect(contactOf(joint, at(1), none)!.force![1]).toBe(-10);
  });
  it("leaves out friction of which the directions are not known", () => {
    const channels = { ...planar, "pin.friction_force.1": [0, 10], "pin.friction_force.2": [0, 5] };
    const [joint] = reportOf({ channels, places: [{ name: "pin", components: 2 }] }).worn;
    expect(contactOf(joint, at(1), none)!.force!.map((x) => x + 0)).toEqual([-100, 0, 0]);
  });
  it("presses on a ball from where it is", () => {
    const channels = { ...planar, "pin.x": [0, 0], "pin.y": [0, 0.6e-3], "pin.z": [0, -0.8e-3], "pin.friction_force": [0, 0] };
    const [joint] = reportOf({ channels, type: "spherical" }).worn;
    expect(contactOf(joint, at(1), none)!.force!.map((x) => Math.round(x) + 0)).toEqual([0, -60, 80]);
  });
  it("adds up the ends of a pin that leans, and the walls", () => {
    const places = ["pin.A.radial", "pin.B.radial", "pin.A.axial"].map((name) => ({ name }));
    const channels = {
      "pin.x": [0, 0], "pin.y": [0, 0],
      "pin.A.radial.gap": [0, 0], "pin.B.radial.gap": [0, 0],
      "pin.A.radial.normal_force": [30, 30], "pin.B.radial.normal_force": [20, 20], "pin.A.axial.normal_force": [5, 5],
    };
    const [joint] = reportOf({ channels, places }).worn;
    const touching = contactOf(joint, at(0), () => [0.2, 0])!;
    expect(touching.points.slice(0, 2).map((p) => p.at)).toEqual([[1e-3, 0, 0], [-1e-3, 0, 0]]);
    expect(touching.force!.map((x) => x + 0)).toEqual([-10, 0, -5]);
  });
  it("is nothing where the offset or the force is missing", () => {
    const { "pin.normal_force": _, ...others } = planar;
    const [joint] = reportOf({ channels: others }).worn;
    expect(contactOf(joint, at(0), none)).toMatchObject({ force: null });
    expect(contactOf(joint, () => null, none)).toBeNull();
  });
});

describe("a pin that leans", () => {
  it("has its ends where the gaps and the lean say", () => {
    // middle (0.3, 0), ends (0.3, ±0.4): both 0.5 from the middle of the bearing
    const [x, y] = endOf([0.3, 0], 0.5, 0.5, [0, 7]);
    expect([x, y]).toEqual([0, expect.closeTo(0.4)]);
    expect(endOf([0.3, 0], 0.5, 0.5, null)).toEqual([0, 0, 0]);
    expect(endOf([0.5, 0], 0.4, 0.4, [1, 0])).toEqual([0, 0, 0]); // rounding: nearer than the middle
  });
  it("leans by the turn of the second body, seen from the first", () => {
    const { report, worn } = reportOf({ channels: planar });
    expect(leanOf(report.scene!, worn[0].joint, 0)).toEqual([0, 0]);
    expect(leanOf(report.scene!, worn[0].joint, 1)![0]).toBeCloseTo(Math.sin(0.1));
  });
});

describe("series of a joint", () => {
  it("have one mode for all points", () => {
    expect(commonMode([[2, 2, 2, 0, null], [2, 1, 0, 1, null]])).toEqual([2, 1, 0, 1, null]);
    expect(commonMode([])).toBeNull();
  });
  it("have the size of the largest force", () => {
    expect(magnitudesOf(reportOf({ channels: planar }).worn[0], 2)).toEqual([0, 100]);
  });
  it("slide only while the surfaces touch", () => {
    expect(slidOf([0, 1, 2, 3], [1, 3, 5, 5], [0, 1, 1, 2])).toEqual([0, 2, 6, 6]);
    expect(slidOf([0, 1, 2], [1, null, 1], null)).toEqual([0, null, 0]);
  });
});

describe("pictures of orbits", () => {
  it("show the whole circle and the whole orbit", () => {
    expect(reachOf(1, [0.5, 9], [0, 0], [0, 0])).toBeCloseTo(1.15);
    expect(reachOf(1, [0.5, -2], [0, null], [0, 1])).toBeCloseTo(2.3);
    expect(reachOf(1, [], [], [0, -1])).toBeCloseTo(1.15);
  });
  it("find the sample at the mouse", () => {
    expect(nearestSample([0, 1, 2, null], [0, 0, 0, 0], [0, 3], [1.2, 0], 0.5)).toBe(1);
    expect(nearestSample([0, 1, 2], [0, 0, 0], [0, 2], [1.2, 3], 0.5)).toBeNull();
  });
  it("have round scales", () => {
    expect([0.3, 99, 5, 2.5e-4].map(roundBelow)).toEqual([expect.closeTo(0.2), 50, 5, expect.closeTo(2e-4)]);
    expect(roundBelow(0)).toBe(0);
  });
});
