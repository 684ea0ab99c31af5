/** Reads what the memory of repositories holds, for the operator's commands. A review reads through the other files, which enforce isolation. */
import type { Feedback, Suppression } from "../../memory/feedback.ts";
import type { Row, Sql } from "../database.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";
import { toFeedback } from "./feedback.ts";
import { toSuppression } from "./suppressions.ts";

export type KnownRepository = {
  readonly repositoryId: number;
  /** `owner/name`, or the id in digits if no name is known. */
  readonly name: string;
  /** Null if no review has registered the repository. */
  readonly isPrivate: boolean | null;
  readonly isSharing: boolean | null;
  readonly learnings: number;
  readonly memories: number;
  readonly suppressions: number;
  readonly feedback: number;
};

const COUNTED = ["learnings", "suppressions", "feedback"] as const;

/** A repository with memories has a row in memory_repositories, which counts them: there may be very many. */
const SELECT_KNOWN = `select known.repository_id, is_private, is_sharing,
    coalesce(owner || '/' || name, (
      select repository from runs where runs.repository_id = known.repository_id order by started_at desc limit 1
    )) as full_name,
    coalesce(memory_repositories.memories, 0) as memories,
    ${COUNTED.map((table) => `(select count(*) from ${table} where ${table}.repository_id = known.repository_id) as ${table}`).join(", ")}
  from (
    select repository_id from memory_repositories ${COUNTED.map((table) => `union select repository_id from ${table}`).join(" ")}
  ) as known left join memory_repositories on memory_repositories.repository_id = known.repository_id`;

/** The repositories with memory that a reader may read, by name. */
export async function listKnownRepositories(
  sql: Sql,
  readable: ReadableRepositories = "all",
): Promise<readonly KnownRepository[]> {
  const conditions = createConditions();
  conditions.readable("known.repository_id", readable);
  const rows = await sql.query(`${SELECT_KNOWN} where ${conditions.where()}`, conditions.params);
  return rows.map(toKnown).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export async function readKnownRepository(repositoryId: number, sql: Sql): Promise<KnownRepository | null> {
  const [row] = await sql.query(`${SELECT_KNOWN} where known.repository_id = $1`, [repositoryId]);
  return row === undefined ? null : toKnown(row);
}

/** The id of a repository by `owner/name` in any case: one with memory, or one that was reviewed. Null if there is none. */
export async function findRepositoryNamed(fullName: string, sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ repository_id: number }>(
    `select repository_id, 0 as place, updated_at as latest from memory_repositories where lower(owner || '/' || name) = $1
     union all select repository_id, 1 as place, id as latest from runs where lower(repository) = $1
     order by place, latest desc limit 1`,
    [fullName.toLowerCase()],
  );
  return row?.repository_id ?? null;
}

export type StoredSuppression = Suppression & { readonly repositoryId: number };

export async function readSuppression(id: number, sql: Sql): Promise<StoredSuppression | null> {
  const [row] = await sql.query("select * from suppressions where id = $1", [id]);
  return row === undefined ? null : { ...toSuppression(row), repositoryId: row["repository_id"] as number };
}

/** More signals than this on one pattern don't fit on any screen. */
const MAX_SIGNALS = 1_000;

/** The signals of a repository with those that don't teach, newest first: all, or those on one pattern or one finding. */
export async function listFeedback(
  repositoryId: number,
  about:
    | { readonly pattern: string }
    | { readonly pullRequest: number; readonly identity: string }
    | { readonly limit: number },
  sql: Sql,
): Promise<readonly Feedback[]> {
  const [where, ...values] =
    "pattern" in about
      ? ["and pattern = $3", MAX_SIGNALS, about.pattern]
      : "identity" in about
        ? ["and pull_request = $3 and identity = $4", MAX_SIGNALS, about.pullRequest, about.identity]
        : ["", about.limit];
  const rows = await sql.query(
    `select * from feedback where repository_id = $1 ${where}
     order by at desc, pull_request desc, identity, signal, person limit $2`,
    [repositoryId, ...values],
  );
  return rows.map(toFeedback);
}

export type LedgerEvent = {
  readonly state: string;
  readonly reason: string;
  readonly actor: string;
  readonly head: string;
  readonly at: number;
};

/** The life of one finding, oldest event first. */
export async function listFindingEvents(
  {
    repositoryId,
    pullRequest,
    identity,
  }: { readonly repositoryId: number; readonly pullRequest: number; readonly identity: string },
  sql: Sql,
): Promise<readonly LedgerEvent[]> {
  return sql.query<LedgerEvent>(
    `select state, reason, actor, head, at from finding_events
     where repository_id = $1 and pull_request = $2 and identity = $3 order by id`,
    [repositoryId, pullRequest, identity],
  );
}

export type ReportedFinding = {
  readonly id: number;
  readonly pullRequest: number;
  readonly identity: string;
  readonly path: string;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  readonly rule: string | null;
  readonly state: string;
  readonly url: string | null;
  readonly reportedAt: number;
};

/** A page of the findings that reviews of a repository have reported, by id. */
export async function listReportedFindings(
  {
    repositoryId,
    after,
    limit,
  }: { readonly repositoryId: number; readonly after: number; readonly limit: number },
  sql: Sql,
): Promise<readonly ReportedFinding[]> {
  const rows = await sql.query(
    `select id, pull_request, identity, path, severity, category, title, rule, state, url, told_at from findings
     where repository_id = $1 and told_at is not null and id > $2 order by id limit $3`,
    [repositoryId, after, limit],
  );
  return rows.map(toReported);
}

/** Each `as` names the type its column has in the migrations. */
function toReported(row: Row): ReportedFinding {
  return {
    id: row["id"] as number,
    pullRequest: row["pull_request"] as number,
    identity: row["identity"] as string,
    path: row["path"] as string,
    severity: row["severity"] as string,
    category: row["category"] as string,
    title: row["title"] as string,
    rule: row["rule"] as string | null,
    state: row["state"] as string,
    url: row["url"] as string | null,
    reportedAt: row["told_at"] as number,
  };
}

function toKnown(row: Row): KnownRepository {
  const isTrue = (value: Row[string] | undefined): boolean | null => (value === null ? null : value === 1);
  return {
    repositoryId: row["repository_id"] as number,
    name: (row["full_name"] as string | null) ?? String(row["repository_id"]),
    isPrivate: isTrue(row["is_private"]),
    isSharing: isTrue(row["is_sharing"]),
    learnings: row["learnings"] as number,
    memories: row["memories"] as number,
    suppressions: row["suppressions"] as number,
    feedback: row["feedback"] as number,
  };
}
