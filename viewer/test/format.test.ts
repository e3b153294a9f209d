import { describe, expect, it } from "vitest";
import { decimalsOf, formatCount, formatDigits, formatPercent, formatSample, formatSI, scaledUnit, tickLabels } from "../src/format";

describe("formatSI", () => {
  it("chooses the prefix that leaves a number between 1 and 1000", () => {
    expect(formatSI(0.01234, "m/s")).toBe("12.34 mm/s");
    expect(formatSI(1.5, "N")).toBe("1.500 N");
    expect(formatSI(66e9, "N/m")).toBe("66.00 GN/m");
    expect(formatSI(5e-6, "m")).toBe("5.000 µm");
    expect(formatSI(-2500, "N·m")).toBe("−2.500 kN·m");
  });
  it("rounds before it chooses", () => {
    expect(formatSI(0.99999, "m")).toBe("1.000 m");
    expect(formatSI(999.96, "N")).toBe("1.000 kN");
  });
  it("puts no prefix on squares, kilograms, degrees and pure numbers", () => {
    expect(formatSI(0.02, "m^2")).toBe("0.02000 m^2");
    expect(formatSI(0.5, "kg")).toBe("0.5000 kg");
    expect(formatSI(20, "deg")).toBe("20.00 deg");
    expect(formatSI(2e-6, "kg")).toBe("2.000·10⁻⁶ kg");
    expect(formatSI(0.3, "")).toBe("0.3000");
    expect(formatSI(0.3, "1")).toBe("0.3000");
  });
  it("keeps long times in seconds", () => expect(formatSI(3600, "s")).toBe("3600 s"));
  it("shows zero and missing values", () => {
    expect(formatSI(0, "N")).toBe("0 N");
    expect(formatSI(null, "N")).toBe("–");
    expect(formatSI(undefined, "N")).toBe("–");
  });
  it("copes with sizes beyond the prefixes", () => {
    expect(formatSI(1e-20, "m")).toBe("0.00001000 fm");
    expect(scaledUnit(Infinity, "m")).toEqual({ factor: 1, unit: "m" });
  });
});

describe("other numbers", () => {
  it("writes significant digits", () => {
    expect(formatDigits(3.14159)).toBe("3.142");
    expect(formatDigits(12345)).toBe("12345");
  });
  it("groups thousands", () => expect(formatCount(1234567)).toBe("1\u2009234\u2009567"));
  it("writes shares", () => {
    expect(formatPercent(0.8312)).toBe("83.1 %");
    expect(formatPercent(0.0288)).toBe("2.88 %");
    expect(formatPercent(1.3e-8)).toBe("1.3e−6 %");
    expect(formatPercent(null)).toBe("–");
  });
  it("gives times the decimals that tell samples apart", () => {
    expect(formatSample(7.44, 0.01, "s")).toBe("7.440 s");
    expect(formatSample(7.4377, 1e-5, "s")).toBe("7.437700 s");
    expect(formatSample(120, 5, "rad/s")).toBe("120.0 rad/s");
    expect(formatSample(0.5, 0.1, "1")).toBe("0.50");
  });
});

describe("tickLabels", () => {
  it("have as many decimals as the increment needs", () => {
    expect(tickLabels([0, 0.25, 0.5], 0.25, 1)).toEqual(["0", "0.25", "0.50"]);
    expect(tickLabels([-0.002, 0, 0.002], 0.002, 1e-3)).toEqual(["−2", "0", "2"]);
  });
  it("count decimals of awkward increments", () => {
    expect(decimalsOf(2.5)).toBe(1);
    expect(decimalsOf(10)).toBe(0);
    expect(decimalsOf(0.1 + 0.2)).toBe(1);
  });
});
