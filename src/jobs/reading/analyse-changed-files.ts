/** Gives the changed files to the analysers, with the lines that the change added. */
import type { Analysed, Analysers, FileToAnalyse } from "../../linters/analysers.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import { newFileText } from "../../review/change/new-file-text.ts";
import { reverseFile, textBefore } from "../../review/change/reverse-file.ts";
import { addedLineNumbers, addedLines } from "../../review/change/walk-hunks.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { markExisting, mayBeExisting } from "../../review/findings/mark-existing.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { readTexts } from "../gathering/read-texts.ts";

/** Texts of one batch are read together. */
const FILES_PER_BATCH = 100;

/** All texts are in memory at the same time. Files beyond this are reported as not checked. */
const MAX_TOTAL_CHARS = 32_000_000;

const NOTHING: Analysed = { findings: [], reports: [] };

export type AnalyseDeps = {
  readonly analysers: Analysers | null;
  readonly repository: Repository | null;
  readonly signal: AbortSignal;
};

export async function analyseChangedFiles(prepared: PreparedReview, deps: AnalyseDeps): Promise<Analysed> {
  const { change, analysis, config, degradations, prior } = prepared;
  const { analysers, repository, signal } = deps;
  if (analysers === null || analysis.skippedBecause !== null) return NOTHING;
  const mayEnd = fileMayEndFinding(change, prior);
  const wanted = change.files.filter(
    (file) => isWanted(file, analysis, analysers) && (addsCode(file, analysis) || mayEnd(file)),
  );
  if (wanted.length === 0) return NOTHING;
  const texts = await degradations.optional("file contents", () => readAll(wanted, change, repository));
  const files = wanted.map((file): FileToAnalyse => {
    const { path } = file;
    const facts = analysis.byPath.get(path);
    return {
      path,
      language: facts?.language ?? "unknown",
      text: texts?.get(path) ?? null,
      added: new Set(addedLineNumbers(file)),
      isTest: facts?.category === "test",
      config: config.tree.forPath(path).values,
    };
  });
  const analysed = await analysers.analyse(files, signal);
  return {
    ...analysed,
    findings: await withExisting(analysed.findings, files, change, { analysers, signal }),
  };
}

/** Checks files again as they were before the change, where a finding is next to removed lines. */
async function withExisting(
  findings: readonly Finding[],
  files: readonly FileToAnalyse[],
  change: Change,
  { analysers, signal }: { readonly analysers: Analysers; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const changed = new Map(change.files.map((file) => [file.path, file]));
  const found = Map.groupBy(findings, ({ path }) => path);
  const before = files.flatMap((file): readonly FileToAnalyse[] => {
    const after = changed.get(file.path);
    if (after === undefined || file.text === null) return [];
    const reversed = mayBeExisting(found.get(file.path) ?? [], after) ? reverseFile(after) : null;
    if (reversed === null) return [];
    const removed = new Set(addedLineNumbers(reversed));
    return [{ ...file, text: textBefore(after, file.text), added: removed }];
  });
  if (before.length === 0) return findings;
  const earlier = Map.groupBy((await analysers.analyse(before, signal)).findings, ({ path }) => path);
  return [...found].flatMap(([path, own]) => {
    const file = changed.get(path);
    return file === undefined ? own : markExisting(own, earlier.get(path) ?? [], file);
  });
}

/**
 * A finding of an earlier review ends only when its linter has looked at its file again, even if only comments are left there. The file of
 * a finding that isn't in the change can have any new name.
 */
function fileMayEndFinding(
  { files }: Change,
  { findings }: PreparedReview["prior"],
): (file: ChangedFile) => boolean {
  const namesOf = ({ path, oldPath }: ChangedFile): readonly string[] =>
    oldPath === null ? [path] : [path, oldPath];
  const changed = new Set(files.flatMap(namesOf));
  const found = new Set(findings.map(({ path }) => path));
  const isLost = [...found].some((path) => !changed.has(path));
  return (file) => isLost || namesOf(file).some((name) => found.has(name));
}

/** Not lock files, generated, vendored, minified and skipped files. */
function isWanted(file: ChangedFile, { byPath }: Analysis, analysers: Analysers): boolean {
  const facts = byPath.get(file.path);
  if (facts === undefined || facts.mark !== null || facts.isSkipped) return false;
  return file.hunks.length > 0 && file.addedLines > 0 && analysers.isFor(facts);
}

/** Files whose linters are WebAssembly and slow to start, with comments after a `#`. Scripts without an extension are of no known language. */
const HASH_COMMENTS = /^(?:python|bash|dockerfile|yaml|unknown)$/;

/**
 * An empty line, or a comment in plain characters. Others count as code: a linter reports hidden characters, a line of a string can
 * contain expressions, and the first line can name a shell.
 */
const WITHOUT_CODE = /^\s*(?:#(?!!)[\x20-\x7e]*)?$/;
const EXPRESSION = /[$`{\\]/;

function addsCode(file: ChangedFile, { byPath }: Analysis): boolean {
  if (!HASH_COMMENTS.test(byPath.get(file.path)?.language ?? "")) return true;
  for (const { text } of addedLines(file)) if (!WITHOUT_CODE.test(text) || EXPRESSION.test(text)) return true;
  return false;
}

async function readAll(
  files: readonly ChangedFile[],
  change: Change,
  repository: Repository | null,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let chars = 0;
  const keep = (path: string, text: string): void => {
    chars += text.length;
    if (chars <= MAX_TOTAL_CHARS) texts.set(path, text);
  };
  const rest = files.filter((file) => {
    const text = newFileText(file);
    if (text !== null) keep(file.path, text);
    return text === null;
  });
  for (let start = 0; start < rest.length; start += FILES_PER_BATCH) {
    if (chars > MAX_TOTAL_CHARS) break;
    const batch = await readTexts(rest.slice(start, start + FILES_PER_BATCH), change, repository);
    for (const [path, text] of batch) keep(path, text);
  }
  return texts;
}
