/** Lists reviews for readers, newest first, with what each found and cost. Only repositories that the reader may read are in any result. */
import type { Row, Sql } from "../database.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";
import type { Run, RunStatus } from "./to-run.ts";
import { toRun } from "./to-run.ts";

export type ReviewFilter = {
  readonly readable: ReadableRepositories;
  /** Null for all. */
  readonly repositoryId: number | null;
  readonly pullRequest: number | null;
  readonly status: RunStatus | null;
  /** Milliseconds since 1970; null for all. */
  readonly sinceMs: number | null;
  /** The last review of the previous page. */
  readonly after: { readonly startedAt: number; readonly id: number } | null;
  readonly limit: number;
};

export async function listReviews(filter: ReviewFilter, sql: Sql): Promise<readonly Run[]> {
  const { readable, repositoryId, pullRequest, status, sinceMs, after, limit } = filter;
  const { params, value, add, where, readable: addReadable } = createConditions();
  // A run without a head answers a mention.
  add("head <> ''");
  addReadable("repository_id", readable);
  if (repositoryId !== null) add(`repository_id = ${value(repositoryId)}`);
  if (pullRequest !== null) add(`pull_request = ${value(pullRequest)}`);
  if (status !== null) add(`status = ${value(status)}`);
  if (sinceMs !== null) add(`started_at >= ${value(sinceMs)}`);
  if (after !== null) {
    const startedAt = value(after.startedAt);
    add(`(started_at < ${startedAt} or (started_at = ${startedAt} and id < ${value(after.id)}))`);
    // Implied, and an index can start there.
    add(`started_at <= ${startedAt}`);
  }
  const rows = await sql.query(
    `select * from runs where ${where()} order by started_at desc, id desc limit ${value(limit)}`,
    params,
  );
  return rows.map(toRun);
}

/** Null for an unknown one, and for one that the reader may not read. */
export async function readReview(id: number, readable: ReadableRepositories, sql: Sql): Promise<Run | null> {
  const { params, value, add, where, readable: addReadable } = createConditions();
  add(`id = ${value(id)}`);
  add("head <> ''");
  addReadable("repository_id", readable);
  const [row] = await sql.query(`select * from runs where ${where()}`, params);
  return row === undefined ? null : toRun(row);
}

/** The published reviews of a pull request, oldest first, without those before the last `limit`. */
export async function listPushes(
  { repositoryId, pullRequest }: Pick<Run, "repositoryId" | "pullRequest">,
  limit: number,
  sql: Sql,
): Promise<readonly Run[]> {
  const rows = await sql.query(
    `select * from runs where repository_id = $1 and pull_request = $2 and status in ('completed', 'partial')
     order by finished_at desc, id desc limit $3`,
    [repositoryId, pullRequest, limit],
  );
  return rows.map(toRun).toReversed();
}

export type ReviewCost = { readonly run_id: number; readonly micro_usd: number };

/** The cost of models, as reserved where the end isn't known. Reviews without a model aren't in the result. */
export function sumCosts(runIds: readonly number[], sql: Sql): Promise<readonly (ReviewCost & Row)[]> {
  if (runIds.length === 0) return Promise.resolve([]);
  return sql.query(
    `select run_id, cast(sum(coalesce(settled_micro_usd, reserved_micro_usd)) as bigint) as micro_usd from spendings
     where run_id in (${runIds.map((_, index) => `$${index + 1}`).join(", ")}) group by run_id`,
    runIds,
  );
}

export type ReviewSeverities = {
  readonly run_id: number;
  readonly severity: string;
  readonly findings: number;
};

/** Reported findings by the review that reported them last. */
export function countFindingsOfRuns(
  runIds: readonly number[],
  sql: Sql,
): Promise<readonly (ReviewSeverities & Row)[]> {
  if (runIds.length === 0) return Promise.resolve([]);
  return sql.query(
    `select run_id, severity, count(*) as findings from findings
     where told_at is not null and run_id in (${runIds.map((_, index) => `$${index + 1}`).join(", ")})
     group by run_id, severity`,
    runIds,
  );
}

export type LifeEvent = {
  readonly identity: string;
  readonly run_id: number;
  readonly state: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: number;
};

/** The events of all findings of a pull request, oldest first. */
export function listLifeEvents(
  { repositoryId, pullRequest }: Pick<Run, "repositoryId" | "pullRequest">,
  limit: number,
  sql: Sql,
): Promise<readonly (LifeEvent & Row)[]> {
  return sql.query(
    `select identity, run_id, state, reason, actor, at from finding_events
     where repository_id = $1 and pull_request = $2 order by id limit $3`,
    [repositoryId, pullRequest, limit],
  );
}

export type ReviewedRepository = { readonly id: number; readonly name: string };

/** The repositories with reviews that the reader may read, by name. */
export async function listRepositoryNames(
  readable: ReadableRepositories,
  sql: Sql,
): Promise<readonly ReviewedRepository[]> {
  const { params, where, readable: addReadable } = createConditions();
  addReadable("id", readable);
  const rows = await sql.query<{ id: number; name: string | null }>(
    `select id, (
       select repository from runs where runs.repository_id = repositories.id order by started_at desc limit 1
     ) as name from repositories where ${where()}`,
    params,
  );
  const known = rows.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }]));
  return known.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reviews that are running and started after `sinceMs`, oldest first. */
export async function listRunning(
  { readable, sinceMs, limit }: Pick<ReviewFilter, "readable" | "limit"> & { readonly sinceMs: number },
  sql: Sql,
): Promise<readonly Run[]> {
  const { params, value, add, where, readable: addReadable } = createConditions();
  add("status in ('pending', 'running')");
  add(`started_at >= ${value(sinceMs)}`);
  addReadable("repository_id", readable);
  const rows = await sql.query(
    `select * from runs where ${where()} order by started_at, id limit ${value(limit)}`,
    params,
  );
  return rows.map(toRun);
}
