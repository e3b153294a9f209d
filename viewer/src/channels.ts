// Which channels are shown first, and which of them share a plot.

import type { Channel, Place } from "./data";

export type Grouping = "element" | "unit" | "channel";

export interface Group {
  key: string;
  title: string;
  element: string | null;
  unit: string;
  channels: Channel[];
}

/** Plots for the given channels, in the order of the channels. */
export function groupChannels(channels: Channel[], grouping: Grouping): Group[] {
  const groups = new Map<string, Group>();
  for (const channel of channels) {
    const key = groupKey(channel, grouping);
    const group = groups.get(key);
    if (group) group.channels.push(channel);
    else groups.set(key, { key, title: "", element: channel.element, unit: channel.unit, channels: [channel] });
  }
  for (const group of groups.values()) {
    const elements = unique(group.channels.map((c) => c.element));
    const texts = unique(group.channels.map((c) => c.text || c.quantity));
    if (elements.length > 1) group.element = null;
    const what = texts.length <= 2 ? texts.join(", ") : `${texts.slice(0, 2).join(", ")}, …`;
    group.title = elements.length === 1 && elements[0] ? `${elements[0]}: ${what}` : what;
  }
  return [...groups.values()];
}

function groupKey(channel: Channel, grouping: Grouping): string {
  if (grouping === "channel") return channel.name;
  return grouping === "unit" ? channel.unit : `${channel.element}|${channel.unit}`;
}

/** The most telling channels of a run: slip and friction force of the places, then positions and velocities. */
export function tellingChannels(channels: Channel[], places: Place[], mostPlots = 8, mostLines = 6): Set<string> {
  const known = new Map(channels.map((c) => [c.name, c]));
  const ofPlaces = places.flatMap((p) => [...p.slip, ...p.friction_force]);
  const motion = channels.filter((c) => /^(position|displacement|deflection|angle|velocity|speed|angular_velocity)/.test(c.quantity));
  const candidates = [...ofPlaces.flatMap((name) => known.get(name) ?? []), ...motion];
  const modes = new Set(places.map((p) => p.mode));
  if (candidates.length === 0) candidates.push(...channels.filter((c) => !modes.has(c.name)).slice(0, mostLines));

  const lines = new Map<string, number>();
  const chosen = new Set<string>();
  for (const channel of candidates) {
    const key = groupKey(channel, "element");
    const count = lines.get(key) ?? 0;
    if (chosen.has(channel.name) || count >= mostLines || (count === 0 && lines.size >= mostPlots)) continue;
    lines.set(key, count + 1);
    chosen.add(channel.name);
  }
  return chosen;
}

/** True when every word of the filter occurs in the name, the text or the unit. */
export function matches(channel: Channel, filter: string): boolean {
  const where = `${channel.name} ${channel.text} ${channel.unit}`.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => where.includes(word));
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
