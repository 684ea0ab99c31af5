/** Mentions of Kodiai in comments: one row each, from its acknowledgement to its outcome. */
import type { Sql } from "../database.ts";

export type MentionKey = {
  readonly repositoryId: number;
  /** Of the issue or pull request. */
  readonly number: number;
  readonly request: string;
};

export type MentionRow = MentionKey & {
  readonly login: string;
  /** The kind of the command. */
  readonly command: string;
  readonly requesterClass: string | null;
  /** Null until it has ended. */
  readonly outcome: string | null;
  /** Counts against the number of answers on the pull request. */
  readonly isTurn: boolean;
  /** The result of the command as JSON, so that a crash doesn't repeat the work; null before that. */
  readonly result: string | null;
  readonly at: number;
};

/** Inserts a mention. One that is there stays as it is, and is returned. */
export async function claimMention(
  mention: MentionKey & Pick<MentionRow, "login" | "command" | "at">,
  sql: Sql,
): Promise<MentionRow> {
  const { repositoryId, number, request, login, command, at } = mention;
  await sql.query(
    `insert into mentions (repository_id, number, request, login, command, is_turn, at)
     values ($1, $2, $3, $4, $5, 0, $6) on conflict (repository_id, number, request) do nothing`,
    [repositoryId, number, request, login, command, at],
  );
  const [row] = await sql.query<{
    login: string;
    command: string;
    requester_class: string | null;
    outcome: string | null;
    is_turn: number;
    result: string | null;
    at: number;
  }>("select * from mentions where repository_id = $1 and number = $2 and request = $3", [
    repositoryId,
    number,
    request,
  ]);
  if (row === undefined) throw new Error("A mention was neither inserted nor found.");
  return {
    repositoryId,
    number,
    request,
    login: row.login,
    command: row.command,
    requesterClass: row.requester_class,
    outcome: row.outcome,
    isTurn: row.is_turn === 1,
    result: row.result,
    at: row.at,
  };
}

/** Marks the mention as an answer that counts, with the class of its author. */
export async function countTurn(
  { repositoryId, number, request, requesterClass }: MentionKey & { readonly requesterClass: string },
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update mentions set is_turn = 1, requester_class = $4
     where repository_id = $1 and number = $2 and request = $3`,
    [repositoryId, number, request, requesterClass],
  );
}

/** Records the class of the author of a mention that another job answers. */
export async function recordClass(
  { repositoryId, number, request, requesterClass }: MentionKey & { readonly requesterClass: string },
  sql: Sql,
): Promise<void> {
  await sql.query(
    "update mentions set requester_class = $4 where repository_id = $1 and number = $2 and request = $3",
    [repositoryId, number, request, requesterClass],
  );
}

/** Keeps other workers from writing the mention until the transaction ends, and returns its state. */
export async function lockMention(
  { repositoryId, number, request }: MentionKey,
  sql: Sql,
): Promise<Pick<MentionRow, "result" | "outcome">> {
  const [row] = await sql.query<Pick<MentionRow, "result" | "outcome">>(
    `update mentions set at = at where repository_id = $1 and number = $2 and request = $3
     returning result, outcome`,
    [repositoryId, number, request],
  );
  return { result: row?.result ?? null, outcome: row?.outcome ?? null };
}

/** The mentions to count: of people with or without write access, or of one person in the whole repository; only those since a time. */
export type TurnsOf = { readonly isWriter: boolean; readonly sinceMs: number } | PersonSince;

type PersonSince = { readonly login: string; readonly sinceMs: number };

/** How many other mentions of an issue or pull request, or of a person in the repository, count as answers. */
export async function countOtherTurns(
  { repositoryId, number, request }: MentionKey,
  of: TurnsOf,
  sql: Sql,
): Promise<number> {
  const where =
    "login" in of
      ? { text: "login = $4 and (number <> $2 or request <> $3)", value: of.login }
      : {
          text: "number = $2 and request <> $3 and (requester_class = 'writer') = ($4 = 1)",
          value: of.isWriter ? 1 : 0,
        };
  const [row] = await sql.query<{ turns: number }>(
    `select count(*) as turns from mentions
     where repository_id = $1 and ${where.text} and is_turn = 1 and at > $5`,
    [repositoryId, number, request, where.value, of.sinceMs],
  );
  return row?.turns ?? 0;
}

/** The outcome of a mention that got neither an answer nor a reaction. */
export const MUTED = "refused:muted";

/** How many mentions of a person in the repository were refused where they could see it, and how many others are still open. */
export async function readStanding(
  { repositoryId, number, request }: MentionKey,
  { login, sinceMs }: PersonSince,
  sql: Sql,
): Promise<{ readonly refused: number; readonly open: number }> {
  const [row] = await sql.query<{ refused: number; open: number }>(
    `select
       count(case when outcome like 'refused:%' and outcome <> '${MUTED}' then 1 end) as refused,
       count(case when outcome is null and (number <> $4 or request <> $5) then 1 end) as open
     from mentions where repository_id = $1 and login = $2 and at > $3`,
    [repositoryId, login, sinceMs, number, request],
  );
  return { refused: row?.refused ?? 0, open: row?.open ?? 0 };
}

/** Keeps what a command has worked out. The first result stays. */
export async function saveResult(
  { repositoryId, number, request }: MentionKey,
  result: string,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update mentions set result = $4
     where repository_id = $1 and number = $2 and request = $3 and result is null and outcome is null`,
    [repositoryId, number, request, result],
  );
}

/**
 * Ends a mention, and deletes the result, which was only needed until then. Only an answer that was delivered stays counted. The first
 * outcome stays.
 */
export async function endMention(
  { repositoryId, number, request }: MentionKey,
  { outcome, at }: { readonly outcome: string; readonly at: number },
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update mentions set outcome = $4, finished_at = $5, result = null, is_turn = case when $6 = 1 then is_turn else 0 end
     where repository_id = $1 and number = $2 and request = $3 and outcome is null`,
    [repositoryId, number, request, outcome, at, DELIVERED.test(outcome) ? 1 : 0],
  );
}

const DELIVERED = /^(?:answered|done):/;
