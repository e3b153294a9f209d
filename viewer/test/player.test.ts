import { describe, expect, it, vi } from "vitest";
import { Timeline } from "../src/cursor";
import { Player } from "../src/player";

const timeline = () => new Timeline([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

describe("Player", () => {
  it("plays finer than the samples and takes the cursor along", () => {
    const line = timeline();
    const player = new Player(line);
    player.speed = 2;
    player.play();
    player.advance(0.7);
    expect(player.time).toBeCloseTo(1.4);
    expect(line.index).toBe(1);
  });
  it("goes where the cursor of the plots goes, and tells of it", () => {
    const line = timeline();
    const player = new Player(line);
    const heard = vi.fn();
    player.onChange(heard);
    line.setIndex(7);
    expect(player.time).toBe(7);
    expect(heard).toHaveBeenCalledTimes(1);
  });
  it("does nothing while it is not playing", () => {
    const player = new Player(timeline());
    player.advance(3);
    expect(player.time).toBe(0);
  });
  it("stops at the end, and begins anew when it is started there", () => {
    const line = timeline();
    const player = new Player(line);
    player.loop = false;
    player.play();
    player.advance(99);
    expect(player.time).toBe(10);
    expect(player.playing).toBe(false);
    expect(line.index).toBe(10);
    player.play();
    expect(player.time).toBe(0);
  });
  it("shows the end before it begins again", () => {
    const player = new Player(timeline());
    player.play();
    player.advance(99);
    expect(player.time).toBe(10);
    player.advance(0.1);
    expect(player.time).toBe(0);
    expect(player.playing).toBe(true);
  });
  it("plays the zoomed part only", () => {
    const line = timeline();
    const player = new Player(line);
    line.setWindow([4, 6]);
    player.play();
    expect(player.time).toBe(4);
    player.advance(99);
    expect(player.time).toBe(6);
    player.advance(1);
    expect(player.time).toBe(4);
    expect(line.visible).toEqual([4, 6]);
  });
  it("has nothing to play with one sample", () => {
    const player = new Player(new Timeline([2]));
    player.play();
    expect(player.playing).toBe(false);
  });
});
