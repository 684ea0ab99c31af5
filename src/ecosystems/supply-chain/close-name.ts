/** Finds the popular package that a name imitates. */
import { isOneEditApart } from "../../base/similarity.ts";
import { ECOSYSTEM_IDS, type EcosystemId } from "../ecosystem.ts";
import { ecosystemOf } from "../all-ecosystems.ts";

/** Characters that look alike in most fonts. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[1|]/g, "l"],
  [/0/g, "o"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/5/g, "s"],
];

/** Shorter names are close to too many others. */
const MIN_CHARS = 5;

const POPULAR: ReadonlyMap<EcosystemId, ReadonlySet<string>> = new Map(
  ECOSYSTEM_IDS.map((id) => {
    const names = ecosystemOf(id).popularNames?.split(/\s+/) ?? [];
    return [id, new Set(names.filter(({ length }) => length >= MIN_CHARS))];
  }),
);

/** Null when the name is popular itself, or close to none. */
export function findImitated(ecosystem: EcosystemId, name: string): string | null {
  const popular = POPULAR.get(ecosystem) ?? new Set();
  const bare = name.replace(/^@[^/]+\//, "").toLowerCase();
  // A scope is an account of its own, and forks and plug-ins keep the name.
  if (name.startsWith("@") || popular.has(bare) || bare.length < MIN_CHARS) return null;
  for (const other of popular) {
    if (folded(bare) === folded(other) || isOneEditApart(bare, other)) return other;
  }
  return null;
}

/** Without separators and with one form for characters that look alike. */
function folded(name: string): string {
  return LOOKALIKES.reduce((text, [pattern, by]) => text.replace(pattern, by), name.replaceAll(/[-_.]/g, ""));
}
