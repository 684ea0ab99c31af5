/** Answers a model's questions about names and files from the code index, each within its own time. */
import { KodiaiError } from "../../../base/errors.ts";
import type { Repository, TreeFile } from "../../../repository/repository.ts";
import { isProgramming, languageOf } from "../../../languages/language-of.ts";
import type { CodeLookup, NameFacts } from "../../../review/context/code-lookup.ts";
import { type FileLinks, rankRelatedFiles } from "../../../review/context/rank-related-files.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import { namePartsOf } from "../../../review/pack/rank/name-parts.ts";
import type { CodeView } from "./code-view.ts";

/** On the clock, as the next ones, for what hangs: git and the reader limit their CPU time themselves. Most names take a tenth of a second. */
const NAME_MS = 30_000;

/** The facts of a whole repository are read once; a second question finds them in the cache. */
const RELATED_MS = 60_000;

/** Files whose facts are read for one name. */
const MAX_NAME_FILES = 400;

/** Definitions of one name whose importers are looked for. */
const MAX_DEFINITIONS = 20;

/** A larger repository's imports aren't read for one question. */
const MAX_CODE_FILES = 60_000;

/** A larger file is data. */
const MAX_CODE_BYTES = 512 * 1024;

/** Recent history says most. */
const MAX_COMMITS = 3_000;
const HISTORY_CPU_MS = 8_000;

export type LookupSources = {
  readonly repository: Repository;
  readonly view: CodeView;
  /** Where the history is read from; null when there is no commit. */
  readonly commit: string | null;
  readonly signal: AbortSignal;
};

export function createCodeLookup({ repository, view, commit, signal }: LookupSources): CodeLookup {
  /** Null when the time is up, or git or the reader failed: the caller does without. Defects are thrown. */
  const within = async <Value>(
    maxMs: number,
    ask: (limited: AbortSignal) => Promise<Value>,
  ): Promise<Value | null> => {
    const late = AbortSignal.timeout(maxMs);
    try {
      return await ask(AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted || !(late.aborted || error instanceof KodiaiError)) throw error;
      return null;
    }
  };
  return {
    findName: (name, among) => within(NAME_MS, (limited) => findName(name, among, view, limited)),
    async findRelated(path) {
      const files = await within(RELATED_MS, (limited) => view.files(limited));
      if (files === null) return null;
      const links = await within(RELATED_MS, (limited) => findLinks(path, files, view, limited));
      const history =
        commit === null
          ? null
          : await within(RELATED_MS, (limited) =>
              repository.readCoChanges(commit, {
                maxCommits: MAX_COMMITS,
                maxMs: HISTORY_CPU_MS,
                signal: limited,
              }),
            );
      return rankRelatedFiles(path, {
        links,
        history,
        tests: [...files.keys()].filter((each) => isCounterpart(path, each)),
        isTest: categoryOf(path) === "test",
        isKnown: (each) => files.has(each),
      });
    },
  };
}

function isCode(path: string): boolean {
  const category = categoryOf(path);
  return isProgramming(languageOf(path)) && (category === "source" || category === "test");
}

/** A test and what it tests have the same name. */
function isCounterpart(path: string, other: string): boolean {
  return (
    path !== other &&
    isCode(other) &&
    namePartsOf(path).stem === namePartsOf(other).stem &&
    (categoryOf(path) === "test") !== (categoryOf(other) === "test")
  );
}

async function findName(
  name: string,
  among: readonly string[],
  view: CodeView,
  signal: AbortSignal,
): Promise<NameFacts> {
  const paths = among.slice(0, MAX_NAME_FILES);
  const { facts } = await view.readFacts(paths, signal);
  const definitions = paths.flatMap((path) =>
    (facts.get(path)?.definitions ?? [])
      .filter((each) => each.name === name)
      .map(({ line, kind }) => ({ path, line, kind })),
  );
  const imports = new Map<string, NameFacts["imports"][number]>();
  const importable = new Set(definitions.filter(({ kind }) => kind !== "method").map(({ path }) => path));
  for (const path of [...importable].slice(0, MAX_DEFINITIONS)) {
    for (const { path: from, alias, kind, isCertain } of await view.findImporters(
      { path, name },
      paths,
      signal,
    ))
      if (isCertain && (kind === "named" || kind === "module-imported"))
        imports.set(`${from}\0${alias}`, { path: from, alias });
  }
  return {
    definitions,
    imports: [...imports.values()],
    known: paths.filter((path) => facts.has(path)),
  };
}

async function findLinks(
  path: string,
  files: ReadonlyMap<string, TreeFile>,
  view: CodeView,
  signal: AbortSignal,
): Promise<FileLinks | null> {
  const code = [...files]
    .filter(([each, { bytes }]) => isCode(each) && bytes <= MAX_CODE_BYTES)
    .map(([each]) => each);
  if (code.length > MAX_CODE_FILES) return null;
  const { facts, resolver } = await view.readFacts(code, signal);
  const importing: string[] = [];
  for (const [from, { imports }] of facts) {
    if (from !== path && imports.some((each) => resolver.resolve(from, each).paths.includes(path)))
      importing.push(from);
  }
  const imported = (facts.get(path)?.imports ?? []).flatMap((each) => resolver.resolve(path, each).paths);
  return { importing, imported };
}
