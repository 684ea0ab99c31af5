/** Reads fields of parsed JSON that can have any shape. A field of another type counts as missing. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** An empty object for everything else. */
export function objectOf(value: unknown): JsonObject {
  // Arrays have no named fields, so it doesn't matter that they pass.
  return typeof value === "object" && value !== null ? (value as JsonObject) : NOTHING;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number, also as text: tools write "8.5". */
export function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** A whole number of at least `least`; null for everything else. */
export function wholeNumberOf(value: unknown, least: number): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : null;
}
