/**
 * The code of one revision as facts: which files import which, and where a name is defined. Reads the facts of the files that
 * are asked about and keeps them, so that a review and its tools read each file once.
 */
import { readManifests } from "../read-manifests.ts";
import type { CodeIndex } from "../../../code-index/code-index.ts";
import type { Repository, Revision, TreeFile } from "../../../repository/repository.ts";
import type { FileFacts } from "../../../languages/file-facts.ts";
import { createResolver } from "../../../languages/resolve/create-resolver.ts";
import {
  type CodeFacts,
  type FileName,
  findImportedDefinition,
  type FoundDefinition,
} from "../../../languages/resolve/find-definition.ts";
import { findImporters, type Importer, linkImports } from "../../../languages/resolve/find-importers.ts";

/** Larger repositories aren't listed, and their imports stay unknown. */
const MAX_FILES = 200_000;

/** Listing takes git about a second for the largest repository that is listed. */
const LIST_MS = 10_000;

/** Files that re-export a name lead to further files, whose facts are read then. Deeper chains stay unknown. */
const MAX_ROUNDS = 4;

export type CodeView = {
  /** By path; null when there are too many. */
  files(signal: AbortSignal): Promise<ReadonlyMap<string, TreeFile> | null>;
  /** Reads what is missing of these files' facts. Returns all that are known by now. */
  readFacts(paths: Iterable<string>, signal: AbortSignal): Promise<CodeFacts>;
  /** Where the names that files import are defined, in the same order. */
  findOrigins(names: readonly FileName[], signal: AbortSignal): Promise<readonly FoundDefinition[]>;
  /** Which of these files import the name of a file. */
  findImporters(
    exported: FileName,
    among: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Importer[]>;
};

export type CodeViewSources = {
  readonly repository: Repository;
  readonly revision: Revision;
  readonly index: Pick<CodeIndex, "readFacts">;
};

export function createCodeView({ repository, revision, index }: CodeViewSources): CodeView {
  const facts = new Map<string, FileFacts>();
  const tried = new Set<string>();
  let listed: Promise<ReadonlyMap<string, TreeFile> | null> | null = null;
  let manifests: Promise<ReadonlyMap<string, string>> | null = null;

  function files(signal: AbortSignal): Promise<ReadonlyMap<string, TreeFile> | null> {
    listed ??= list(signal).catch((error: unknown) => {
      listed = null;
      throw error;
    });
    return listed;
  }

  async function list(signal: AbortSignal): Promise<ReadonlyMap<string, TreeFile> | null> {
    const found = await repository.listFiles(revision, MAX_FILES, { maxMs: LIST_MS, signal });
    return found === null ? null : new Map(found.map((file) => [file.path, file]));
  }

  async function readFacts(paths: Iterable<string>, signal: AbortSignal): Promise<CodeFacts> {
    const all = (await files(signal)) ?? new Map<string, TreeFile>();
    const wanted = [...new Set(paths)].flatMap((path) => (tried.has(path) ? [] : (all.get(path) ?? [])));
    if (wanted.length > 0) {
      const read = await index.readFacts(revision, wanted, { signal });
      for (const { path } of wanted) tried.add(path);
      for (const [path, its] of read.facts) facts.set(path, its);
    }
    manifests ??= readManifests(all.keys(), { repository, revision });
    const input = { paths: new Set(all.keys()), facts, manifests: await manifests };
    return { facts, resolver: createResolver(input) };
  }

  async function findOrigins(
    names: readonly FileName[],
    signal: AbortSignal,
  ): Promise<readonly FoundDefinition[]> {
    let missing: readonly string[] = names.map(({ path }) => path);
    let found: readonly FoundDefinition[] = [];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const code = await readFacts(missing, signal);
      found = names.map((name) => findImportedDefinition(name, code));
      missing = found
        .flatMap(({ definitions }) => definitions.map(({ path }) => path))
        .filter((path) => !tried.has(path));
      if (missing.length === 0) break;
    }
    return found;
  }

  return {
    files,
    readFacts,
    findOrigins,
    async findImporters({ path, name }, among, signal) {
      // Reads the files in between as well: those that re-export a name don't contain it.
      await findOrigins(
        among.map((from) => ({ path: from, name })),
        signal,
      );
      const { facts: known, resolver } = await readFacts([path], signal);
      const wanted = new Set(among);
      const links = linkImports(known, resolver);
      return findImporters({ path, name }, links).filter((each) => wanted.has(each.path));
    },
  };
}
