import { describe, expect, it } from "vitest";
import { groupChannels, matches, tellingChannels } from "../src/channels";
import type { Channel, Place } from "../src/data";

const channel = (name: string, unit: string, text = ""): Channel => {
  const [element, ...rest] = name.split(".");
  return { name, element, quantity: rest.join("."), unit, text, values: [] };
};
const channels = [
  channel("rod.position", "m"), channel("rod.velocity", "m/s"), channel("rod.stress", "Pa"),
  channel("pin.slip", "m/s", "slip velocity"), channel("pin.friction_force", "N"), channel("pin.normal_force", "N"), channel("pin.mode", ""),
];
const pin: Place = { name: "pin", law: "lugre", components: 1, slip: ["pin.slip"], friction_force: ["pin.friction_force"], travel: [], mode: "pin.mode" };

describe("groupChannels", () => {
  it("puts channels of one element and unit together", () => {
    const groups = groupChannels(channels, "element");
    expect(groups.find((g) => g.key === "pin|N")?.channels.map((c) => c.name)).toEqual(["pin.friction_force", "pin.normal_force"]);
    expect(groups.find((g) => g.key === "pin|N")?.title).toBe("pin: friction_force, normal_force");
  });
  it("can group by unit or not at all", () => {
    const byUnit = groupChannels(channels, "unit").find((g) => g.unit === "m/s");
    expect(byUnit?.channels.map((c) => c.name)).toEqual(["rod.velocity", "pin.slip"]);
    expect(byUnit?.element).toBeNull();
    expect(groupChannels(channels, "channel")).toHaveLength(channels.length);
  });
});

describe("tellingChannels", () => {
  it("takes slip and friction force of places, then motion", () => {
    expect([...tellingChannels(channels, [pin])]).toEqual(["pin.slip", "pin.friction_force", "rod.position", "rod.velocity"]);
  });
  it("keeps the number of plots small", () => {
    const many = Array.from({ length: 50 }, (_, i) => channel(`body${i}.position`, "m"));
    expect(tellingChannels(many, []).size).toBe(8);
  });
  it("shows something in any case, but not modes", () => {
    expect([...tellingChannels([channel("pin.mode", ""), channel("a.stress", "Pa")], [pin])]).toEqual(["a.stress"]);
  });
});

it("the filter asks for every word", () => {
  expect(matches(channels[3], "pin velocity")).toBe(true);
  expect(matches(channels[3], "rod velocity")).toBe(false);
  expect(matches(channels[3], "")).toBe(true);
});
