/**
 * Backs up the store of an installation on SQLite: knowledge, and telemetry next to it under the name that `openStore` expects.
 * Loaded only by `kodiai backup`.
 */
import { existsSync, statSync } from "node:fs";
import { KodiaiError } from "../base/errors.ts";
import { readStoreSettings } from "../config/server-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import { backUpFiles, type FileToCopy } from "../store/sqlite/back-up-files.ts";
import type { BackupControls, StoreBackup } from "../store/store-backup.ts";
import { isPostgres, noDatabase, sqlitePathOf, telemetryPathOf } from "../store/store.ts";

/** The copies can be opened in place of the originals: `DATABASE_URL=sqlite:FILE`. */
export async function backUpStore(
  source: SettingsSource,
  to: string,
  controls: BackupControls,
): Promise<readonly StoreBackup[]> {
  const { databaseUrl: url } = readStoreSettings(source);
  if (isPostgres(url)) {
    throw new KodiaiError("usage", "DATABASE_URL is the address of a PostgreSQL database", {
      hint: `Use PostgreSQL's own program: pg_dump --format=custom --file='${to}' "$DATABASE_URL"`,
    });
  }
  const path = sqlitePathOf(url);
  if (!existsSync(path)) throw noDatabase(path);
  const pairs = [
    { from: path, to },
    { from: telemetryPathOf(path), to: telemetryPathOf(to) },
  ].filter(({ from }) => existsSync(from));
  for (const { to: target } of pairs) assertFree(target, pairs, controls.overwrite);
  return backUpFiles(pairs, controls);
}

function assertFree(target: string, pairs: readonly FileToCopy[], overwrite: boolean): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isOwn = pairs.some(({ from }) => {
    const { dev, ino } = statSync(from);
    return dev === found.dev && ino === found.ino;
  });
  if (isOwn || found.isDirectory()) {
    throw new KodiaiError("usage", `${target} is ${isOwn ? "the database itself" : "a folder"}`, {
      hint: "Name another file for the backup.",
    });
  }
  if (overwrite) return;
  throw new KodiaiError("usage", `${target} already exists`, { hint: "Use --force to overwrite it." });
}
