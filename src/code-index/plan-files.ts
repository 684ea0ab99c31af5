/** Plans which contents are indexed: the files of a revision, grouped by content and language. */
import type { TreeFile } from "../repository/repository.ts";
import { languageOf } from "../languages/language-of.ts";
import type { NoFactsReason } from "./code-index.ts";
import { factsKey } from "./facts-store.ts";

/** A larger file is data or generated. Extracting its facts takes less than a second. */
export const MAX_INDEXED_BYTES = 1024 * 1024;

/** The largest public repositories have about 100,000 files. Facts of 200,000 files take some hundred MB of memory. */
const MAX_FILES = 200_000;

/** A file to index, and the paths that have this content. */
export type WantedFile = {
  readonly key: string;
  readonly blob: string;
  readonly language: string;
  readonly bytes: number;
  readonly paths: string[];
};

/** Groups files by content and language. Files without facts are added to `failed`. */
export function planFiles(
  files: readonly TreeFile[],
  failed: { path: string; reason: NoFactsReason }[],
): readonly WantedFile[] {
  const hasCpp = files.some(({ path }) => languageOf(path) === "cpp");
  const wanted = new Map<string, WantedFile>();
  for (const [index, { path, blob, bytes }] of files.entries()) {
    const reason = reasonAgainst(index, bytes, blob);
    if (reason !== null) {
      failed.push({ path, reason });
      continue;
    }
    const language = languageOf(path, { hasCpp });
    const key = factsKey(blob, language);
    const same = wanted.get(key);
    if (same === undefined) wanted.set(key, { key, blob, language, bytes, paths: [path] });
    else same.paths.push(path);
  }
  return [...wanted.values()];
}

/** The ids of an empty file. Another file of size 0 isn't in this clone. */
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

function reasonAgainst(index: number, bytes: number, blob: string): NoFactsReason | null {
  if (index >= MAX_FILES) return "over-limit";
  if (bytes > MAX_INDEXED_BYTES) return "too-large";
  return bytes === 0 && !EMPTY_BLOBS.has(blob) ? "unreadable" : null;
}
