/** Replaces references to properties that are defined in the same file. */
export type Property = { readonly value: string; readonly line: number };

/** By name. A property with several values depends on conditions, so it's left out: its value isn't known here. */
export function collectProperties(
  found: Iterable<readonly [name: string, property: Property]>,
): ReadonlyMap<string, Property> {
  const properties = new Map<string, Property>();
  const ambiguous = new Set<string>();
  for (const [name, property] of found) {
    if ((properties.get(name) ?? property).value !== property.value) ambiguous.add(name);
    properties.set(name, property);
  }
  for (const name of ambiguous) properties.delete(name);
  return properties;
}

/** Properties may refer to each other, also in a circle. */
const MAX_ROUNDS = 8;
/** No version is longer. Properties that contain each other twice would double with each round. */
const MAX_CHARS = 1000;

/** The value, and the line of the property that gave it; null when none did. Unknown references stay, and have no line. */
export function resolveProperties(
  text: string,
  reference: RegExp,
  find: (name: string) => Property | undefined,
): { readonly value: string; readonly line: number | null } {
  let value = text;
  let line: number | null = null;
  for (let round = 0; round < MAX_ROUNDS && value.length < MAX_CHARS; round += 1) {
    const before = value;
    value = value.replace(reference, (whole, name: string) => {
      const property = find(name.trim());
      if (property === undefined) return whole;
      ({ line } = property);
      return property.value;
    });
    if (value === before) break;
  }
  return { value, line: value.match(reference) === null ? line : null };
}
