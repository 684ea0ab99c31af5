/**
 * Finds files of the repository that still use an export as it was before the change. Runs only for changes that touch a declaration, and
 * within a few seconds of CPU time: a review doesn't wait for a search of a huge repository. A search that a limit ends leaves a gap.
 */
import { containingFolder } from "../../../base/containing-folder.ts";
import { count } from "../../../base/count.ts";
import { MAX_PARSED_BYTES } from "../../../base/parse-limit.ts";
import { createWorkBudget, type WorkBudget } from "../../../base/work-budget.ts";
import type { Reader, ReaderTasks } from "../../../reading/reader.ts";
import type { Repository, Revision } from "../../../repository/repository.ts";
import { isProjectFile } from "../../../languages/csharp/project-usings.ts";
import { languageOf } from "../../../languages/language-of.ts";
import type { ChangedFile } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import type { BrokenExport, FileReferences } from "../../../languages/exports/export-change.ts";
import { isPartOfProgram, touchesExports } from "../../../languages/exports/choose-files.ts";
import { type ChangedModule, needsOneDeclaration } from "../../../languages/exports/find-broken-exports.ts";
import { type WantedWord, wantedWords } from "../../../languages/exports/wanted-words.ts";
import { EXPORT_RULES } from "../../reading/inputs-of-rules.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { readTexts } from "../read-texts.ts";

/** CPU time of all steps together. Most changes need less than a second. */
const TOTAL_MS = 10_000;

/** Larger changes move code around, and their authors have a compiler. */
const MAX_CHANGED_FILES = 60;

/** Words to search for. Each is one run of git, over the repository or one folder. */
const MAX_WORDS = 40;

const MAX_HITS = 2_000;

/** Files with it can use a namespace for others of their project. */
const GLOBAL_USING: WantedWord = { text: "global using", folder: null };

/** Files that are read as code: about two seconds. */
const MAX_FILES = 250;
const FILES_PER_TASK = 50;

type ExportSearch = {
  readonly prepared: PreparedReview;
  readonly repository: Repository;
  readonly reader: Reader;
  readonly revision: Revision;
  readonly signal: AbortSignal;
  readonly budget: WorkBudget;
};

const NEED = { check: "search for uses of changed exports", paths: null, rules: EXPORT_RULES };

export async function gatherBrokenExports(
  prepared: PreparedReview,
  deps: {
    readonly repository: Repository | null;
    readonly reader: Reader;
    readonly signal: AbortSignal;
    readonly now: () => number;
  },
): Promise<readonly BrokenExport[]> {
  const { change, analysis, degradations } = prepared;
  const { repository, reader, signal, now } = deps;
  const touched = change.files.filter(
    (file) => analysis.byPath.get(file.path)?.mark === null && touchesExports(file, languageOf(file.path)),
  );
  if (touched.length === 0) return [];
  if (repository === null || change.kind === "diff") {
    degradations.miss({ ...NEED, reason: "off", detail: "only a diff is known" });
    return [];
  }
  if (touched.length > MAX_CHANGED_FILES) {
    const detail = `more than ${MAX_CHANGED_FILES} files change declarations`;
    degradations.miss({ ...NEED, reason: "limit", detail });
    return [];
  }
  const revision = headOf(change);
  const search = { prepared, repository, reader, revision, signal, budget: createWorkBudget(TOTAL_MS, now) };
  return (await degradations.checked(NEED, () => searchUses(touched, search))) ?? [];
}

async function searchUses(
  touched: readonly ChangedFile[],
  search: ExportSearch,
): Promise<readonly BrokenExport[]> {
  const compared = await compareModules(touched, search);
  const words = wantedWords(compared);
  if (words.length === 0) return [];
  const paths = await search.prepared.listing();
  if (paths === null) return [];
  if (words.length > MAX_WORDS) noteLimit(search, `only ${MAX_WORDS} of ${words.length} names were searched`);
  const { found, isWhole } = await findFiles(words.slice(0, MAX_WORDS), search);
  const modules = compared.filter(({ path }) => isWhole || !needsOneDeclaration(path));
  const wanted = [...new Set(modules.flatMap(({ changes }) => changes.map(({ name }) => name)))];
  const usesProjects = modules.some(({ path }) => path.endsWith(".cs"));
  const global = usesProjects ? (await findFiles([GLOBAL_USING], search)).found : [];
  const known = new Set(found);
  const files = [
    ...(await readReferences(found, wanted, search)),
    ...(await readReferences(
      global.filter((path) => path.endsWith(".cs") && !known.has(path)),
      wanted,
      search,
    )),
  ];
  if (files.every(({ references }) => references.length === 0)) return [];
  // Few changes need it.
  const { readManifests } = await import("../read-manifests.ts");
  const manifests = await readManifests(paths, search);
  const projects = usesProjects
    ? await readManifests(paths, search, isProjectFile)
    : new Map<string, string>();
  return ask(search, "find-broken-exports", { modules, files, paths, manifests, projects });
}

