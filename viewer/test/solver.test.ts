import { expect, it } from "vitest";
import { partCounts } from "../src/solver";

it("tells causes of rejected steps apart from the counts", () => {
  const [counts, causes] = partCounts([["accepted steps", 9], ["rejected steps", 3], ["rejected steps: the estimated error", 2], ["rejected steps: an event", 1]]);
  expect(counts).toEqual([["accepted steps", 9], ["rejected steps", 3]]);
  expect(causes).toEqual([["the estimated error", 2], ["an event", 1]]);
});
