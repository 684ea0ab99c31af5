/** Recalls findings of the past that resemble a change: by their vectors and by their words, in repositories that this one may see. */
import { KodiaiError } from "../../base/errors.ts";
import { within } from "../../base/within.ts";
import type { Embedded } from "../../embeddings/embeddings.ts";
import { rankMemories, type RankedMemory } from "../../memory/rank-memories.ts";
import { termsOf } from "../../memory/terms-of.ts";
import { thresholdOf } from "../../memory/threshold.ts";
import type { Memory } from "../../review/context/memory.ts";
import type { Sql } from "../../store/database.ts";
import {
  type MemoryRow,
  memoryScope,
  readVisible,
  searchText,
  visibleRepositories,
} from "../../store/repositories/memories.ts";
import { readMemoryRepository } from "../../store/repositories/memory-repositories.ts";
import type { Neighbour } from "../../store/vectors/vectors.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { Recall, RecallRequest } from "../gathering/team-memory.ts";
import type { MemorySource } from "./memory-source.ts";

/** Leaves time for a search by words within the time of the whole recall. */
const EMBED_MS = 1_500;

/** Several times what is shown, because the threshold and the ranking leave some out. */
const MAX_CANDIDATES = 50;

/** Each costs one search. An owner with more has its most useful findings in the first ones. */
const MAX_REPOSITORIES = 20;

export type RecallDeps = {
  readonly database: Sql;
  readonly memory: MemorySource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** The reviewed repository and pull request. Its own findings aren't recalled: the review knows them, open or settled. */
type Viewer = { readonly repositoryId: number; readonly pullRequest: number };

export async function recallMemories(
  { repositoryId: viewer, pullRequest }: Viewer,
  request: RecallRequest,
  signal: AbortSignal,
  deps: RecallDeps,
): Promise<Recall> {
  const { query, languages, categories, settings } = request;
  const { topK, distanceThreshold, adaptiveThreshold, languageBoosting } = settings.retrieval;
  const { database } = deps;
  const failures = createDegradations(signal);
  const [embedded, texts, repository] = await Promise.all([
    failures.optional("embeddings", () => embedQuery(request, signal, deps)),
    searchText({ viewer, terms: [...termsOf(query).keys()], limit: MAX_CANDIDATES }, database),
    readMemoryRepository(viewer, database),
  ]);
  const vectors = embedded === null ? NO_VECTORS : await searchVectors(viewer, embedded, texts, deps);
  const ids = new Set([...vectors.nearest, ...texts].map(({ id }) => id));
  const visible = await readVisible(viewer, [...ids], database);
  const rows = visible.filter((row) => row.repositoryId !== viewer || row.pullRequest !== pullRequest);
  const facts = {
    base: distanceThreshold,
    isAdaptive: adaptiveThreshold,
    memories: repository?.memories ?? 0,
    languages,
  };
  const threshold = {
    own: thresholdOf({ ...facts, isShared: false }),
    shared: thresholdOf({ ...facts, isShared: true }),
  };
  const memories = rankMemories(
    rows,
    { query, texts, ...vectors },
    {
      repositoryId: viewer,
      threshold,
      languages: languageBoosting ? languages : [],
      categories,
      now: deps.now(),
      topK,
    },
  );
  return {
    memories: memories.map(toRecalled),
    candidates: rows.length,
    threshold: threshold.own,
    embeddings: embedded?.id ?? settings.embeddings ?? "",
    isWordsOnly: embedded === null,
    problems: [...failures.list().map(({ message }) => message), ...(embedded?.problems ?? [])],
  };
}

/** The columns hold what a review wrote, or an import that was checked. */
function toRecalled(row: RankedMemory<MemoryRow>): Memory {
  const { id, title, body, path, language, rule, repository, pullRequest, url, createdAt } = row;
  const { distance, method } = row;
  return {
    id,
    title,
    body,
    path,
    language,
    category: row.category as Memory["category"],
    severity: row.severity as Memory["severity"],
    rule,
    outcome: row.outcome as Memory["outcome"],
    repository,
    pullRequest,
    url,
    distance,
    method,
    createdAt,
  };
}

type Query = Embedded & { readonly id: string; readonly problems: readonly string[] };

async function embedQuery(
  { query, settings }: RecallRequest,
  signal: AbortSignal,
  { memory }: RecallDeps,
): Promise<Query> {
  const late = () =>
    new KodiaiError("network", `the embeddings didn't answer within ${EMBED_MS / 1_000} seconds`, {
      hint: "Check the provider that `memory.embeddings` names.",
      retryable: true,
    });
  return within({ ms: EMBED_MS, signal, late }, async (limited) => {
    const { embeddings, problem } = await memory.openEmbeddings(settings.embeddings ?? null);
    const embedded = await embeddings.embed([query], "query", limited);
    return { ...embedded, id: embeddings.id, problems: problem === null ? [] : [problem] };
  });
}

type Found = { readonly nearest: readonly Neighbour[]; readonly measured: readonly Neighbour[] };

const NO_VECTORS: Found = { nearest: [], measured: [] };

async function searchVectors(
  viewer: number,
  { space, vectors: [vector] }: Query,
  texts: readonly { readonly id: number }[],
  { database, memory: { vectors } }: RecallDeps,
): Promise<Found> {
  if (vector === undefined) return NO_VECTORS;
  const found: Neighbour[] = [];
  for (const repositoryId of await visibleRepositories(viewer, MAX_REPOSITORIES, database)) {
    const scope = memoryScope(repositoryId);
    found.push(...(await vectors.nearest({ scope, space, vector, limit: MAX_CANDIDATES })));
  }
  const nearest = found.toSorted((a, b) => a.distance - b.distance || a.id - b.id).slice(0, MAX_CANDIDATES);
  const known = new Set(nearest.map(({ id }) => id));
  const others = texts.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const measured = others.length === 0 ? [] : await vectors.measure({ space, vector, ids: others });
  return { nearest, measured };
}
