/** Matches the dotted path of a use against the wanted names. */
import type { WantedUses } from "./package-uses.ts";

/**
 * `path` starts with what is imported: ["pkg/sub", "Foo", "bar"]. Returns the longest wanted name. `objectLength`: this many segments
 * name the class of an object, so that only its members match; 0 for anything else.
 */
export type NameMatcher = (path: readonly string[], objectLength: number) => string | null;

/** `ns.Class.method.call` and a few more. */
const MAX_SEGMENTS = 12;

/** Rust separates with "::"; everything else with dots. */
export function splitName(name: string): readonly string[] {
  return name.split(/::|\./);
}

export function createNameMatcher({ names }: Pick<WantedUses, "names">): NameMatcher {
  const exact = new Map<string, string>();
  const plain = new Map<string, { readonly name: string; readonly segments: readonly string[] }[]>();
  for (const { entry, name } of names) {
    const segments = splitName(name);
    if (entry !== null) exact.set([...entry.split("::"), ...segments].join("."), name);
    else {
      const last = segments.at(-1) ?? "";
      plain.set(last, [...(plain.get(last) ?? []), { name, segments }]);
    }
  }
  return (path, objectLength) => {
    for (let length = Math.min(path.length, MAX_SEGMENTS); length > Math.max(1, objectLength); length--) {
      const part = path.slice(0, length);
      const found = exact.get(part.join("."));
      if (found !== undefined) return found;
      // Of an object only its own members are known, not what they lead to.
      if (objectLength > 0 && length > objectLength + 1) continue;
      const named = (plain.get(part.at(-1) ?? "") ?? []).find(
        ({ segments }) =>
          // The first segment is what is imported, never the name itself.
          segments.length < length &&
          segments.every((segment, at) => part[length - segments.length + at] === segment),
      );
      if (named !== undefined) return named.name;
    }
    return null;
  };
}
