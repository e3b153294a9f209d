// Moving through time: playing, and being moved by the cursor of the plots.

import type { Timeline } from "./cursor";

type Listener = () => void;

/** Time of the scene. It is finer than the samples that the cursor of the plots stays on. */
export class Player {
  speed = 1;
  loop = true;
  private time_: number;
  private playing_ = false;
  private leading = false;
  private readonly listeners = new Set<Listener>();

  constructor(private readonly timeline: Timeline) {
    this.time_ = timeline.index === null ? timeline.full[0] : timeline.time[timeline.index];
    timeline.onCursor(() => {
      if (this.leading || timeline.index === null) return;
      this.time_ = timeline.time[timeline.index];
      this.tell();
    });
  }

  get time(): number {
    return this.time_;
  }

  get playing(): boolean {
    return this.playing_;
  }

  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Goes to a time and takes the cursor of the plots along. */
  setTime(t: number): void {
    const [from, to] = this.timeline.full;
    this.time_ = Math.min(to, Math.max(from, t));
    this.leading = true;
    try {
      this.timeline.setTime(this.time_);
    } finally {
      this.leading = false;
    }
    this.tell();
  }

  play(): void {
    if (this.timeline.time.length < 2) return;
    const [from, to] = this.timeline.visible;
    this.playing_ = true;
    // at the end, or outside of what is in view: from the beginning
    if (this.time_ < from || this.time_ >= to) this.setTime(from);
    else this.tell();
  }

  pause(): void {
    this.playing_ = false;
    this.tell();
  }

  toggle(): void {
    if (this.playing_) this.pause();
    else this.play();
  }

  /** Goes on by so many seconds of the reader's life. Plays what the plots show: all of the run or the zoomed part. */
  advance(seconds: number): void {
    if (!this.playing_) return;
    const [from, to] = this.timeline.visible;
    const next = this.time_ + seconds * this.speed;
    if (next < to) return this.setTime(next);
    if (this.loop) return this.setTime(this.time_ >= to ? from : to); // the end is seen, too
    this.playing_ = false;
    this.setTime(to);
  }

  private tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}
