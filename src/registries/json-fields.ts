/** Reads fields of JSON that another side sent. A field of another type counts as missing. */

export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    // Checked above; lists and objects both have their fields by key.
    current = (current as Readonly<Record<string | number, unknown>>)[key];
  }
  return current;
}

/** Null for an empty text too. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const text = fieldAt(value, ...path);
  return typeof text === "string" && text !== "" ? text : null;
}

export function itemsAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const items = fieldAt(value, ...path);
  return Array.isArray(items) ? items : [];
}

/** Texts of an object, by key. */
export function textsAt(
  value: unknown,
  ...path: readonly (string | number)[]
): readonly (readonly [string, string])[] {
  const object = fieldAt(value, ...path);
  if (typeof object !== "object" || object === null) return [];
  return Object.entries(object).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : [],
  );
}

/** A time in ISO 8601, in UTC; null if it isn't one. */
export function timeAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  return isoTimeOf(textAt(value, ...path));
}

export function isoTimeOf(text: string | null): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** "MIT OR Apache-2.0" of a list; null if it's empty. */
export function licencesAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const names = itemsAt(value, ...path).filter((name) => typeof name === "string");
  return names.length === 0 ? null : names.toSorted().join(" OR ");
}
