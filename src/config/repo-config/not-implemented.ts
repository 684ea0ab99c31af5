/**
 * The keys that no code reads yet. Kodiai validates them and reports that they have no effect. `test/config-keys.test.ts` fails if
 * code reads a listed key, or if no code reads a key that isn't listed.
 */

/** A section includes all of its keys. */
const NOT_IMPLEMENTED: ReadonlySet<string> = new Set(["mentions", "write"]);

/** True if the list has exactly this section or key. */
export function isListedNotImplemented(key: string): boolean {
  return NOT_IMPLEMENTED.has(key);
}

/** `key` is dotted. False for a listed key and for every key of a listed section. */
export function isImplemented(key: string): boolean {
  const names = key.split(".");
  return !names.some((_, index) => NOT_IMPLEMENTED.has(names.slice(0, index + 1).join(".")));
}
