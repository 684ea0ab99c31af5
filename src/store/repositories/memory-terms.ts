/**
 * The full-text index of memories: which of them contain a term, and how often. It is our own, so that both engines rank the
 * same way, and a search reads a limited number of rows in short statements.
 */
import { createPause } from "../../base/event-loop.ts";
import { type Sql, toStorableText } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { isVisible } from "./memory-repositories.ts";

/** Longer words are hashes and data. An index entry has to stay small. */
const MAX_TERM_LENGTH = 64;

/** A finding has fewer; it bounds the rows that a hostile text can make. */
const MAX_TERMS_PER_MEMORY = 512;

/** More than the query for a change has. */
const MAX_TERMS_READ = 128;

/** The rarest terms decide the ranking. */
const MAX_TERMS_SEARCHED = 24;

/** The newest memories with a term that many others have too. */
const MAX_POSTINGS_PER_TERM = 1_000;

/** Reading and scoring a row takes two to three microseconds. */
const MAX_POSTINGS = 6_000;

/** Keeps a statement to a few milliseconds, because SQLite blocks the event loop meanwhile. */
const MAX_POSTINGS_PER_STATEMENT = 1_000;

const PAUSE_EVERY_MS = 5;

/** The usual parameters of BM25: how fast repetition stops to count, and how much long texts are lowered. */
const K1 = 1.2;
const B = 0.75;

export type Terms = ReadonlyMap<string, number>;

export type IndexedMemory = { readonly id: number; readonly terms: Terms };

/** Returns terms in the form in which they are stored. */
export function toStoredTerms(terms: Terms): Terms {
  const stored = new Map<string, number>();
  for (const [text, frequency] of terms) {
    const term = toStoredTerm(text);
    if (term !== "" && frequency > 0) stored.set(term, (stored.get(term) ?? 0) + frequency);
    if (stored.size === MAX_TERMS_PER_MEMORY) break;
  }
  return stored;
}

function toStoredTerm(text: string): string {
  return toStorableText(text.slice(0, MAX_TERM_LENGTH));
}

/** The length of a text, in terms. */
export function lengthOf(terms: Terms): number {
  let length = 0;
  for (const frequency of terms.values()) length += frequency;
  return length;
}

/** Replaces the terms of these memories. Requires the repository's lock. */
export async function writeTerms(
  repositoryId: number,
  memories: readonly IndexedMemory[],
  sql: Sql,
): Promise<void> {
  const removed = await removePostings(
    memories.map(({ id }) => id),
    sql,
  );
  const postings = memories.flatMap(({ id, terms }) => {
    const length = lengthOf(terms);
    return [...terms].map(([term, frequency]) => ({ id, term, frequency, length }));
  });
  await inBatches(postings, (batch) =>
    sql.query(
      `insert into memory_terms (repository_id, term, memory_id, frequency, length) values ${rowsOf(batch.length, 5)}`,
      batch.flatMap(({ id, term, frequency, length }) => [repositoryId, term, id, frequency, length]),
    ),
  );
  const added = postings.map(({ term }) => term);
  await addToCounts(repositoryId, { added, removed }, sql);
}

/** Requires the repository's lock. */
export async function removeTerms(
  repositoryId: number,
  memoryIds: readonly number[],
  sql: Sql,
): Promise<void> {
  const removed = await removePostings(memoryIds, sql);
  await addToCounts(repositoryId, { added: [], removed }, sql);
}

/** Returns the terms of the removed rows. */
async function removePostings(memoryIds: readonly number[], sql: Sql): Promise<readonly string[]> {
  const rows = await inBatches(memoryIds, (batch) =>
    sql.query<{ term: string }>(
      `delete from memory_terms where memory_id in ${rowsOf(1, batch.length)} returning term`,
      batch,
    ),
  );
  return rows.map(({ term }) => term);
}

type TermChanges = { readonly added: readonly string[]; readonly removed: readonly string[] };

async function addToCounts(repositoryId: number, { added, removed }: TermChanges, sql: Sql): Promise<void> {
  const changes = new Map<string, number>();
  for (const term of added) changes.set(term, (changes.get(term) ?? 0) + 1);
  for (const term of removed) changes.set(term, (changes.get(term) ?? 0) - 1);
  const changed = [...changes].filter(([, change]) => change !== 0);
  await inBatches(changed, (batch) =>
    sql.query(
      `insert into memory_term_counts (repository_id, term, memories) values ${rowsOf(batch.length, 3)}
       on conflict (repository_id, term) do update set memories = memory_term_counts.memories + excluded.memories`,
      batch.flatMap(([term, change]) => [repositoryId, term, change]),
    ),
  );
  const fewer = changed.filter(([, change]) => change < 0).map(([term]) => term);
  await inBatches(fewer, (batch) =>
    sql.query(
      `delete from memory_term_counts where memories <= 0 and repository_id = $${batch.length + 1}
       and term in ${rowsOf(1, batch.length)}`,
      [...batch, repositoryId],
    ),
  );
}

export type TextMatch = { readonly id: number; readonly score: number };

export type TextSearch = {
  /** The repository that searches. */
  readonly viewer: number;
  /** Where to search, most important first. Those that the viewer can't see have no results. */
  readonly repositories: readonly number[];
  readonly terms: readonly string[];
};

