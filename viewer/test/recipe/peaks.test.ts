import { afterEach, expect, it, vi } from "vitest";
import { Timeline } from "../../src/cursor";
import { parseReport } from "../../src/data";
import { makePage, makePanels } from "../../src/panels";
import { fakeDocument } from "../fake_document";
import { makePeaks, peakOf } from "./peaks";

afterEach(() => vi.unstubAllGlobals());

it("finds what is farthest from zero", () => {
  expect(peakOf([1, -3, null, 2])).toBe(1);
  expect(peakOf([null])).toBe(null);
});

it("makes a part of the page, or none", () => {
  vi.stubGlobal("document", fakeDocument);
  const page = (channels: object[]) => {
    const report = parseReport(JSON.stringify({ format: 1, time: [0, 0.5, 1], channels }));
    return makePage(report, new Timeline(report.time, report.axis));
  };
  const made = makePanels(page([{ name: "m.velocity", element: "m", quantity: "velocity", unit: "m/s", values: [0, -0.02, 0.01] }]), [makePeaks]);
  expect(made.map((part) => part.textContent).join()).toMatch(/m\.velocity −20\.00 mm\/s .*0\.5/);
  expect(makePanels(page([]), [makePeaks])).toEqual([]);
});
