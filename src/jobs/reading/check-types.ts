/** Gives the changed scripts to the type checker, with the scripts of the repository that they can import. */
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { addedLineNumbers } from "../../review/change/walk-hunks.ts";
import { isResolutionManifest } from "../../languages/resolve/create-resolver.ts";
import type { Analysed, FileToAnalyse } from "../../linters/analysers.ts";
import { TYPE_RULE_IDS } from "../../config/repo-config/type-rules.ts";
import { TYPE_CHECKER, type TypeChecker } from "../../linters/type-checker.ts";
import type { Repository, TreeFile } from "../../repository/repository.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";

const LANGUAGES: ReadonlySet<string> = new Set(["typescript", "tsx"]);

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const NOT_IMPORTED = /(?:^|\/)(?:node_modules|dist|build|out|vendor|\.yarn|__snapshots__)\/|\.min\.js$/;

/** About 400,000 lines. A larger project takes too much memory. */
const MAX_FILES = 8_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 512 * 1024;
const FILES_PER_READING = 500;

const MAX_PATHS = 200_000;
const MAX_LISTING_MS = 30_000;

/** More changed files are a move, and each costs time. */
const MAX_CHECKED = 300;

const NOTHING: Analysed = { findings: [], reports: [] };

export async function checkTypes(
  { change, analysis, config, degradations }: PreparedReview,
  deps: {
    /** Null where types aren't checked: on the command line. */
    readonly typeChecker: TypeChecker | null;
    readonly repository: Repository | null;
    readonly signal: AbortSignal;
  },
): Promise<Analysed> {
  const { typeChecker, repository, signal } = deps;
  if (analysis.skippedBecause !== null) return NOTHING;
  const wanted = change.files.filter((file) => {
    const facts = analysis.byPath.get(file.path);
    if (facts === undefined || facts.mark !== null || facts.isSkipped || facts.category === "test")
      return false;
    const { analysers, floor } = config.tree.forPath(file.path).values;
    const isOn = typeof analysers.oxlint === "object" && analysers.oxlint.typeAware && floor.enabled;
    return isOn && file.addedLines > 0 && LANGUAGES.has(facts.language);
  });
  if (wanted.length === 0) return NOTHING;
  const need = { check: TYPE_CHECKER, paths: wanted.map(({ path }) => path), rules: [...TYPE_RULE_IDS] };
  if (typeChecker === null || repository === null) {
    degradations.miss({ ...need, reason: "off", detail: "only the GitHub App checks types" });
    return NOTHING;
  }
  const analysed = await degradations.checked(need, async () => {
    const revision = headOf(change);
    const listed = await repository.listFiles(revision, MAX_PATHS, { maxMs: MAX_LISTING_MS, signal });
    const project = (listed ?? []).filter(isOfProject);
    const bytes = project.reduce((sum, file) => sum + file.bytes, 0);
    const isTooLarge = listed === null || project.length > MAX_FILES || bytes > MAX_BYTES;
    if (isTooLarge || wanted.length > MAX_CHECKED) {
      const detail = isTooLarge ? "the project is too large" : `more than ${MAX_CHECKED} files changed`;
      degradations.miss({ ...need, reason: "limit", detail });
      return NOTHING;
    }
    const texts = await readProject(project, repository);
    const files = wanted.map((file): FileToAnalyse => ({
      path: file.path,
      language: analysis.byPath.get(file.path)?.language ?? "unknown",
      text: texts.get(file.path) ?? null,
      added: new Set(addedLineNumbers(file)),
      isTest: false,
      config: config.tree.forPath(file.path).values,
    }));
    return typeChecker.check(files, texts, signal);
  });
  return analysed ?? NOTHING;
}

function isOfProject({ path, bytes }: TreeFile): boolean {
  return (
    bytes <= MAX_FILE_BYTES && (SCRIPT.test(path) || isResolutionManifest(path)) && !NOT_IMPORTED.test(path)
  );
}

async function readProject(
  files: readonly TreeFile[],
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (let at = 0; at < files.length; at += FILES_PER_READING) {
    const batch = files.slice(at, at + FILES_PER_READING);
    const blobs = await repository.readBlobs(
      batch.map(({ blob }) => blob),
      MAX_FILE_BYTES,
    );
    for (const { path, blob } of batch) {
      const text = blobs.get(blob);
      if (text !== undefined) texts.set(path, decodeBytes(text));
    }
  }
  return texts;
}
