// Small numerics on sampled series; no drawing here.

import type { Values } from "./data";

export type Range = [number, number];

/** Index of the sample nearest to t in ascending times; null when there is none. */
export function nearestIndex(times: number[], t: number): number | null {
  if (times.length === 0) return null;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return t - times[low] <= times[high] - t ? low : high;
}

/** Smallest and largest value with first <= index <= last; null when all are missing. */
export function extent(values: Values, first = 0, last = values.length - 1): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = first; i <= last; i++) {
    const v = values[i];
    if (v === null) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

/** Range of an axis: the data with a little air, or something sensible around a constant. */
export function padded(range: Range | null, air = 0.06): Range {
  if (range === null) return [0, 1];
  const [low, high] = range;
  const width = high - low;
  // a width of mere rounding is a constant
  if (width <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) {
    const half = low === 0 ? 1 : 0.1 * Math.abs(low);
    return [low - half, high + half];
  }
  return [low - air * width, high + air * width];
}

/** Whole decades around a positive range, for a logarithmic axis. */
export function decades(range: Range | null): Range {
  if (range === null || !(range[0] > 0)) return [0.1, 1];
  const low = Math.floor(Math.log10(range[0]) + 1e-9);
  const high = Math.ceil(Math.log10(range[1]) - 1e-9);
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** First and last index of the samples inside a range of time; null when none is. */
export function indicesWithin(times: number[], [from, to]: Range): Range | null {
  let first = 0;
  let last = times.length - 1;
  while (first <= last && times[first] < from) first++;
  while (last >= first && times[last] > to) last--;
  return first <= last ? [first, last] : null;
}

export interface Run {
  first: number;
  last: number;
  value: number;
}

/** Stretches of equal value; missing values belong to none. */
export function runs(values: Values): Run[] {
  const found: Run[] = [];
  let current: Run | null = null;
  values.forEach((value, i) => {
    if (value === null) current = null;
    else if (current !== null && current.value === value) current.last = i;
    else found.push((current = { first: i, last: i, value }));
  });
  return found;
}

/** At most about `limit` points that keep the lowest and the highest of every stretch, in order. */
export function decimate(times: number[], values: Values, limit: number): { time: number[]; values: Values } {
  if (times.length <= limit) return { time: times, values };
  const buckets = Math.max(1, Math.floor(limit / 2));
  const kept: number[] = [];
  for (let b = 0; b < buckets; b++) {
    const from = Math.floor((b * times.length) / buckets);
    const to = Math.floor(((b + 1) * times.length) / buckets);
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      const v = values[i];
      if (v === null) continue;
      if (values[low] === null || v < (values[low] as number)) low = i;
      if (values[high] === null || v > (values[high] as number)) high = i;
    }
    kept.push(...(low === high ? [low] : [Math.min(low, high), Math.max(low, high)]));
  }
  return { time: kept.map((i) => times[i]), values: kept.map((i) => values[i]) };
}

export function lastValue(values: Values): number | null {
  for (let i = values.length - 1; i >= 0; i--) if (values[i] !== null) return values[i];
  return null;
}

export function firstValue(values: Values): number | null {
  return values.find((v) => v !== null) ?? null;
}
