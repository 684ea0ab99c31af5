/** Finds where the repository uses a package: searches files that mention it, then reads them as code. */
import type { Reader } from "../../../reading/reader.ts";
import type { Repository, Revision } from "../../../repository/repository.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import { languageOf } from "../../../languages/language-of.ts";
import type { WantedPackage } from "../../../ecosystems/api/uses/find-uses.ts";
import type { FileUses, UsingFile } from "../../../languages/uses/package-uses.ts";
import { type UseSummary, summarizeUses } from "../../../ecosystems/api/uses/summarize-uses.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";

/** A package that more files import is summarized from these. */
const MAX_FILES = 300;
const MAX_HITS = 5_000;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_SEARCH_MS = 10_000;
const MAX_READ_MS = 20_000;
const FILES_PER_TASK = 50;

/** Lockfiles and manifests mention every package, and none of them uses it. */
const NO_CODE = /\.(?:json|lock|ya?ml|toml|md|txt|mod|sum|xml|html|css|snap|svg)$|(?:^|\/)node_modules\//;

const WORKFLOW = /\.ya?ml$/;

export type UseSearch = {
  readonly repository: Repository;
  readonly revision: Revision;
  readonly reader: Reader;
  /** Workflows use it, and code doesn't. */
  readonly inWorkflows: boolean;
  readonly signal: AbortSignal;
};

export async function findPackageUses(
  wanted: WantedPackage,
  terms: readonly string[],
  { repository, revision, reader, inWorkflows, signal }: UseSearch,
): Promise<UseSummary> {
  const paths = new Set<string>();
  const found: FileUses[] = [];
  const isSearched = (path: string): boolean => (inWorkflows ? WORKFLOW.test(path) : !NO_CODE.test(path));
  for (const text of terms) {
    const search = {
      text,
      isWord: false,
      folder: "",
      accepts: ({ path }: { readonly path: string }) => isSearched(path) && !paths.has(path),
      maxHits: MAX_HITS,
    };
    const { hits, endedBy } = await repository.search(revision, search, { maxMs: MAX_SEARCH_MS, signal });
    for (const { path } of hits) paths.add(path);
    // Files that it didn't come to can have more.
    if (endedBy !== "end") found.push(unreadUses({ path: "", isTest: false }));
  }
  const listed = [...paths].slice(0, MAX_FILES);
  for (let start = 0; start < listed.length; start += FILES_PER_TASK) {
    const batch = listed.slice(start, start + FILES_PER_TASK);
    const texts = await repository.readFiles(revision, batch, MAX_FILE_BYTES);
    const files = batch.flatMap((path): readonly UsingFile[] => {
      const text = texts.get(path);
      if (text === undefined) {
        found.push(unreadUses({ path, isTest: false }));
        return [];
      }
      return [
        { path, language: languageOf(path), text: decodeBytes(text), isTest: categoryOf(path) === "test" },
      ];
    });
    const reading = await reader.ask("find-uses", { files, wanted }, MAX_READ_MS);
    found.push(...(reading.kind === "read" ? reading.value : files.map(unreadUses)));
  }
  return summarizeUses([
    ...found,
    ...[...paths].slice(MAX_FILES).map((path) => unreadUses({ path, isTest: false })),
  ]);
}

const unreadUses = ({ path, isTest }: Pick<UsingFile, "path" | "isTest">): FileUses => ({
  path,
  isTest,
  imports: [],
  useCount: 0,
  places: [],
  isOpen: true,
  problem: "limit",
});
