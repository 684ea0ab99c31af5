/**
 * Model spending in millionths of a dollar. A row is a reserved amount; once it is settled, the actual cost counts instead.
 * Code that decides by these sums first takes the installation's lock, in the same transaction.
 */
import type { Sql, SqlValue } from "../database.ts";

/** The run, installation, repository, pull request and author that a cost belongs to. */
export type SpendingScope = {
  readonly runId: number;
  readonly installationId: number;
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly author: string;
  /** The author has no write access. */
  readonly isOutsider: boolean;
};

/** The rows to add up: all of the scope's run or pull request, or all since a time of its author, outsiders, repository or installation. */
export type SpendingSum =
  | { readonly of: "run" | "pull-request" }
  | { readonly of: "author" | "outsiders" | "repository" | "installation"; readonly sinceMs: number };

export type NewSpending = SpendingScope & {
  readonly model: string;
  readonly microUsd: number;
  readonly at: number;
};

/** Until the end of the transaction, no other process on any machine decides about the installation's budget. */
export async function lockSpending(installationId: number, at: number, sql: Sql): Promise<void> {
  await sql.query(
    `insert into spending_locks (installation_id, taken_at) values ($1, $2)
     on conflict (installation_id) do update set taken_at = excluded.taken_at`,
    [installationId, at],
  );
}

/** Adds up settled and reserved amounts, without the row of the given id. */
export async function sumSpendings(
  scope: SpendingScope,
  sum: SpendingSum,
  { exceptId, sql }: { readonly exceptId: number | null; readonly sql: Sql },
): Promise<number> {
  const { where, params } = conditionOf(scope, sum);
  const [row] = await sql.query<{ micro_usd: number }>(
    `select coalesce(sum(coalesce(settled_micro_usd, reserved_micro_usd)), 0) as micro_usd
     from spendings where ${where} and id <> $${params.length + 1}`,
    // No row has the id 0.
    [...params, exceptId ?? 0],
  );
  return row?.micro_usd ?? 0;
}

function conditionOf(
  { runId, installationId, repositoryId, pullRequest, author }: SpendingScope,
  sum: SpendingSum,
): { readonly where: string; readonly params: readonly SqlValue[] } {
  switch (sum.of) {
    case "run":
      return { where: "run_id = $1", params: [runId] };
    case "pull-request":
      return { where: "repository_id = $1 and pull_request = $2", params: [repositoryId, pullRequest] };
    case "author":
      return {
        where: "installation_id = $1 and author = $2 and at > $3",
        params: [installationId, author, sum.sinceMs],
      };
    case "outsiders":
      return {
        where: "repository_id = $1 and is_outsider = 1 and at > $2",
        params: [repositoryId, sum.sinceMs],
      };
    case "repository":
      return { where: "repository_id = $1 and at > $2", params: [repositoryId, sum.sinceMs] };
    case "installation":
      return { where: "installation_id = $1 and at > $2", params: [installationId, sum.sinceMs] };
  }
}

/** Returns the id of the new row. */
export async function insertSpending(spending: NewSpending, sql: Sql): Promise<number> {
  const { runId, installationId, repositoryId, pullRequest, author, isOutsider, model, microUsd, at } =
    spending;
  const [row] = await sql.query<{ id: number }>(
    `insert into spendings
       (run_id, installation_id, repository_id, pull_request, author, is_outsider, model, reserved_micro_usd, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [runId, installationId, repositoryId, pullRequest, author, isOutsider ? 1 : 0, model, microUsd, at],
  );
  if (row === undefined) throw new Error("Inserting a spending returned no row.");
  return row.id;
}

/** Returns the reserved amount. Null if it was settled. */
export async function readReserved(id: number, sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ reserved_micro_usd: number }>(
    "select reserved_micro_usd from spendings where id = $1 and settled_micro_usd is null",
    [id],
  );
  return row?.reserved_micro_usd ?? null;
}

/** Raises a reservation. The whole amount counts from then on, so that no time window loses part of it. */
export async function raiseSpending(id: number, microUsd: number, at: number, sql: Sql): Promise<void> {
  await sql.query(
    "update spendings set reserved_micro_usd = reserved_micro_usd + $2, at = $3 where id = $1",
    [id, microUsd, at],
  );
}

/** Settles a reservation. Only the first call counts. */
export async function settleSpending(id: number, microUsd: number, sql: Sql): Promise<void> {
  await sql.query("update spendings set settled_micro_usd = $2 where id = $1 and settled_micro_usd is null", [
    id,
    microUsd,
  ]);
}

/**
 * Deletes the spending of pull requests without any spending or run since then. All rows of a pull request go together:
 * while it is active, everything it has ever cost counts.
 */
export async function deleteSpendingsOfQuietSince(timeMs: number, sql: Sql): Promise<void> {
  // The subquery on the locks makes the index on installation and time usable for the old rows. Adding 0 to a time keeps the
  // planner from searching the whole repository since then instead of the index of the pull request.
  await sql.query(
    `delete from spendings
     where installation_id in (select installation_id from spending_locks) and at < $1
     and not exists (
       select 1 from spendings as later
       where later.repository_id = spendings.repository_id and later.pull_request = spendings.pull_request
       and later.at + 0 >= $1
     )
     and not exists (
       select 1 from runs
       where runs.repository_id = spendings.repository_id and runs.pull_request = spendings.pull_request
       and runs.started_at >= $1
     )`,
    [timeMs],
  );
}
