// Reading values of which nothing is known yet.

export type Loose = Record<string, unknown>;

export const isObject = (x: unknown): x is Loose => typeof x === "object" && x !== null && !Array.isArray(x);
export const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
export const objects = (x: unknown): Loose[] => list(x).filter(isObject);
export const text = (x: unknown, otherwise = ""): string => (x === null || x === undefined ? otherwise : String(x));
export const number = (x: unknown): number | null => (typeof x === "number" && Number.isFinite(x) ? x : null);
export const texts = (x: unknown): string[] => (typeof x === "string" ? (x ? [x] : []) : list(x).map((s) => text(s)));
/** Exactly so many numbers, or what is taken otherwise. */
export function numbers<T extends number[]>(x: unknown, otherwise: T): T {
  const values = list(x).map(number);
  return values.length === otherwise.length && !values.includes(null) ? (values as T) : otherwise;
}
