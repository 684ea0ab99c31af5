/** Finds the popular package that a name imitates. */
import { isOneEditApart } from "../../base/similarity.ts";
import type { Ecosystem } from "../ecosystem.ts";
import { popularNames } from "./popular-names.ts";

/** Characters that look alike in most fonts. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[1|]/g, "l"],
  [/0/g, "o"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/5/g, "s"],
];

/** Null when the name is popular itself, or close to none. */
export function findImitated(ecosystem: Ecosystem, name: string): string | null {
  const popular = popularNames(ecosystem);
  const bare = name.replace(/^@[^/]+\//, "").toLowerCase();
  // A scope is an account of its own, and forks and plug-ins keep the name.
  if (name.startsWith("@") || popular.has(bare) || bare.length < 5) return null;
  for (const other of popular) {
    if (folded(bare) === folded(other) || isOneEditApart(bare, other)) return other;
  }
  return null;
}

/** Without separators and with one form for characters that look alike. */
function folded(name: string): string {
  return LOOKALIKES.reduce((text, [pattern, by]) => text.replace(pattern, by), name.replaceAll(/[-_.]/g, ""));
}
