/**
 * Memories: findings of past reviews with their outcome, found by their words and by their vectors. Statements whose rows can
 * reach a prompt take the repository that asks, and return only what it may see.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { Row, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { removeVectors } from "../vectors/remove-vectors.ts";
import { withoutForgotten } from "./forgotten.ts";
import { addToCounters, isVisible, lockMemories } from "./memory-repositories.ts";
import {
  lengthOf,
  removeTerms,
  scoreTerms,
  type Terms,
  type TextMatch,
  toStoredTerms,
  writeTerms,
} from "./memory-terms.ts";

/** A memory as its repository has it. Within one, a finding of a pull request has one memory. */
type MemoryContent = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  /** Of the finding. */
  readonly identity: string;
  readonly pattern: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly language: string;
  readonly category: string;
  readonly severity: string;
  readonly rule: string | null;
  readonly url: string | null;
};

export type NewMemory = MemoryContent & {
  /** The words to find it by, each with how often it occurs. */
  readonly terms: Terms;
  /** Milliseconds since 1970, like all times here. */
  readonly at: number;
};

export type MemoryRow = MemoryContent & {
  readonly id: number;
  /** `owner/name`. */
  readonly repository: string;
  readonly outcome: string;
  /** The space of its vector. Null if its text has none yet. */
  readonly space: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** More repositories of one owner than a review has time to search. */
const MAX_REPOSITORIES_SEARCHED = 50;

/** The scope of a repository's vectors. The id of a memory is the id of its vector. */
export function memoryScope(repositoryId: number): string {
  return `repository/${repositoryId}`;
}

const CONTENT_COLUMNS = [
  "repository_id",
  "pull_request",
  "identity",
  "pattern",
  "title",
  "body",
  "path",
  "language",
  "category",
  "severity",
  "rule",
  "url",
] as const;

const UPDATED_COLUMNS = [...CONTENT_COLUMNS.slice(3), "terms", "space", "updated_at"];

const INSERT = `insert into memories (${[...CONTENT_COLUMNS, "terms", "space", "outcome", "created_at", "updated_at"].join(", ")})`;

/**
 * Inserts memories, or updates those of the same finding: they keep their outcome, and lose their space if their text has
 * changed. Those that a person made Kodiai forget aren't written. Runs inside the caller's transaction, and needs the rows of the repositories. With SQLite, a transaction with
 * more than about ten memories blocks the event loop for too long.
 */
export async function putMemories(memories: readonly NewMemory[], sql: Sql): Promise<void> {
  const groups = Map.groupBy(memories, ({ repositoryId }) => repositoryId);
  // Locks in one order, so that two transactions can't wait for each other.
  for (const [repositoryId, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    if (!(await lockMemories(repositoryId, sql))) {
      throw new Error(`Repository ${repositoryId} has no row in memory_repositories.`);
    }
    const distinct = new Map(group.map((memory) => [keyOf(memory), memory]));
    const toItem = (memory: NewMemory) => ({ ...memory, kind: "memory" }) as const;
    const wanted = await withoutForgotten(repositoryId, [...distinct.values()], { toItem, sql });
    await inBatches(wanted, async (batch) => {
      await putBatch(repositoryId, batch, sql);
      return [];
    });
  }
}

const keyOf = ({ pullRequest, identity }: Pick<MemoryContent, "pullRequest" | "identity">): string =>
  `${pullRequest} ${identity}`;

/** Requires the repository's lock. */
async function putBatch(repositoryId: number, memories: readonly NewMemory[], sql: Sql): Promise<void> {
  const known = await readKnown(repositoryId, memories, sql);
  const written = memories.map((memory) => {
    const before = known.get(keyOf(memory));
    const terms = toStoredTerms(memory.terms);
    const isSame = before !== undefined && before.terms === lengthOf(terms) && hasSameText(before, memory);
    return { memory, terms, length: lengthOf(terms), before, isSame };
  });
  const rows = await sql.query<{ id: number; pull_request: number; identity: string }>(
    `${INSERT} values ${rowsOf(written.length, CONTENT_COLUMNS.length + 5)}
     on conflict (repository_id, pull_request, identity) do update set
       ${UPDATED_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}
     returning id, pull_request, identity`,
    written.flatMap(({ memory, length, before, isSame }) => [
      ...toValues(memory),
      length,
      isSame ? (before?.space ?? null) : null,
      "open",
      memory.at,
      memory.at,
    ]),
  );
  const ids = new Map(
    rows.map((row) => [keyOf({ pullRequest: row.pull_request, identity: row.identity }), row.id]),
  );
  const changed = written.filter(({ isSame }) => !isSame);
  await writeTerms(
    repositoryId,
    changed.map(({ memory, terms }) => ({ id: idIn(ids, memory), terms })),
    sql,
  );
  const counters = {
    memories: written.filter(({ before }) => before === undefined).length,
    terms: written.reduce((sum, { length, before }) => sum + length - (before?.terms ?? 0), 0),
  };
  await addToCounters(repositoryId, counters, sql);
}

function idIn(ids: ReadonlyMap<string, number>, memory: NewMemory): number {
  const id = ids.get(keyOf(memory));
  if (id === undefined) throw new Error("A memory is missing after it was written.");
  return id;
}

type KnownMemory = MemoryContent & { readonly terms: number; readonly space: string | null };

async function readKnown(
  repositoryId: number,
  memories: readonly NewMemory[],
  sql: Sql,
): Promise<ReadonlyMap<string, KnownMemory>> {
  const isOne = memories.map(
    (_, index) => `(pull_request = $${2 * index + 2} and identity = $${2 * index + 3})`,
  );
  const rows = await sql.query(
    `select ${CONTENT_COLUMNS.join(", ")}, terms, space from memories
     where repository_id = $1 and (${isOne.join(" or ")})`,
    [repositoryId, ...memories.flatMap(({ pullRequest, identity }) => [pullRequest, identity])],
  );
  return new Map(
    rows.map((row) => {
      const content = toMemoryContent(row);
      const known = { ...content, terms: row["terms"] as number, space: row["space"] as string | null };
      return [keyOf(content), known];
    }),
  );
}

/** Compares everything that a vector can depend on. */
function hasSameText(a: MemoryContent, b: MemoryContent): boolean {
  return (
    a.title === b.title &&
    a.body === b.body &&
    a.path === b.path &&
    a.language === b.language &&
    a.category === b.category &&
    a.severity === b.severity &&
    a.rule === b.rule
  );
}

/** Does nothing for a finding without a memory. */
export async function setOutcome(
  {
    repositoryId,
    pullRequest,
    identity,
    outcome,
    at,
  }: Pick<MemoryContent, "repositoryId" | "pullRequest" | "identity"> & {
    readonly outcome: string;
    readonly at: number;
  },
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update memories set outcome = $4, updated_at = $5
     where repository_id = $1 and pull_request = $2 and identity = $3`,
    [repositoryId, pullRequest, identity, outcome, at],
  );
}

const SELECT = `select id, ${CONTENT_COLUMNS.map((column) => `memories.${column}`).join(", ")},
    outcome, space, created_at, memories.updated_at, owner || '/' || name as repository
  from memories join memory_repositories on memory_repositories.repository_id = memories.repository_id`;

/** Returns those of the memories that the viewer may see now, in any order. */
export async function readVisible(
  viewer: number,
  ids: readonly number[],
  sql: Sql,
): Promise<readonly MemoryRow[]> {
  const rows = await inBatches([...new Set(ids)], (batch) =>
    sql.query(
      `${SELECT} where id in ${rowsOf(1, batch.length)} and ${isVisible("memories.repository_id", `$${batch.length + 1}`)}`,
      [...batch, viewer],
    ),
  );
  return rows.map(toMemory);
}

/** The repositories whose memories the viewer may see: itself first, then those with the most memories. */
export async function visibleRepositories(
  viewer: number,
  limit: number,
  sql: Sql,
): Promise<readonly number[]> {
  const rows = await sql.query<{ repository_id: number }>(
    `select repository_id from memory_repositories as there
     where owner = (select owner from memory_repositories where repository_id = $1)
       and ${isVisible("there.repository_id", "$1")}
     order by case when repository_id = $1 then 0 else 1 end, memories desc, repository_id limit $2`,
    [viewer, limit],
  );
  return rows.map(({ repository_id: id }) => id);
}

export type TextSearchRequest = {
  /** The repository that searches. */
  readonly viewer: number;
  /** Most important first, in the form of the memories' terms. */
  readonly terms: readonly string[];
  readonly limit: number;
};

/** Returns memories that the viewer may see, those that match the terms best first, then the newest. */
export async function searchText(
  { viewer, terms, limit }: TextSearchRequest,
  sql: Sql,
): Promise<readonly TextMatch[]> {
  const repositories = await visibleRepositories(viewer, MAX_REPOSITORIES_SEARCHED, sql);
  const scores = await scoreTerms({ viewer, repositories, terms }, sql);
  // Sorting thousands of scores takes a few milliseconds.
  await yieldToEventLoop();
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, limit);
}

/** Returns memories of a repository without a vector of this space, by id. */
export async function listUnembedded(
  {
    repositoryId,
    space,
    limit,
  }: { readonly repositoryId: number; readonly space: string; readonly limit: number },
  sql: Sql,
): Promise<readonly MemoryRow[]> {
  // Three ranges of an index, because a comparison with "is distinct from" would read all rows.
  const ids = ["is null", "< $2", "> $2"].map(
    (range, index) => `select id from (
      select id from memories where repository_id = $1 and space ${range} order by id limit $3) as range_${index}`,
  );
  const rows = await sql.query(`${SELECT} where id in (${ids.join(" union all ")}) order by id limit $3`, [
    repositoryId,
    space,
    limit,
  ]);
  return rows.map(toMemory);
}

/** Removes up to `limit` vectors of a repository's memories, inside the caller's transaction. Returns how many it removed. */
export async function dropVectors(
  { repositoryId, limit }: { readonly repositoryId: number; readonly limit: number },
  sql: Sql,
): Promise<number> {
  const rows = await sql.query<{ id: number }>(
    `update memories set space = null where id in (
       select id from memories where repository_id = $1 and space is not null order by id limit $2
     ) returning id`,
    [repositoryId, limit],
  );
  await removeVectors(
    rows.map(({ id }) => id),
    sql,
  );
  return rows.length;
}

/**
 * Records the space of the vectors of these memories, and returns the ids of those that haven't changed since they were read.
 * The caller stores the vectors of these only, in the same transaction.
 */
export async function markEmbedded(
  memories: readonly Pick<MemoryRow, "id" | "updatedAt">[],
  space: string,
  sql: Sql,
): Promise<readonly number[]> {
  const rows = await inBatches(memories, (batch) => {
    const isOne = batch.map((_, index) => `(id = $${2 * index + 2} and updated_at = $${2 * index + 3})`);
    return sql.query<{ id: number }>(
      `update memories set space = $1 where ${isOne.join(" or ")} returning id`,
      [space, ...batch.flatMap(({ id, updatedAt }) => [id, updatedAt])],
    );
  });
  return rows.map(({ id }) => id);
}

/** Returns memories of a repository, newest first. `before` is the id of the last one of the previous page. */
export async function listMemories(
  {
    repositoryId,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly repositoryId: number; readonly before?: number; readonly limit: number },
  sql: Sql,
): Promise<readonly MemoryRow[]> {
  const rows = await sql.query(
    `${SELECT} where memories.repository_id = $1 and id < $2 order by id desc limit $3`,
    [repositoryId, before, limit],
  );
  return rows.map(toMemory);
}

/** For the operator: regardless of who may see it. */
export async function readMemory(id: number, sql: Sql): Promise<MemoryRow | null> {
  const [row] = await sql.query(`${SELECT} where id = $1`, [id]);
  return row === undefined ? null : toMemory(row);
}

/** Deletes memories with their terms and vectors, inside the caller's transaction. Ignores unknown ids. */
export async function deleteMemories(ids: readonly number[], sql: Sql): Promise<void> {
  const places = await inBatches([...new Set(ids)], (batch) =>
    sql.query<{ id: number; repository_id: number }>(
      `select id, repository_id from memories where id in ${rowsOf(1, batch.length)}`,
      batch,
    ),
  );
  const groups = Map.groupBy(places, ({ repository_id: repositoryId }) => repositoryId);
  for (const [repositoryId, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    await lockMemories(repositoryId, sql);
    const wanted = group.map(({ id }) => id);
    const deleted = await inBatches(wanted, (batch) =>
      sql.query<{ terms: number }>(
        `delete from memories where id in ${rowsOf(1, batch.length)} returning terms`,
        batch,
      ),
    );
    await removeTerms(repositoryId, wanted, sql);
    await removeVectors(wanted, sql);
    const terms = deleted.reduce((sum, row) => sum + row.terms, 0);
    await addToCounters(repositoryId, { memories: -deleted.length, terms: -terms }, sql);
  }
}

function toValues(memory: MemoryContent): readonly (string | number | null)[] {
  return [
    memory.repositoryId,
    memory.pullRequest,
    memory.identity,
    memory.pattern,
    memory.title,
    memory.body,
    memory.path,
    memory.language,
    memory.category,
    memory.severity,
    memory.rule,
    memory.url,
  ];
}

/** The text of a remembered finding; null if it isn't remembered. */
export async function readRememberedBody(
  {
    repositoryId,
    pullRequest,
    identity,
  }: { readonly repositoryId: number; readonly pullRequest: number; readonly identity: string },
  sql: Sql,
): Promise<string | null> {
  const [row] = await sql.query<{ body: string }>(
    "select body from memories where repository_id = $1 and pull_request = $2 and identity = $3",
    [repositoryId, pullRequest, identity],
  );
  return row?.body ?? null;
}

/** Each `as` names the type its column has in the migrations. */
export function toMemoryContent(row: Row): MemoryContent {
  return {
    repositoryId: row["repository_id"] as number,
    pullRequest: row["pull_request"] as number,
    identity: row["identity"] as string,
    pattern: row["pattern"] as string,
    title: row["title"] as string,
    body: row["body"] as string,
    path: row["path"] as string,
    language: row["language"] as string,
    category: row["category"] as string,
    severity: row["severity"] as string,
    rule: row["rule"] as string | null,
    url: row["url"] as string | null,
  };
}

function toMemory(row: Row): MemoryRow {
  return {
    ...toMemoryContent(row),
    id: row["id"] as number,
    repository: row["repository"] as string,
    outcome: row["outcome"] as string,
    space: row["space"] as string | null,
    createdAt: row["created_at"] as number,
    updatedAt: row["updated_at"] as number,
  };
}
