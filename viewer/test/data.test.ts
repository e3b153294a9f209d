import { describe, expect, it } from "vitest";
import { parseReport } from "../src/data";

const parse = (extra: object) => parseReport(JSON.stringify({ format: 1, title: "t", ...extra }));

describe("parseReport", () => {
  it("reads a minimal document", () => {
    const report = parse({});
    expect(report).toMatchObject({ title: "t", status: "finished", time: [], channels: [], places: [], energy: null, events: [], solver: null, warnings: [] });
  });
  it("keeps missing values as null", () => {
    const report = parse({ time: [0, 1], channels: [{ name: "a.b", unit: "m", values: [null, 2] }] });
    expect(report.channels[0]).toMatchObject({ element: "a", quantity: "b", values: [null, 2] });
    expect(report.warnings).toEqual([]);
  });
  it("shows a series of the wrong length as far as it goes, and says so", () => {
    const report = parse({ time: [0, 1, 2], channels: [{ name: "a.b", values: [5] }] });
    expect(report.channels[0].values).toEqual([5, null, null]);
    expect(report.warnings[0]).toContain("'a.b' has 1 values for 3 sample times");
  });
  it("reads places with one and with two components", () => {
    const report = parse({ places: [{ name: "p", slip: ["p.slip.1", "p.slip.2"], friction_force: "p.friction_force", mode: "p.mode" }] });
    expect(report.places[0]).toMatchObject({ components: 2, slip: ["p.slip.1", "p.slip.2"], friction_force: ["p.friction_force"], travel: [] });
  });
  it("takes empty energy for none", () => {
    expect(parse({ energy: { kinetic: [], accounts: [] } }).energy).toBeNull();
    expect(parse({ energy: null }).energy).toBeNull();
  });
  it("knows what the samples go along", () => {
    expect(parse({}).axis).toEqual({ name: "time", unit: "s" });
    expect(parse({ axis: { name: "speed", unit: "rad/s" } }).axis).toEqual({ name: "speed", unit: "rad/s" });
  });
  it("warns of times that go back", () => expect(parse({ time: [0, 2, 1] }).warnings).toHaveLength(1));
  it("says in a sentence why there is nothing to show", () => {
    expect(() => parseReport('"TOKEN"')).toThrow("empty report template");
    expect(() => parseReport("{")).toThrow("cannot be read");
    expect(() => parseReport('{"format": 2}')).toThrow("has format 2; this page reads format 1");
    expect(() => parseReport("[]")).toThrow("not an object");
  });
});
