/** The edges between files: from each import, and from names that a language finds without one. */
import { countWord, hashWord, type FileFacts } from "../file-facts.ts";
import { compareBytes } from "./file-tree.ts";
import type { ImportGraph, Resolver } from "./resolver.ts";

/** Files and edges are in byte order. */
export function buildImportGraph(facts: ReadonlyMap<string, FileFacts>, resolver: Resolver): ImportGraph {
  const dependencies = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    setIn(dependencies, from).add(to);
    setIn(dependents, to).add(from);
  };
  const narrow = createNarrowing(facts);
  for (const from of [...facts.keys()].toSorted(compareBytes)) {
    for (const imported of facts.get(from)?.imports ?? []) {
      for (const to of narrow(from, resolver.resolve(from, imported).paths)) link(from, to);
    }
    for (const to of resolver.resolveUnimported(from).paths) link(from, to);
  }
  for (const [from, targets] of dependencies) {
    if (targets.size > 1) dependencies.set(from, new Set([...targets].toSorted(compareBytes)));
  }
  return { dependencies, dependents: sortKeys(dependents) };
}

/** An import of a Go package leads to all its files: keeps those that define a name which the importing file contains, if any does. */
function createNarrowing(
  facts: ReadonlyMap<string, FileFacts>,
): (from: string, paths: readonly string[]) => readonly string[] {
  const exported = new Map<string, readonly number[]>();
  const namesOf = (path: string): readonly number[] => {
    const known = exported.get(path);
    if (known !== undefined) return known;
    const definitions = facts.get(path)?.definitions ?? [];
    const hashes = definitions
      .filter((each) => each.isExported && each.kind !== "method")
      .map((each) => hashWord(each.name));
    exported.set(path, hashes);
    return hashes;
  };
  return (from, paths) => {
    const words = facts.get(from)?.words;
    if (paths.length < 2 || words === undefined || !from.endsWith(".go")) return paths;
    const used = paths.filter((path) => namesOf(path).some((hash) => countWord(words, hash) > 0));
    return used.length === 0 ? paths : used;
  };
}

function setIn(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key) ?? new Set<string>();
  map.set(key, known);
  return known;
}

function sortKeys(map: ReadonlyMap<string, Set<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...map].toSorted(([a], [b]) => compareBytes(a, b)));
}
