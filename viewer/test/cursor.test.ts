import { describe, expect, it, vi } from "vitest";
import { Timeline } from "../src/cursor";

const timeline = () => new Timeline([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

describe("Timeline", () => {
  it("keeps the cursor inside the samples and tells listeners once", () => {
    const line = timeline();
    const heard = vi.fn();
    line.onCursor(heard);
    line.setIndex(99);
    line.setIndex(10);
    expect(line.index).toBe(10);
    expect(heard).toHaveBeenCalledTimes(1);
  });
  it("finds the sample at a time", () => {
    const line = timeline();
    line.setTime(3.4);
    expect(line.index).toBe(3);
  });
  it("limits the window to the run; all of it is no zoom", () => {
    const line = timeline();
    line.setWindow([-5, 4]);
    expect(line.visible).toEqual([0, 4]);
    line.setWindow([-5, 50]);
    expect(line.zoomed).toBe(false);
  });
  it("moves the window along with a cursor that leaves it", () => {
    const line = timeline();
    line.setWindow([2, 4]);
    line.setIndex(9);
    expect(line.visible).toEqual([8, 10]);
  });
  it("has something to show for no sample and for one", () => {
    expect(new Timeline([]).full).toEqual([0, 1]);
    expect(new Timeline([2]).full).toEqual([1.5, 2.5]);
    const empty = new Timeline([]);
    empty.setIndex(3);
    expect(empty.index).toBeNull();
  });
});
