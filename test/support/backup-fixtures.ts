/** Backups of an installation on SQLite, and what they hold. */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Scenario } from "./app/scenario.ts";
import { eventually } from "./eventually.ts";
import { type RunResult, runKodiai } from "./run-kodiai.ts";

/** The scenario's own store stays out of it: a restore replaces the file, which nothing may have open then. */
export function installationOf({ folder }: Scenario): { readonly path: string; readonly url: string } {
  const path = join(folder.path, "kodiai.db");
  return { path, url: `sqlite:${path}` };
}

export function backUp({ folder }: Scenario, url: string, ...args: readonly string[]): Promise<RunResult> {
  return runKodiai(["backup", ...args], { cwd: folder.path, env: { DATABASE_URL: url } });
}

export async function reviewed({ fake, pullRequest }: Scenario): Promise<void> {
  await eventually("the check of the last commit", () =>
    fake
      .checksOf(pullRequest)
      .some(({ head, conclusion }) => head === pullRequest.head && conclusion !== null),
  );
}

export function deliveriesIn(path: string): ReadonlySet<string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("select guid from deliveries").all();
    return new Set(rows.map(({ guid }) => String(guid)));
  } finally {
    database.close();
  }
}

/** The steps of docs/deployment.md. */
export function restore(backup: string, path: string): void {
  copyFileSync(backup, path);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}