/** Returns the BM25 scores of memories that contain any of the terms, in any order. */
export async function scoreTerms(search: TextSearch, sql: Sql): Promise<ReadonlyMap<number, number>> {
  const pause = createPause(PAUSE_EVERY_MS);
  const totals = await readTotals(search, sql);
  const counts: TermCount[] = [];
  for (const repositoryId of search.repositories) {
    counts.push(...(await countTerms(search, repositoryId, sql)));
    await pause();
  }
  const scores = new Map<number, number>();
  const plan = planReading(counts);
  for (const requests of toStatements(plan.requests)) {
    for (const { place, memory_id: id, frequency, length } of await readPostings(requests, search, sql)) {
      const term = requests[place]?.term ?? "";
      const inverse = inverseFrequency(plan.memories.get(term) ?? 0, totals.memories);
      const saturation = K1 * (1 - B + (B * length) / totals.averageLength);
      const score = (inverse * frequency * (K1 + 1)) / (frequency + saturation);
      scores.set(id, (scores.get(id) ?? 0) + score);
    }
    await pause();
  }
  return scores;
}

function inverseFrequency(having: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));
}

type Totals = { readonly memories: number; readonly averageLength: number };

async function readTotals({ viewer, repositories }: TextSearch, sql: Sql): Promise<Totals> {
  const rows = await inBatches(repositories, (batch) =>
    sql.query<{ memories: number; terms: number }>(
      `select memories, terms from memory_repositories as there
       where repository_id in ${rowsOf(1, batch.length)} and ${isVisible("there.repository_id", `$${batch.length + 1}`)}`,
      [...batch, viewer],
    ),
  );
  const memories = rows.reduce((sum, row) => sum + row.memories, 0);
  const terms = rows.reduce((sum, row) => sum + row.terms, 0);
  return { memories, averageLength: Math.max(1, terms / Math.max(1, memories)) };
}

/** How many memories of a repository have a term. */
type TermCount = { readonly repositoryId: number; readonly term: string; readonly memories: number };

async function countTerms(
  { viewer, terms }: TextSearch,
  repositoryId: number,
  sql: Sql,
): Promise<readonly TermCount[]> {
  const distinct = [...new Set(terms.map(toStoredTerm))].slice(0, MAX_TERMS_READ);
  return inBatches(distinct, async (batch) => {
    const rows = await sql.query<{ term: string; memories: number }>(
      `select term, memories from memory_term_counts where repository_id = $${batch.length + 1}
       and term in ${rowsOf(1, batch.length)} and ${isVisible(`$${batch.length + 1}`, `$${batch.length + 2}`)}`,
      [...batch, repositoryId, viewer],
    );
    return rows.map(({ term, memories }) => ({ repositoryId, term, memories }));
  });
}

/** The newest memories of a repository with the term. */
type PostingsRequest = { readonly repositoryId: number; readonly term: string; readonly limit: number };

type ReadingPlan = {
  readonly requests: readonly PostingsRequest[];
  /** How many memories have each term. */
  readonly memories: ReadonlyMap<string, number>;
};

/** Chooses what to read: rare terms first, until the limits are reached. */
function planReading(counts: readonly TermCount[]): ReadingPlan {
  const byTerm = Map.groupBy(counts, ({ term }) => term);
  const memories = new Map(
    [...byTerm].map(([term, all]) => [term, all.reduce((sum, each) => sum + each.memories, 0)]),
  );
  const rarest = [...memories]
    .toSorted(([a, less], [b, more]) => less - more || (a < b ? -1 : 1))
    .slice(0, MAX_TERMS_SEARCHED);
  let left = MAX_POSTINGS;
  const requests: PostingsRequest[] = [];
  for (const [term] of rarest) {
    for (const count of byTerm.get(term) ?? []) {
      const limit = Math.min(count.memories, MAX_POSTINGS_PER_TERM, left);
      if (limit > 0) requests.push({ repositoryId: count.repositoryId, term, limit });
      left -= limit;
    }
  }
  return { requests, memories };
}

/** Requests in order, as many to a statement as it may return rows for. */
function toStatements(requests: readonly PostingsRequest[]): readonly (readonly PostingsRequest[])[] {
  const statements: PostingsRequest[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    rows += request.limit;
    const last = statements.at(-1);
    if (last !== undefined && rows <= MAX_POSTINGS_PER_STATEMENT && last.length < MAX_TERMS_SEARCHED)
      last.push(request);
    else {
      statements.push([request]);
      rows = request.limit;
    }
  }
  return statements;
}

type PostingRow = {
  /** Of the request, from 0. */
  readonly place: number;
  readonly memory_id: number;
  readonly frequency: number;
  readonly length: number;
};

function readPostings(
  requests: readonly PostingsRequest[],
  { viewer }: TextSearch,
  sql: Sql,
): Promise<readonly PostingRow[]> {
  const selects = requests.map((_, place) => {
    const [repositoryId, term, limit] = [1, 2, 3].map((at) => `$${3 * place + at + 1}`);
    return `select * from (
      select ${place} as place, memory_id, frequency, length from memory_terms
      where repository_id = ${repositoryId} and term = ${term} and ${isVisible(repositoryId ?? "", "$1")}
      order by memory_id desc limit ${limit}) as found_${place}`;
  });
  return sql.query<PostingRow>(selects.join(" union all "), [
    viewer,
    ...requests.flatMap(({ repositoryId, term, limit }) => [repositoryId, term, limit]),
  ]);
}
