/**
 * Finds and deletes all stored data of a repository, except its jobs, which belong to the queue. Every table that names a
 * repository has a statement here or in stored-memory.ts.
 */
import type { Database, Sql } from "../database.ts";
import { DELETE_REPOSITORY_ID } from "./repository-ids.ts";
import { deleteMemoryOf } from "./stored-memory.ts";

/** Rows that belong to a run are deleted before the runs. */
const DELETE_REPOSITORY = [
  "delete from notebook_entries where run_id in (select id from runs where repository_id = $1)",
  "delete from recordings where run_id in (select id from runs where repository_id = $1)",
  "delete from review_views where run_id in (select id from runs where repository_id = $1)",
  "delete from kept_publications where repository_id = $1",
  "delete from review_timeouts where repository_id = $1",
  "delete from spendings where repository_id = $1",
  "delete from findings where repository_id = $1",
  "delete from finding_events where repository_id = $1",
  "delete from run_readings where run_id in (select id from runs where repository_id = $1)",
  "delete from publications where repository_id = $1",
  "delete from author_cache where repository_id = $1",
  "delete from mentions where repository_id = $1",
  "delete from pauses where repository_id = $1",
  "delete from bumps where repository_id = $1",
  "delete from model_requests where repository_id = $1",
  "delete from deliveries where repository_id = $1",
  "delete from seen_heads where repository_id = $1",
  "delete from dashboard_audit where repository_id = $1",
  "delete from runs where repository_id = $1",
  // Their days are counted again, but totals must not outlive the repository until then.
  "delete from daily_totals where repository_id = $1",
  "delete from daily_costs where repository_id = $1",
  "delete from daily_findings where repository_id = $1",
  ...DELETE_REPOSITORY_ID,
];

export async function deleteRepository(repositoryId: number, database: Database): Promise<void> {
  await deleteMemoryOf(repositoryId, database);
  await database.transaction(async (sql) => {
    for (const statement of DELETE_REPOSITORY) await sql.query(statement, [repositoryId]);
  });
}

/** Deletes rows that belong to an installation but to none of its repositories. */
export async function deleteInstallation(installationId: number, database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("delete from deliveries where installation_id = $1", [installationId]);
    await sql.query("delete from spendings where installation_id = $1", [installationId]);
    await sql.query("delete from spending_locks where installation_id = $1", [installationId]);
  });
}

/** Returns the repositories of this installation with stored data. */
export async function findRepositoriesOf(installationId: number, sql: Sql): Promise<readonly number[]> {
  const rows = await sql.query<{ repository_id: number }>(
    `select repository_id from runs where installation_id = $1
     union select repository_id from deliveries where installation_id = $1 and repository_id is not null
     union select repository_id from spendings where installation_id = $1
     union select repository_id from feedback_polls where installation_id = $1`,
    [installationId],
  );
  return rows.map(({ repository_id: id }) => id);
}

/** Returns the repository's last known name and the jobs that worked on it. */
export async function findStored(
  repositoryId: number,
  sql: Sql,
): Promise<{ readonly name: string | null; readonly jobIds: readonly number[] }> {
  const runs = await sql.query<{ job_id: number; repository: string }>(
    "select job_id, repository from runs where repository_id = $1 order by id desc",
    [repositoryId],
  );
  const [delivery] = await sql.query<{ repository: string }>(
    `select repository from deliveries where repository_id = $1 and repository is not null
     order by received_at desc limit 1`,
    [repositoryId],
  );
  const name = delivery?.repository ?? runs[0]?.repository ?? null;
  return { name, jobIds: runs.map(({ job_id: id }) => id) };
}
