/** People's signals on findings: the current ones. The ledger keeps what was taken back. */
import type { Feedback, FeedbackOnFinding } from "../../memory/feedback.ts";
import type { Row, Sql, SqlValue } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";

/** Enough for years of a busy repository. Older signals have decayed to almost nothing. */
const MAX_READ = 20_000;

/** The signals of a repository's team, newest first, with the findings they are about. */
export async function readFeedback(repositoryId: number, sql: Sql): Promise<readonly FeedbackOnFinding[]> {
  const rows = await sql.query(
    `select signals.*, memories.path, memories.body, memories.category
     from (
       select * from feedback where repository_id = $1 and (teaches = 1 or reason = 'author-with-access')
       order by at desc, pull_request, identity, signal, person limit $2
     ) as signals
     left join memories on memories.repository_id = signals.repository_id
       and memories.pull_request = signals.pull_request and memories.identity = signals.identity
     order by at desc, signals.pull_request, signals.identity, signal, person`,
    [repositoryId, MAX_READ],
  );
  return rows.map((row) => {
    const [path, body, category] = [row["path"], row["body"], row["category"]] as (string | null)[];
    const isKnown = path != null && body != null && category != null;
    return { ...toFeedback(row), about: isKnown ? { path, body, category } : null };
  });
}

export type FeedbackScope = { readonly repositoryId: number; readonly pullRequest: number };

/** All signals of a pull request, oldest first, with those that don't teach. */
export async function readFeedbackOf(
  { repositoryId, pullRequest }: FeedbackScope,
  sql: Sql,
): Promise<readonly Feedback[]> {
  const rows = await sql.query(
    "select * from feedback where repository_id = $1 and pull_request = $2 order by at, identity, signal, person",
    [repositoryId, pullRequest],
  );
  return rows.map(toFeedback);
}

/**
 * Replaces the signals of a pull request, and appends an event to the ledger for each that is new or was taken back. A signal that was
 * there keeps its time, because the host has no time for some. Returns how many signals are new, changed or taken back.
 */
export async function syncFeedback(
  { repositoryId, pullRequest, rows, at }: FeedbackScope & SyncedFeedback,
  sql: Sql,
): Promise<number> {
  const scope = { repositoryId, pullRequest };
  const before = new Map((await readFeedbackOf(scope, sql)).map((row) => [keyOf(row), row]));
  const after = new Map(rows.map((row) => [keyOf(row), row]));
  const added = [...after.values()].filter((row) => !before.has(keyOf(row)));
  const removed = [...before.values()].filter((row) => !after.has(keyOf(row)));
  for (const { identity, signal, person } of removed)
    await sql.query(
      `delete from feedback
       where repository_id = $1 and pull_request = $2 and identity = $3 and signal = $4 and person = $5`,
      [repositoryId, pullRequest, identity, signal, person],
    );
  await inBatches([...after.values()], (batch) => upsert(batch, repositoryId, sql));
  for (const row of added) await appendEvent(row, `feedback:${row.signal}`, { ...scope, at }, sql);
  for (const row of removed) await appendEvent(row, `feedback:${row.signal}-removed`, { ...scope, at }, sql);
  const changed = [...after].filter(([key, row]) => {
    const known = before.get(key);
    return known !== undefined && (known.teaches !== row.teaches || known.words !== row.words);
  });
  return added.length + removed.length + changed.length;
}

export type SyncedFeedback = {
  readonly rows: readonly Feedback[];
  /** Milliseconds since 1970. */
  readonly at: number;
};

function keyOf({ identity, signal, person }: Feedback): string {
  return `${signal} ${person} ${identity}`;
}

export const INSERT_FEEDBACK =
  "insert into feedback (repository_id, pull_request, identity, signal, person, pattern, title, teaches, reason, words, url, at)";

export const FEEDBACK_COLUMNS = 12;

/** In the order of `INSERT_FEEDBACK`. */
export function toFeedbackValues(row: Feedback, repositoryId: number): readonly SqlValue[] {
  return [
    repositoryId,
    row.pullRequest,
    row.identity,
    row.signal,
    row.person,
    row.pattern,
    row.title,
    row.teaches ? 1 : 0,
    row.reason,
    row.words,
    row.url,
    row.at,
  ];
}

function upsert(batch: readonly Feedback[], repositoryId: number, sql: Sql): Promise<readonly Row[]> {
  return sql.query(
    `${INSERT_FEEDBACK} values ${rowsOf(batch.length, FEEDBACK_COLUMNS)}
     on conflict (repository_id, pull_request, identity, signal, person) do update set
       pattern = excluded.pattern, title = excluded.title, teaches = excluded.teaches, reason = excluded.reason,
       words = excluded.words, url = excluded.url`,
    batch.flatMap((row) => toFeedbackValues(row, repositoryId)),
  );
}

/** The event names the head and the run that reported the finding. The finding's state stays. */
async function appendEvent(
  { identity, person }: Feedback,
  reason: string,
  { repositoryId, pullRequest, at }: FeedbackScope & Pick<SyncedFeedback, "at">,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
     select repository_id, pull_request, identity, run_id, head, state, $4, $5, $6
     from findings where repository_id = $1 and pull_request = $2 and identity = $3`,
    [repositoryId, pullRequest, identity, reason, person, at],
  );
}

/** Each `as` names the type its column has in the migrations; only this file writes the table. */
export function toFeedback(row: Row): Feedback {
  return {
    pullRequest: row["pull_request"] as number,
    identity: row["identity"] as string,
    pattern: row["pattern"] as string,
    title: row["title"] as string,
    signal: row["signal"] as Feedback["signal"],
    person: row["person"] as string,
    teaches: row["teaches"] === 1,
    reason: row["reason"] as Feedback["reason"],
    words: row["words"] as string,
    url: row["url"] as string | null,
    at: row["at"] as number,
  };
}
