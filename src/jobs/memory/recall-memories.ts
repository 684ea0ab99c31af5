/** Recalls findings of the past that resemble a change: by their vectors and by their words, in repositories that this one may see. */
import { KodiaiError } from "../../base/errors.ts";
import { within } from "../../base/within.ts";
import { LOCAL_EMBEDDINGS } from "../../config/embedding-settings.ts";
import type { Embedded } from "../../embeddings/embeddings.ts";
import { isReason } from "../../memory/explain-rejection.ts";
import { isOfTeam } from "../../memory/feedback.ts";
import { type DistinctMemory, rankMemories } from "../../memory/rank-memories.ts";
import { termsOf } from "../../memory/terms-of.ts";
import { thresholdOf } from "../../memory/threshold.ts";
import { SIGNAL_MEANINGS } from "../../memory/weigh-feedback.ts";
import type { Memory } from "../../review/context/memory.ts";
import type { Sql } from "../../store/database.ts";
import {
  type MemoryRow,
  memoryScope,
  readVisible,
  searchText,
  visibleRepositories,
} from "../../store/repositories/memories.ts";
import { listFeedback } from "../../store/repositories/memory-records.ts";
import { readMemoryRepository } from "../../store/repositories/memory-repositories.ts";
import type { Neighbour } from "../../store/vectors/vectors.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { Recall, RecallRequest } from "../gathering/team-memory.ts";
import type { MemorySource } from "./memory-source.ts";

/** Leaves time for a search by words within the time of the whole recall. */
const EMBED_MS = 1_500;

/** Many times what is shown, because no one has judged most findings, and the threshold and the ranking leave some out. */
const MAX_TEXTS = 200;
const MAX_NEIGHBOURS = 100;

/** Further places of one problem that a prompt names. */
const MAX_PLACES = 5;

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
  const [asked, texts, repository] = await Promise.all([
    failures.optional("embeddings", () => embedQuery(request, signal, deps)),
    searchText({ viewer, terms: [...termsOf(query).keys()], limit: MAX_TEXTS }, database),
    readMemoryRepository(viewer, database),
  ]);
  const embedded = asked?.embedded ?? null;
  const vectors = embedded === null ? NO_VECTORS : await searchVectors(viewer, embedded, texts, deps);
  const ids = new Set([...vectors.nearest, ...texts].map(({ id }) => id));
  const visible = await readVisible(viewer, [...ids], database);
  const rows = visible.filter(
    (row) => isJudged(row) && (row.repositoryId !== viewer || row.pullRequest !== pullRequest),
  );
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
    memories: await Promise.all(
      memories.map(async (row) => ({ ...toRecalled(row), ...(await readReason(row, viewer, database)) })),
    ),
    candidates: rows.length,
    threshold: threshold.own,
    embeddings: asked?.id ?? settings.embeddings ?? "",
    isWordsOnly: asked === null,
    problems: [...failures.list().map(({ message }) => message), ...(asked?.problems ?? [])],
  };
}

/** Merging a finding as it is judges nothing, and no one has read many of those that are open. */
function isJudged({ outcome }: MemoryRow): boolean {
  return outcome === "accepted" || outcome === "dismissed";
}

/** Why the team rejected it. Feedback is never shared with other repositories. */
async function readReason(
  { repeats, ...row }: DistinctMemory<MemoryRow>,
  viewer: number,
  sql: Sql,
): Promise<Pick<Memory, "reason">> {
  if (row.outcome !== "dismissed") return {};
  for (const { repositoryId, pullRequest, identity } of [row, ...repeats]) {
    if (repositoryId !== viewer) continue;
    const feedback = await listFeedback(viewer, { pullRequest, identity }, sql);
    const found = feedback.find(
      (each) => isOfTeam(each) && SIGNAL_MEANINGS[each.signal].side === "rejects" && isReason(each.words),
    );
    if (found !== undefined) return { reason: { by: found.person, words: found.words } };
  }
  return {};
}

/** The columns hold what a review wrote, or an import that was checked. */
function toRecalled(row: DistinctMemory<MemoryRow>): Memory {
  const { id, title, body, path, language, rule, repository, pullRequest, url, createdAt } = row;
  const { distance, method, repeats } = row;
  const own = `${repository}#${pullRequest}`;
  const places = [...new Set(repeats.map((each) => `${each.repository}#${each.pullRequest}`))].filter(
    (place) => place !== own,
  );
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
    ...(places.length === 0 ? {} : { places: places.slice(0, MAX_PLACES) }),
  };
}

/** `embedded`: null for words alone. */
type Query = {
  readonly id: string;
  readonly problems: readonly string[];
  readonly embedded: Embedded | null;
};

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
    const problems = problem === null ? [] : [problem];
    if (embeddings === null) return { id: LOCAL_EMBEDDINGS, problems, embedded: null };
    return { id: embeddings.id, problems, embedded: await embeddings.embed([query], "query", limited) };
  });
}

type Found = { readonly nearest: readonly Neighbour[]; readonly measured: readonly Neighbour[] };

const NO_VECTORS: Found = { nearest: [], measured: [] };

async function searchVectors(
  viewer: number,
  { space, vectors: [vector] }: Embedded,
  texts: readonly { readonly id: number }[],
  { database, memory: { vectors } }: RecallDeps,
): Promise<Found> {
  if (vector === undefined) return NO_VECTORS;
  const found: Neighbour[] = [];
  for (const repositoryId of await visibleRepositories(viewer, MAX_REPOSITORIES, database)) {
    const scope = memoryScope(repositoryId);
    found.push(...(await vectors.nearest({ scope, space, vector, limit: MAX_NEIGHBOURS })));
  }
  const nearest = found.toSorted((a, b) => a.distance - b.distance || a.id - b.id).slice(0, MAX_NEIGHBOURS);
  const known = new Set(nearest.map(({ id }) => id));
  const others = texts.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const measured = others.length === 0 ? [] : await vectors.measure({ space, vector, ids: others });
  return { nearest, measured };
}
