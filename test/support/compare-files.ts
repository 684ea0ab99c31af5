/** Reads and compares dependency files as the reader process does, without one. */
import { comparePairs } from "../../src/review/bumps/compare-files.ts";
import type { DependencyChanges } from "../../src/review/bumps/package-change.ts";
import { type FilePair, readPair } from "../../src/review/bumps/read-pair.ts";

export function compareFiles(pairs: readonly FilePair[]): DependencyChanges {
  return comparePairs(pairs.map(readPair));
}
