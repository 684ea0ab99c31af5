/**
 * Puts together what moves an installation from one database to another: two stores, and the line of the new queue.
 * A composition root like compose/app.ts; loaded only by the command that moves.
 */
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
    throw new KodiaiError("config", "DATABASE_URL does not name a PostgreSQL database to move to", {
      hint: "Set it to postgres://USER:PASSWORD@HOST/DATABASE; --from names the file to move from.",
    });
  }
  if (faultPoint !== null) armFaultPoint(faultPoint);
  const log = createLog({ level, format: "text", write: (line) => stderr.write(line), now: Date.now });
  assertUnused(sqlitePathOf(from), SCHEMA_RECORD);
  const source = await openMoveSource(from, [WAITING_COLUMN]);
  try {
    await assertNobodyWorks(source);
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
 * A job whose lease is over moves as it is, and is taken up by the queue over there as it would have been here. A lease that
 * is not over means that somebody is at work: on the file of which this one is a copy, since this one is not open.
 */
async function assertNobodyWorks({ path, store }: MoveSource): Promise<void> {
  const until = await readLastLease(store.database);
  const leftMs = (until ?? 0) - store.now();
  if (leftMs <= 0) return;
  throw new KodiaiError("config", `a worker may still be at work on a job of ${path}`, {
    hint: `Stop the server first. If it was killed, its lease ends in ${Math.ceil(leftMs / 1_000)} s: wait for that, or start it and stop it with SIGTERM.`,
  });
}
