import type { Listed } from "../ecosystem.ts";

/**
 * For lockfiles that don't record what the project requests: the packages that no other needs are requested for sure. Manifests
 * know the rest.
 */
export function withoutRoots(
  listed: readonly Listed[],
  needsOf: (entry: Listed) => readonly Listed[],
): (entry: Listed | null) => readonly Listed[] {
  // All entries are walked for their own needs and again for the roots.
  const known = new Map<Listed, readonly Listed[]>();
  const needsOnce = (entry: Listed): readonly Listed[] => {
    const needs = known.get(entry) ?? needsOf(entry);
    known.set(entry, needs);
    return needs;
  };
  let roots: readonly Listed[] | null = null;
  const findRoots = (): readonly Listed[] => {
    const needed = new Set<Listed>();
    for (const entry of listed) for (const each of needsOnce(entry)) if (each !== entry) needed.add(each);
    return listed.filter((entry) => !needed.has(entry));
  };
  return (entry) => (entry === null ? (roots ??= findRoots()) : needsOnce(entry));
}
