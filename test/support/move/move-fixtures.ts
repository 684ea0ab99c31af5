/** A filled SQLite database, and an empty PostgreSQL to move it to. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { KodiaiError } from "../../../src/base/errors.ts";

export async function inPostgres(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

export function inSqlite(path: string, ...statements: readonly string[]): void {
  const handle = new DatabaseSync(path);
  try {
    for (const statement of statements) handle.exec(statement);
  } finally {
    handle.close();
  }
}

/** Checks the error's code, message and hint. */
export const refused =
  (code: string, message: RegExp, hint = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof KodiaiError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.hint, hint);
    return true;
  };

export const JOB = `insert into jobs (key, kind, lane, job_group, priority, payload, state, due_at, run_at, created_at) values`;
