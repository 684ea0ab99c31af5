/**
 * Composes the move of an installation from SQLite to PostgreSQL: two stores, and the job order of the new queue. Loaded
 * only by `kodiai migrate`.
 */
import { count } from "../base/count.ts";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { armFaultPoint } from "../base/fault-point.ts";
import { createLog } from "../base/log.ts";
import type { AppSources } from "./app.ts";
import { readMoveSettings } from "../config/server-settings.ts";
import { readLastLease } from "../queue/rules/lost-leases.ts";
import { restoreTurns, WAITING_COLUMN } from "../queue/postgres/restore-turns.ts";
import { type MoveSource, moveStore, openMoveSource, openMoveTarget } from "../store/move/move-store.ts";
import type { MoveReport, MoveControls } from "../store/move/move-report.ts";
import { assertUnused } from "../store/sqlite/inspect-file.ts";
import { isPostgres, SCHEMA_RECORD, sqlitePathOf } from "../store/store.ts";

export type MoveSources = Pick<AppSources, "settings" | "stderr"> & { readonly controls: MoveControls };

export async function moveToPostgres(
  from: string,
  { settings, stderr, controls }: MoveSources,
): Promise<MoveReport> {
  const { databaseUrl, logLevel: level, faultPoint } = readMoveSettings(settings);
  if (!isPostgres(databaseUrl)) {
    throw new KodiaiError("config", "DATABASE_URL isn't the address of a PostgreSQL database", {
      hint: "Set it to the database to move to: postgres://USER:PASSWORD@HOST/DATABASE. --from is the file to move from.",
    });
  }
  if (faultPoint !== null) armFaultPoint(faultPoint);
  const log = createLog({ level, format: "text", write: (line) => stderr.write(line), now: Date.now });
  assertUnused(sqlitePathOf(from), SCHEMA_RECORD);
  const source = await openMoveSource(from, [WAITING_COLUMN]);
  try {
    await assertNoActiveLease(source);
    const target = await openMoveTarget(databaseUrl, source);
    try {
      const { database } = target;
      const onError = (error: unknown): void => log.warn("queue failed", { error: messageOf(error) });
      const beforeUse = (): Promise<void> => restoreTurns({ database, onError });
      return await moveStore(source, target, { controls, beforeUse });
    } finally {
      await target.close();
    }
  } finally {
    await source.store.close();
  }
}

/**
 * A job with an expired lease moves as it is, and the new queue restarts it as the old one would have. An active lease
 * means that a worker is still running. Since no process has this file open, the file must be a copy of the one in use.
 */
async function assertNoActiveLease({ path, store }: MoveSource): Promise<void> {
  const until = await readLastLease(store.database);
  const leftMs = (until ?? 0) - store.now();
  if (leftMs <= 0) return;
  throw new KodiaiError("config", `a worker may still be running a job of ${path}`, {
    hint: `Stop the server first. If it was killed, wait ${count(Math.ceil(leftMs / 1_000), "second")} for its lease to expire, or start it and stop it with SIGTERM.`,
  });
}