function noteLimit({ prepared }: ExportSearch, detail: string): void {
  prepared.degradations.miss({ ...NEED, reason: "limit", detail });
}

/** Throws when the time is up, so that the review shows it. */
function msLeft({ budget }: ExportSearch): number {
  const leftMs = budget.leftMs();
  if (leftMs === 0) throw tooLong();
  return leftMs;
}

function tooLong(): Error {
  return new Error(`stopped after ${TOTAL_MS / 1_000} seconds of CPU time`);
}

/** Rejects when the time is up. */
async function ask<Task extends "compare-exports" | "find-references" | "find-broken-exports">(
  search: ExportSearch,
  task: Task,
  takes: ReaderTasks[Task]["takes"],
): Promise<ReaderTasks[Task]["gives"]> {
  const { reader, budget } = search;
  const reading = await reader.ask(task, takes, msLeft(search), budget.spend);
  if (reading.kind === "read") return reading.value;
  throw reading.kind === "failed" ? new Error(reading.message) : tooLong();
}

async function compareModules(
  touched: readonly ChangedFile[],
  search: ExportSearch,
): Promise<readonly ChangedModule[]> {
  const { repository, prepared, revision } = search;
  // A file that was only moved has no ids, and the same text as before.
  const moved = touched.flatMap(({ path, oldBlob }) => (oldBlob === null ? [path] : []));
  const same = await repository.readFiles(revision, moved, MAX_PARSED_BYTES);
  const ids = touched.flatMap(({ oldBlob }) => oldBlob ?? []);
  const olds = await repository.readBlobs(ids, MAX_PARSED_BYTES);
  const news = await readTexts(touched, prepared.change, repository);
  const compared = touched.flatMap((file) => {
    const before = file.oldBlob === null ? same.get(file.path) : olds.get(file.oldBlob);
    const isGone = file.status === "deleted" || file.status === "renamed";
    const after = isGone ? null : news.get(file.path);
    if (before === undefined || after === undefined || file.oldPath === null) return [];
    const path = file.oldPath;
    const texts = { path, language: languageOf(path), before: decodeBytes(before), after };
    return [{ file, isGone, path, texts }];
  });
  const changes = await ask(search, "compare-exports", { files: compared.map(({ texts }) => texts) });
  return compared.flatMap(({ file, isGone, path }, index) => {
    const own = changes[index] ?? [];
    return own.length === 0 ? [] : [{ file, isGone, path, changes: own }];
  });
}

/** Files that contain one of the words. */
async function findFiles(
  words: readonly WantedWord[],
  search: ExportSearch,
): Promise<{ readonly found: readonly string[]; readonly isWhole: boolean }> {
  const { repository, revision, signal } = search;
  const found = new Set<string>();
  let isWhole = true;
  for (const { text, folder } of words) {
    const isInReach = (path: string): boolean => folder === null || containingFolder(path) === folder;
    const { hits, endedBy } = await repository.search(
      revision,
      {
        text,
        isWord: true,
        folder: folder ?? "",
        accepts: ({ path }) => !found.has(path) && isInReach(path) && isPartOfProgram(path, languageOf(path)),
        maxHits: MAX_HITS,
        onUsed: search.budget.spend,
      },
      { maxMs: msLeft(search), signal },
    );
    for (const { path } of hits) found.add(path);
    if (endedBy === "time") throw tooLong();
    if (endedBy !== "end") isWhole = false;
  }
  return { found: [...found], isWhole: isWhole && found.size <= MAX_FILES };
}

async function readReferences(
  found: readonly string[],
  wanted: readonly string[],
  search: ExportSearch,
): Promise<readonly FileReferences[]> {
  const { repository, revision } = search;
  if (found.length > MAX_FILES)
    noteLimit(search, `only ${MAX_FILES} of ${count(found.length, "file")} were read`);
  const listed = found.slice(0, MAX_FILES);
  const all: FileReferences[] = [];
  for (let start = 0; start < listed.length; start += FILES_PER_TASK) {
    const batch = listed.slice(start, start + FILES_PER_TASK);
    const texts = await repository.readFiles(revision, batch, MAX_PARSED_BYTES);
    const files = [...texts].map(([path, text]) => ({
      path,
      language: languageOf(path),
      text: decodeBytes(text),
    }));
    all.push(...(await ask(search, "find-references", { files, wanted })));
  }
  return all;
}
