/** Reads and compares dependency files as the reader process does, without one. */
import { comparePairs } from "../../src/ecosystems/compare-files.ts";
import type { DependencyChanges } from "../../src/ecosystems/package-change.ts";
import { type FilePair, readPair } from "../../src/ecosystems/read-pair.ts";

export function compareFiles(pairs: readonly FilePair[]): DependencyChanges {
  return comparePairs(pairs.map(readPair));
}
