/**
 * Splits the files of a review into passes. There is one pass unless `review.chunked` is on and the change exceeds its
 * threshold; then files of the same folder stay together. Passes run one after the other, so their times add up.
 */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { FileAnalysis, ReviewPass } from "./analysis.ts";
import { comparePaths } from "./triage.ts";

type Chunked = RepoConfig["review"]["chunked"];

/** A cut can move by a third of a pass to fall between two folders; more would make passes too uneven. */
const CUT_SLACK = 1 / 3;

export type PassFacts = {
  readonly files: readonly Pick<FileAnalysis, "path" | "tier">[];
  /** Reviewable files of the whole change, including those that triage only mentions. */
  readonly reviewableFiles: number;
  readonly budgetSeconds: number;
};

/** Every file that is read, fully or abbreviated, is in exactly one pass. Mentioned files are in none. */
export function planPasses(facts: PassFacts, chunked: Chunked): readonly ReviewPass[] {
  const paths = facts.files.filter((file) => file.tier !== "mentioned").map((file) => file.path);
  const count = countPasses(paths.length, facts.reviewableFiles, chunked);
  if (count === 1) return [{ name: "review", paths, seconds: facts.budgetSeconds }];
  const seconds = Math.max(chunked.minSeconds, Math.floor(facts.budgetSeconds / count));
  return splitByFolder(paths.toSorted(comparePaths), count).map((part, index) => ({
    name: `part ${index + 1} of ${count}`,
    paths: part,
    seconds,
  }));
}

function countPasses(filesToRead: number, reviewableFiles: number, chunked: Chunked): number {
  if (!chunked.enabled || reviewableFiles <= chunked.threshold || filesToRead < 2) return 1;
  const wanted = Math.ceil(filesToRead / chunked.filesPerChunk);
  return Math.min(Math.max(2, wanted), chunked.maxChunks, filesToRead);
}

/** Cuts the sorted paths into `count` runs of about equal length, each cut where the paths have least in common. */
function splitByFolder(sorted: readonly string[], count: number): readonly (readonly string[])[] {
  const length = sorted.length / count;
  const slack = Math.floor(length * CUT_SLACK);
  const cuts = Array.from({ length: count - 1 }, (_, index) =>
    bestCut(sorted, Math.round((index + 1) * length), slack),
  );
  return [0, ...cuts].map((start, index) => sorted.slice(start, cuts[index] ?? sorted.length));
}

/** The index within `slack` of `ideal` where neighbors share the fewest folders; the nearest one if several are equal. */
function bestCut(sorted: readonly string[], ideal: number, slack: number): number {
  let best = ideal;
  let fewest = sharedFolders(sorted, ideal);
  for (let distance = 1; distance <= slack; distance++) {
    for (const cut of [ideal - distance, ideal + distance]) {
      const shared = sharedFolders(sorted, cut);
      if (shared >= fewest) continue;
      best = cut;
      fewest = shared;
    }
  }
  return best;
}

/** How many leading folders the paths on both sides of a cut share. */
function sharedFolders(sorted: readonly string[], cut: number): number {
  const before = (sorted[cut - 1] ?? "").split("/").slice(0, -1);
  const after = (sorted[cut] ?? "").split("/").slice(0, -1);
  const differs = before.findIndex((folder, index) => folder !== after[index]);
  return differs === -1 ? before.length : differs;
}
