/** The publication journal: the parts to be written to pull requests and their progress, read again after a crash. */
import type { Database, Sql } from "../database.ts";

export type StoredPart = "review" | "summary" | "check" | "answer" | "pull-request";

export type StoredEntry = {
  readonly state: "intended" | "attempted" | "created" | "published";
  readonly bodyHash: string;
  readonly marker: string;
  readonly externalId: number | null;
  readonly attemptedAt: number | null;
};

/** The shape that a forge requires. A write is durable when it resolves. */
export type StoredJournal = {
  read(part: StoredPart): Promise<StoredEntry | null>;
  write(part: StoredPart, intent: StoredEntry): Promise<void>;
};

export type JournalScope = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
  /** Distinguishes repeated reviews of one head that a user requested. "" for the first. */
  readonly request: string;
  readonly now: () => number;
};

export function createPublicationJournal(database: Database, scope: JournalScope): StoredJournal {
  const keyOf = (part: StoredPart): readonly (string | number)[] => {
    const { head, request } = keyPartsOf(part, scope);
    return [scope.repositoryId, scope.pullRequest, head, part, request];
  };
  return {
    async read(part) {
      const [row] = await database.query<{
        state: StoredEntry["state"];
        body_hash: string;
        marker: string;
        external_id: number | null;
        attempted_at: number | null;
      }>(
        `select state, body_hash, marker, external_id, attempted_at from publications
         where repository_id = $1 and pull_request = $2 and head = $3 and part = $4 and request = $5`,
        keyOf(part),
      );
      if (row === undefined) return null;
      return {
        state: row.state,
        bodyHash: row.body_hash,
        marker: row.marker,
        externalId: row.external_id,
        attemptedAt: row.attempted_at,
      };
    },
    async write(part, { state, bodyHash, marker, externalId, attemptedAt }) {
      await database.query(
        `insert into publications
           (repository_id, pull_request, head, part, request, state, body_hash, marker, external_id, attempted_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (repository_id, pull_request, head, part, request) do update set
           state = excluded.state, body_hash = excluded.body_hash, marker = excluded.marker,
           external_id = excluded.external_id, attempted_at = excluded.attempted_at, updated_at = excluded.updated_at`,
        [...keyOf(part), state, bodyHash, marker, externalId, attemptedAt, scope.now()],
      );
    },
  };
}

/** A summary belongs to the pull request, a check to a head, a review to a head and a request, an answer to a request. */
function keyPartsOf(part: StoredPart, { head, request }: JournalScope): { head: string; request: string } {
  switch (part) {
    case "summary":
      return { head: "", request: "" };
    case "check":
      return { head, request: "" };
    case "review":
      return { head, request };
    case "answer":
    case "pull-request":
      return { head: "", request };
  }
}

/** Whether this database has sent, or may have sent, the summary of a pull request or a review of this head. */
export async function hasSent(
  { repositoryId, pullRequest, head }: { repositoryId: number; pullRequest: number; head: string },
  sql: Sql,
): Promise<boolean> {
  const rows = await sql.query(
    `select part from publications where repository_id = $1 and pull_request = $2 and state <> 'intended'
       and (part = 'summary' or (part = 'review' and head = $3)) limit 1`,
    [repositoryId, pullRequest, head],
  );
  return rows.length > 0;
}

export type BegunReview = { readonly runId: number; readonly head: string; readonly request: string };

/** A pull request has few unfinished runs. Older ones were checked before. */
const MAX_BEGUN = 20;

/** Returns reviews of other heads that unfinished runs had sent or were about to send, newest first. */
export async function readBegunReviews(
  { repositoryId, pullRequest, head }: { repositoryId: number; pullRequest: number; head: string },
  sql: Sql,
): Promise<readonly BegunReview[]> {
  const rows = await sql.query<{ run_id: number; head: string; request: string }>(
    `select runs.id as run_id, runs.head as head, publications.request as request
     from runs join publications
       on publications.repository_id = runs.repository_id and publications.pull_request = runs.pull_request
       and publications.head = runs.head and publications.part = 'review' and publications.state <> 'intended'
     where runs.repository_id = $1 and runs.pull_request = $2 and runs.head <> $3
       and runs.status not in ('completed', 'partial')
     order by runs.id desc limit $4`,
    [repositoryId, pullRequest, head, MAX_BEGUN],
  );
  return rows.map(({ run_id: runId, head: begun, request }) => ({ runId, head: begun, request }));
}
