/**
 * Finds the code that a change concerns: callers of changed signatures, the closest test, types, and the functions that hunks are in.
 * Everything is bounded, and a step that fails or takes too long is a degradation.
 */
import { createWorkBudget, type WorkBudget } from "../../../base/work-budget.ts";
import type { CodeReader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Change, ChangedFile } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import type { RelatedCandidate } from "../../../review/context/select-related-code.ts";
import { gatherAttributes } from "../gather-attributes.ts";
import { headOf } from "../gather-listing.ts";
import type { Degradations } from "../optional.ts";
import { readTexts } from "../read-texts.ts";
import { changedSymbols, type OutlinedFile, outlineChanged } from "./changed-symbols.ts";
import type { CodeView } from "./code-view.ts";
import { type CallerSources, findCallers } from "./find-callers.ts";
import { findTests } from "./find-tests.ts";
import { findTypes } from "./find-types.ts";
import { createRelatedFiles, type RelatedFiles } from "./related-files.ts";

/** CPU time. A model waits for it, and reads for minutes afterwards. */
const TOTAL_MS = 5_000;

/** On the clock, for what hangs. A very busy machine needs several times the CPU time. */
const MAX_CLOCK_MS = 30_000;

/** A larger change leaves no room for the code around it. */
const MAX_CHANGED_FILES = 40;

/** Each takes a search through the whole repository. */
const MAX_SYMBOLS = 12;

/** A larger file is data. */
const MAX_BASE_BYTES = 512 * 1024;

/** A hostile file must not use up the time of all others. */
const MAX_PARSE_MS = 1_000;

const WHAT = "related code";

export type RelatedSearch = {
  readonly change: Change;
  /** The changed code that is read, the most important first. */
  readonly readable: readonly ChangedFile[];
  /** Globs of files that aren't shown. */
  readonly skipPaths: readonly string[];
  readonly degradations: Degradations;
  /** Null when nothing is known about imports. */
  readonly view: CodeView | null;
};

export type RelatedCodeSources = {
  readonly repository: Repository;
  readonly reader: CodeReader;
  readonly signal: AbortSignal;
};

export type FoundRelatedCode = {
  readonly changed: readonly OutlinedFile[];
  readonly candidates: readonly RelatedCandidate[];
  /** The files that were read, without their secrets. */
  readonly files: RelatedFiles;
};

export async function findRelatedCode(
  search: RelatedSearch,
  { repository, reader, signal: given }: RelatedCodeSources,
): Promise<FoundRelatedCode> {
  const { change, degradations, view } = search;
  const budget = createWorkBudget(TOTAL_MS, () => performance.now());
  const timer = AbortSignal.timeout(MAX_CLOCK_MS);
  const signal = AbortSignal.any([given, timer]);
  const tryStep = async <Value>(step: () => Promise<Value>): Promise<Value | null> =>
    degradations.optional(WHAT, async () => {
      try {
        return await step();
      } catch (error) {
        throw timer.aborted && !given.aborted
          ? new Error(`stopped after ${MAX_CLOCK_MS / 1_000} seconds`)
          : error;
      }
    });
  const files = createRelatedFiles({
    repository,
    revision: headOf(change),
    reader,
    skipPaths: search.skipPaths,
    readAttributes: (paths) =>
      gatherAttributes({ ...change, files: paths.map((path) => ({ path })) }, repository, degradations),
    budget,
  });
  const changed = (await tryStep(() => outlineAll(search, { repository, reader, budget }))) ?? [];
  await tryStep(() =>
    files.read(changed.filter(({ outline }) => outline.length > 0).map(({ file }) => file.path)),
  );
  const candidates: RelatedCandidate[] = [];
  const symbols = changedSymbols(changed).slice(0, MAX_SYMBOLS);
  const findImporters: CallerSources["findImporters"] = async (symbol, among) =>
    view === null ? [] : ((await tryStep(() => view.findImporters(symbol, among, signal))) ?? []);
  for (const symbol of symbols) {
    if (budget.leftMs() === 0)
      degradations.note(WHAT, `stopped after ${TOTAL_MS / 1_000} seconds of CPU time`);
    if (signal.aborted || budget.leftMs() === 0) break;
    const sources = { repository, revision: headOf(change), files, findImporters, budget, signal };
    candidates.push(...((await tryStep(() => findCallers(symbol, sources))) ?? []));
  }
  const changedPaths = new Set(change.files.map(({ path }) => path));
  const isNothing = changed.length === 0 || signal.aborted;
  const listed = isNothing || view === null ? null : await tryStep(() => view.files(signal));
  const paths = listed?.keys() ?? null;
  if (paths !== null)
    candidates.push(
      ...((await tryStep(() => findTests(changed, { files, paths, changedPaths, view, signal }))) ?? []),
    );
  if (!signal.aborted)
    candidates.push(...((await tryStep(() => findTypes(symbols, changed, { files, view, signal }))) ?? []));
  given.throwIfAborted();
  return { changed, candidates, files };
}

async function outlineAll(
  { change, readable }: RelatedSearch,
  {
    repository,
    reader,
    budget,
  }: { readonly repository: Repository; readonly reader: CodeReader; readonly budget: WorkBudget },
): Promise<readonly OutlinedFile[]> {
  const wanted = readable.slice(0, MAX_CHANGED_FILES);
  const [after, before] = await Promise.all([
    readTexts(
      wanted.filter(({ status }) => status !== "deleted"),
      change,
      repository,
    ),
    repository.readBlobs(
      wanted.flatMap(({ oldBlob }) => oldBlob ?? []),
      MAX_BASE_BYTES,
    ),
  ]);
  const found: OutlinedFile[] = [];
  for (const file of wanted) {
    const old = file.oldBlob === null ? null : (before.get(file.oldBlob) ?? null);
    const isMissing =
      (file.oldBlob !== null && old === null) || (file.status !== "deleted" && !after.has(file.path));
    if (isMissing) continue;
    const maxMs = Math.min(MAX_PARSE_MS, budget.leftMs());
    if (maxMs === 0) break;
    const texts = { before: old === null ? null : decodeBytes(old), after: after.get(file.path) ?? null };
    const outlined = await outlineChanged(file, texts, { reader, maxMs, onUsed: budget.spend });
    if (outlined !== null) found.push(outlined);
  }
  return found;
}
