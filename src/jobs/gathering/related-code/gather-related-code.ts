/**
 * Gathers the code around a change for a model: callers of changed signatures, the functions that hunks are in, the closest test,
 * types. Everything is bounded, and a step that fails or takes too long is a degradation.
 */
import type { Reader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import { isProgramming } from "../../../languages/language-of.ts";
import type { ChangedFile } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import type { SurroundingCode } from "../../../review/context/context.ts";
import type { ShortFunction } from "../../../review/context/related-code.ts";
import {
  type RelatedCandidate,
  selectRelatedCode,
  selectShortFunctions,
  findShownLines,
} from "../../../review/context/select-related-code.ts";
import { gatherAttributes } from "../gather-attributes.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { readTexts } from "../read-texts.ts";
import { changedSymbols, type OutlinedFile, outlineChanged, surroundingsOf } from "./changed-symbols.ts";
import type { CodeView } from "./code-view.ts";
import { type CallerSources, findCallers } from "./find-callers.ts";
import { findTests } from "./find-tests.ts";
import { findTypes } from "./find-types.ts";
import { createRelatedFiles, type RelatedFiles } from "./related-files.ts";

/** A model waits for it, and reads for minutes afterwards. */
const TOTAL_MS = 5_000;

/** Riskiest first. A larger change leaves no room for the code around it. */
const MAX_CHANGED_FILES = 40;

/** Each takes a search through the whole repository. */
const MAX_SYMBOLS = 12;

/** A larger file is data. */
const MAX_BASE_BYTES = 512 * 1024;

/** A hostile file must not use up the time of all others. */
const MAX_PARSE_MS = 1_000;

const WHAT = "related code";

const NO_RELATED_CODE: SurroundingCode = { relatedCode: [], shortFunctions: [] };

export type RelatedDeps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly signal: AbortSignal;
};

/** `view`: null when nothing is known about imports. */
export async function gatherRelatedCode(
  prepared: PreparedReview,
  { repository, reader, signal: given }: RelatedDeps,
  view: CodeView | null,
): Promise<SurroundingCode> {
  const { change, config, degradations } = prepared;
  const { review, pack } = config.tree.root.values;
  const { relatedCode: budgetTokens, skipPaths } = review;
  if (repository === null || budgetTokens === 0) return NO_RELATED_CODE;
  const endsAt = performance.now() + TOTAL_MS;
  const leftMs = (): number => Math.max(1, Math.ceil(endsAt - performance.now()));
  const timer = AbortSignal.timeout(TOTAL_MS);
  const signal = AbortSignal.any([given, timer]);
  const tryStep = async <Value>(step: () => Promise<Value>): Promise<Value | null> =>
    degradations.optional(WHAT, async () => {
      try {
        return await step();
      } catch (error) {
        throw timer.aborted && !given.aborted
          ? new Error(`stopped after ${TOTAL_MS / 1_000} seconds`)
          : error;
      }
    });
  const files = createRelatedFiles({
    repository,
    revision: headOf(change),
    reader,
    skipPaths: [...skipPaths, ...pack.exclude],
    readAttributes: (paths) =>
      gatherAttributes({ ...change, files: paths.map((path) => ({ path })) }, repository, degradations),
    leftMs,
  });
  const changed =
    (await tryStep(() => outlineAll(readable(prepared), prepared, { repository, reader, leftMs }))) ?? [];
  await tryStep(() =>
    files.read(changed.filter(({ outline }) => outline.length > 0).map(({ file }) => file.path)),
  );
  const around = changed.map((each) => ({ file: each.file, found: surroundingsOf(each) }));
  const shortFunctions = selectShortFunctions(shortIn(around, files), change.files, budgetTokens);
  const candidates: RelatedCandidate[] = [];
  const symbols = changedSymbols(changed).slice(0, MAX_SYMBOLS);
  const findImporters: CallerSources["findImporters"] = async (symbol, among) =>
    view === null ? [] : ((await tryStep(() => view.findImporters(symbol, among, signal))) ?? []);
  for (const symbol of symbols) {
    const sources = { repository, revision: headOf(change), files, findImporters, maxMs: leftMs(), signal };
    candidates.push(...((await tryStep(() => findCallers(symbol, sources))) ?? []));
    if (signal.aborted) break;
  }
  const changedPaths = new Set(change.files.map(({ path }) => path));
  const listed = signal.aborted || view === null ? null : await tryStep(() => view.files(signal));
  const paths = listed?.keys() ?? null;
  if (paths !== null)
    candidates.push(
      ...((await tryStep(() => findTests(changed, { files, paths, changedPaths, view, signal }))) ?? []),
    );
  if (!signal.aborted)
    candidates.push(...((await tryStep(() => findTypes(symbols, changed, { files, view, signal }))) ?? []));
  given.throwIfAborted();
  return {
    relatedCode: select(candidates, { prepared, files, shortFunctions, budgetTokens }),
    shortFunctions,
  };
}

