/** The relations between the packages of a lockfile, resolved only when they are asked for. */
import { appendTo } from "../../base/append-to.ts";
import type { Listed } from "../ecosystem.ts";

export function byName(listed: readonly Listed[]): ReadonlyMap<string, readonly Listed[]> {
  const entries = new Map<string, Listed[]>();
  for (const entry of listed) appendTo(entries, entry.name, entry);
  return entries;
}

/** Calculates a value at its first use. */
export function lazily<Value>(calculate: () => Value): () => Value {
  let result: { readonly value: Value } | null = null;
  return () => (result ??= { value: calculate() }).value;
}

/**
 * For lockfiles that don't say what the project itself requests: those that no other package needs are requested for sure. The
 * manifest knows the rest.
 */
export function needsWithoutRoots(
  listed: readonly Listed[],
  namesOf: (entry: Listed) => readonly string[],
): (entry: Listed | null) => readonly Listed[] {
  const entries = lazily(() => byName(listed));
  const known = new Map<Listed, readonly string[]>();
  const namesOnce = (entry: Listed): readonly string[] => {
    const names = known.get(entry) ?? namesOf(entry);
    known.set(entry, names);
    return names;
  };
  const roots = lazily(() => {
    const needed = new Set<string>();
    for (const entry of listed) {
      for (const name of namesOnce(entry)) if (name !== entry.name) needed.add(name);
    }
    return listed.filter((entry) => !needed.has(entry.name));
  });
  return (entry) => {
    if (entry === null) return roots();
    const needed: Listed[] = [];
    for (const name of namesOnce(entry)) {
      for (const each of entries().get(name) ?? []) needed.push(each);
    }
    return needed;
  };
}
