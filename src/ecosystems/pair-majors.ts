/** Where names have their major, another major is another package to every file. This makes one bump of what came and what went. */
import { ecosystemOf } from "./all-ecosystems.ts";
import type { PackageChange } from "./package-change.ts";
import { stepBetween } from "./versions/step-between.ts";

/** The removed name stays in the list, because its advisories and its places are its own. */
export function pairMajors(packages: readonly PackageChange[]): readonly PackageChange[] {
  const gone = new Map<string, PackageChange>();
  for (const change of packages) {
    const key = change.kind === "removed" ? keyOf(change) : null;
    if (key !== null) gone.set(key, change);
  }
  if (gone.size === 0) return packages;
  return packages.map((change) => {
    const { kind, ecosystem, to } = change;
    const from = kind === "added" ? (gone.get(keyOf(change) ?? "")?.from ?? null) : null;
    return from === null || to === null
      ? change
      : { ...change, from, ...stepBetween(ecosystem, from.version, to.version) };
  });
}

/** Null where names have no major. */
function keyOf({ ecosystem, name }: PackageChange): string | null {
  const shared = ecosystemOf(ecosystem).nameOfAllMajors?.(name);
  return shared === undefined ? null : `${ecosystem}\u0000${shared}`;
}
