/** Describes an unknown key: where it belongs, the nearest known key, or all known keys. */
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import { CONFIG_OUTLINE, type SectionShape } from "./schema-outline.ts";

/** A name that many sections share, such as `enabled`, is no hint about where it belongs. */
const MAX_HOMES = 3;

const HOMES = collectHomes(CONFIG_OUTLINE, "", new Map());

/** Message without the key in front. `section` is the dotted key of the section, "" for the top level, null inside a list. */
export function describeUnknownKey(key: string, section: string | null, known: readonly string[]): string {
  if (key === "<<") return "merge keys aren't supported; write out the values";
  const sameButCase = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (sameButCase !== undefined) return `unknown key; did you mean "${sameButCase}"?`;
  const homes = section === null ? [] : (HOMES.get(key) ?? []);
  if (homes.length > 0 && homes.length <= MAX_HOMES) {
    const places = homes.map((home) => (home === "" ? "the top level" : `\`${home}\``));
    return `unknown key; \`${printable(key)}\` belongs ${homes[0] === "" ? "at" : "under"} ${places.join(" or ")}`;
  }
  const near = nearest(key, known);
  if (near !== null) return `unknown key; did you mean "${near}"?`;
  return `unknown key; known keys: ${known.join(", ")}`;
}

/** Maps a key name to the dotted sections that have it. */
function collectHomes(
  section: SectionShape,
  prefix: string,
  homes: Map<string, string[]>,
): Map<string, string[]> {
  for (const [name, { shape }] of section.keys) {
    homes.set(name, [...(homes.get(name) ?? []), prefix]);
    if (shape.kind === "section") collectHomes(shape, prefix === "" ? name : `${prefix}.${name}`, homes);
  }
  return homes;
}
