/** Plain JSON objects, merging of two, and lists that shrink. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `over` takes precedence; objects are merged key by key, all other values are replaced. */
export function mergeDeep(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? mergeDeep(below, value) : value;
  }
  return merged;
}

export function removeWhere<Item>(items: Item[], isGone: (item: Item) => boolean): void {
  const kept = items.filter((item) => !isGone(item));
  items.splice(0, items.length, ...kept);
}