type Around = {
  readonly file: ChangedFile;
  readonly found: ReturnType<typeof surroundingsOf>;
};

/** The short functions of which all lines are known. */
function shortIn(around: readonly Around[], files: RelatedFiles): readonly ShortFunction[] {
  return around.flatMap(({ file: { path }, found }) =>
    found.flatMap(({ startLine, endLine }): readonly ShortFunction[] => {
      const lines = files.linesOf(path).slice(startLine - 1, endLine);
      return lines.length === endLine - startLine + 1 ? [{ path, startLine, lines }] : [];
    }),
  );
}

/** The changed code that a model reads, riskiest first. */
function readable({ change, analysis }: PreparedReview): readonly ChangedFile[] {
  const riskOf = ({ path }: ChangedFile): number => analysis.byPath.get(path)?.risk ?? 0;
  return change.files
    .filter(({ path, unreadable, hunks }) => {
      const facts = analysis.byPath.get(path);
      return (
        facts !== undefined &&
        facts.mark === null &&
        !facts.isSkipped &&
        isProgramming(facts.language) &&
        unreadable === null &&
        hunks.length > 0
      );
    })
    .toSorted((one, other) => riskOf(other) - riskOf(one))
    .slice(0, MAX_CHANGED_FILES);
}

async function outlineAll(
  files: readonly ChangedFile[],
  { change }: PreparedReview,
  {
    repository,
    reader,
    leftMs,
  }: { readonly repository: Repository; readonly reader: Reader; readonly leftMs: () => number },
): Promise<readonly OutlinedFile[]> {
  const [after, before] = await Promise.all([
    readTexts(
      files.filter(({ status }) => status !== "deleted"),
      change,
      repository,
    ),
    repository.readBlobs(
      files.flatMap(({ oldBlob }) => oldBlob ?? []),
      MAX_BASE_BYTES,
    ),
  ]);
  const found: OutlinedFile[] = [];
  for (const file of files) {
    const old = file.oldBlob === null ? null : (before.get(file.oldBlob) ?? null);
    const isMissing =
      (file.oldBlob !== null && old === null) || (file.status !== "deleted" && !after.has(file.path));
    if (isMissing) continue;
    const texts = { before: old === null ? null : decodeBytes(old), after: after.get(file.path) ?? null };
    const outlined = await outlineChanged(file, texts, { reader, maxMs: Math.min(MAX_PARSE_MS, leftMs()) });
    if (outlined !== null) found.push(outlined);
  }
  return found;
}

type Selection = {
  readonly prepared: PreparedReview;
  readonly files: RelatedFiles;
  readonly shortFunctions: readonly ShortFunction[];
  readonly budgetTokens: number;
};

/** Each pass has a prompt of its own, with the whole budget. */
function select(
  candidates: readonly RelatedCandidate[],
  { prepared: { change, analysis }, files, shortFunctions, budgetTokens }: Selection,
): SurroundingCode["relatedCode"] {
  const texts = {
    linesOf: (path: string) => files.linesOf(path),
    isVisible: findShownLines(change.files, shortFunctions),
  };
  return analysis.passes.flatMap(({ paths }) => {
    const inPass = new Set(paths);
    const its = candidates.filter(({ changedPath }) => inPass.has(changedPath));
    return selectRelatedCode(its, budgetTokens, texts);
  });
}
