/** Copies one table in key order, and resumes where an earlier run stopped. */
import { KodiaiError } from "../../base/errors.ts";
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Database, Sql } from "../database.ts";
import { readProgress, recordProgress } from "./move-record.ts";
import type { MoveControls } from "./move-report.ts";
import { countRows, readLastNumber, readSourcePage } from "./source-rows.ts";
import type { Table } from "./tables.ts";
import { continueNumbers, insertRows } from "./target-rows.ts";

/** Each batch and its progress record are one transaction. */
export async function copyTable(
  table: Table,
  source: Sql,
  target: Database,
  { onProgress, signal }: MoveControls,
): Promise<void> {
  const total = await countRows(table, source);
  let progress = await readProgress(table.name, target);
  for (;;) {
    stopIfAborted(signal);
    onProgress("copying", table.name, progress.rows, total);
    const page = await readSourcePage(table, progress.lastKey, source);
    if (page === null) break;
    const before = progress;
    const after = { lastKey: page.lastKey, rows: before.rows + page.rows.length };
    await target.transaction(async (sql) => {
      await recordProgress(table.name, before, after, sql);
      await insertRows(table, page.rows, sql);
      reachFaultPoint("move-in-batch");
    });
    reachFaultPoint("move-after-batch");
    progress = after;
  }
  const last = await readLastNumber(table, source);
  if (last !== null) await continueNumbers(table, last, target);
}

export function stopIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new KodiaiError("cancelled", "the move was stopped", {
    hint: "Run the command again to resume the move.",
  });
}
