import type { Listed } from "../../ecosystem.ts";

/**
 * For lockfiles that don't record what the project requests: the packages that no other needs are requested for sure. Manifests
 * know the rest.
 */
export function withoutRoots(
  listed: readonly Listed[],
  needsOf: (entry: Listed) => readonly Listed[],
): (entry: Listed | null) => readonly Listed[] {
  const needs = new Map<Listed, readonly Listed[]>();
  let roots: readonly Listed[] | null = null;
  const findRoots = (): readonly Listed[] => {
    const needed = new Set<Listed>();
    for (const entry of listed) {
      const own = needsOf(entry);
      needs.set(entry, own);
      for (const each of own) if (each !== entry) needed.add(each);
    }
    return listed.filter((entry) => !needed.has(entry));
  };
  return (entry) => (entry === null ? (roots ??= findRoots()) : (needs.get(entry) ?? needsOf(entry)));
}
