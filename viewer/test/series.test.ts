import { describe, expect, it } from "vitest";
import { decades, decimate, extent, firstValue, indicesWithin, lastValue, nearestIndex, padded, runs } from "../src/series";

describe("nearestIndex", () => {
  it("finds the nearest sample and stays inside", () => {
    const times = [0, 1, 2, 4];
    expect(nearestIndex(times, 1.4)).toBe(1);
    expect(nearestIndex(times, 1.6)).toBe(2);
    expect(nearestIndex(times, -5)).toBe(0);
    expect(nearestIndex(times, 99)).toBe(3);
    expect(nearestIndex([3], 0)).toBe(0);
    expect(nearestIndex([], 0)).toBeNull();
  });
});

describe("ranges", () => {
  it("leave missing values out", () => {
    expect(extent([null, 3, -1, null])).toEqual([-1, 3]);
    expect(extent([null, null])).toBeNull();
    expect(extent([5, 1, 9, 2], 1, 1)).toEqual([1, 1]);
  });
  it("have air around data and width around a constant", () => {
    expect(padded([0, 10], 0.1)).toEqual([-1, 11]);
    expect(padded([0, 0])).toEqual([-1, 1]);
    expect(padded([-2, -2])).toEqual([-2.2, -1.8]);
    expect(padded(null)).toEqual([0, 1]);
  });
  it("are whole decades on a logarithmic axis", () => {
    const [low, high] = decades([2e-5, 3e-3]);
    expect(low).toBeCloseTo(1e-5, 12);
    expect(high).toBeCloseTo(1e-2, 12);
    expect(decades([1, 1])).toEqual([1, 10]);
    expect(decades(null)).toEqual([0.1, 1]);
  });
  it("select samples", () => {
    expect(indicesWithin([0, 1, 2, 3], [0.5, 2])).toEqual([1, 2]);
    expect(indicesWithin([0, 1], [0.2, 0.8])).toBeNull();
  });
});

describe("runs", () => {
  it("join equal neighbours and stop at missing values", () => {
    expect(runs([0, 0, 1, null, 1])).toEqual([
      { first: 0, last: 1, value: 0 },
      { first: 2, last: 2, value: 1 },
      { first: 4, last: 4, value: 1 },
    ]);
  });
});

describe("decimate", () => {
  const times = Array.from({ length: 1000 }, (_, i) => i);
  it("keeps short series as they are", () => {
    const values = times.map((t) => t);
    expect(decimate(times, values, 1000).values).toBe(values);
  });
  it("keeps peaks, order and the limit", () => {
    const values = times.map((t) => (t === 333 ? 50 : t === 777 ? -50 : Math.sin(t)));
    const short = decimate(times, values, 100);
    expect(short.time.length).toBeLessThanOrEqual(100);
    expect(short.values).toContain(50);
    expect(short.values).toContain(-50);
    expect(short.time.every((t, i) => i === 0 || t > short.time[i - 1])).toBe(true);
  });
  it("prefers values to gaps", () => {
    const values = times.map((t) => (t % 10 === 5 ? 1 : null));
    expect(decimate(times, values, 100).values.every((v) => v === 1)).toBe(true);
  });
});

it("first and last value skip gaps", () => {
  expect(firstValue([null, 2, 3])).toBe(2);
  expect(lastValue([1, 2, null])).toBe(2);
  expect(lastValue([null])).toBeNull();
});
