/** Reads what ranking needs: the files at the head, facts about them, imports between them, and the history of the base. */
import { readManifests } from "../gathering/read-manifests.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import type { CacheProblem, FactsRead, NoFactsReason } from "../../code-index/code-index.ts";
import type { TreeFile } from "../../repository/repository.ts";
import { type AttributesFile, readAttributes } from "../../review/analysis/attributes.ts";
import type { FileAttributes } from "../../review/analysis/marks.ts";
import type { Change } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { policyCommitOf } from "../../review/change/policy-commit.ts";
import type { FileFacts } from "../../languages/file-facts.ts";
import { buildImportGraph } from "../../languages/resolve/build-import-graph.ts";
import { createResolver } from "../../languages/resolve/create-resolver.ts";
import type { ImportGraph } from "../../languages/resolve/resolver.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { PackDeps } from "./pack-request.ts";

/** More files than the largest known repositories have. */
const MAX_FILES = 500_000;
/** Older commits say little about how the code hangs together today. */
const MAX_COMMITS = 5_000;
/** Git takes seconds for a large repository. Minutes mean a broken disk. */
const MAX_GIT_MS = 120_000;
const MAX_ATTRIBUTES_FILES = 100;
const MAX_ATTRIBUTES_BYTES = 256 * 1024;

export type GatheredPackCode = {
  readonly files: readonly TreeFile[];
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly noFacts: ReadonlyMap<string, NoFactsReason>;
  /** Null when the index failed as a whole. */
  readonly graph: ImportGraph | null;
  readonly coChanges: readonly (readonly string[])[];
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  /** It costs time only, so it's no part of the pack. */
  readonly cacheProblem: CacheProblem | null;
};

export async function gatherPackCode(
  change: Change,
  deps: PackDeps,
  degradations: Degradations,
): Promise<GatheredPackCode> {
  const { repository, codeIndex, signal, onStage } = deps;
  const deadline = { maxMs: MAX_GIT_MS, signal };
  const head = headOf(change);
  onStage({ kind: "listing" });
  // The log takes longest in git and needs nothing else.
  const history = degradations.optional("history", () => readHistoryOf(change, deps));
  // After a cancellation, nothing waits for it any more.
  history.catch(() => {});
  const files =
    (await degradations.optional("files", async () => {
      const listed = await repository.listFiles(head, MAX_FILES, deadline);
      if (listed === null) degradations.note("files", `the repository has more than ${MAX_FILES} files`);
      return listed;
    })) ?? [];
  const indexing = degradations.optional("code index", () =>
    codeIndex.readFacts(head, files, {
      signal,
      onProgress: (done, all) => onStage({ kind: "indexing", done, all }),
    }),
  );
  const [read, manifests, attributes] = await Promise.all([
    indexing,
    degradations.optional("manifests", () =>
      readManifests(
        files.map(({ path }) => path),
        { repository, revision: head },
      ),
    ),
    degradations.optional("attributes", () => readAttributesOf(change, files, deps)),
  ]);
  onStage({ kind: "history" });
  const coChanges = (await history) ?? [];
  return {
    files,
    ...factsOf(read, degradations),
    graph: read === null ? null : linkFiles(files, read, manifests ?? new Map()),
    coChanges,
    attributes: attributes ?? new Map(),
  };
}

function factsOf(
  read: FactsRead | null,
  degradations: Degradations,
): Pick<GatheredPackCode, "facts" | "noFacts" | "cacheProblem"> {
  if (read === null) return { facts: new Map(), noFacts: new Map(), cacheProblem: null };
  const noFacts = new Map(read.failed.map(({ path, reason }) => [path, reason]));
  // Files that are too large are listed with that reason.
  for (const reason of ["over-limit", "failed"] as const) {
    const { length } = read.failed.filter((each) => each.reason === reason);
    if (length > 0) degradations.note("code index", `files without facts (${reason}): ${length}`);
  }
  return { facts: read.facts, noFacts, cacheProblem: read.cacheProblem };
}

function linkFiles(
  files: readonly TreeFile[],
  { facts }: FactsRead,
  manifests: ReadonlyMap<string, string>,
): ImportGraph {
  const paths = new Set(files.map(({ path }) => path));
  return buildImportGraph(facts, createResolver({ paths, facts, manifests }));
}

async function readHistoryOf(
  change: Change,
  { repository, codeIndex, signal }: PackDeps,
): Promise<readonly (readonly string[])[]> {
  const options = { maxMs: MAX_GIT_MS, signal, maxCommits: MAX_COMMITS, kept: codeIndex.keptCommits };
  return change.base === null ? [] : repository.readCoChanges(change.base, options);
}

/** From the base, as all policy. */
async function readAttributesOf(
  change: Change,
  files: readonly TreeFile[],
  { repository }: PackDeps,
): Promise<ReadonlyMap<string, FileAttributes>> {
  const paths = files.map(({ path }) => path);
  const wanted = paths.filter((path) => /(?:^|\/)\.gitattributes$/.test(path)).slice(0, MAX_ATTRIBUTES_FILES);
  const commit = policyCommitOf(change) ?? change.head ?? "HEAD";
  const texts = await repository.readFiles({ commit }, wanted, MAX_ATTRIBUTES_BYTES);
  const attributes = [...texts].map(([path, latin1]): AttributesFile => ({
    folder: containingFolder(path),
    text: decodeBytes(latin1),
  }));
  return readAttributes(attributes, [...paths, ...change.files.map(({ path }) => path)]);
}
