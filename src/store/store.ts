/** Opens the two databases of an installation: knowledge, which survives a power cut, and telemetry, which is cheap. */
import { existsSync } from "node:fs";
import { parse } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { migrate } from "./migrate.ts";
import { KNOWLEDGE_MIGRATIONS, TELEMETRY_MIGRATIONS } from "./migrations/all-migrations.ts";
import { openSqliteDatabase } from "./sqlite.ts";
import type { Database } from "./database.ts";

export type Store = {
  readonly database: Database;
  readonly telemetry: Database;
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Whoever only wants to look must not leave an empty database behind. */
  readonly mustExist?: boolean;
};

/** The schemas are up to date when it resolves. A relative path is relative to the current folder. */
export async function openStore(url: string, { mustExist = false }: StoreOptions = {}): Promise<Store> {
  const path = sqlitePathOf(url);
  if (mustExist && !existsSync(path)) throw noDatabase(path);
  const opened: Database[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened) await each.close();
  };
  const open = async (...[options, migrations]: OpenArguments): Promise<Database> => {
    const database = openSqliteDatabase(options);
    opened.push(database);
    await migrate(database, migrations, Date.now);
    return database;
  };
  try {
    const database = await open({ path, synchronous: "full" }, KNOWLEDGE_MIGRATIONS);
    const telemetry = await open(
      { path: telemetryPathOf(path), synchronous: "normal" },
      TELEMETRY_MIGRATIONS,
    );
    return { database, telemetry, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type OpenArguments = [
  options: Parameters<typeof openSqliteDatabase>[0],
  migrations: Parameters<typeof migrate>[1],
];

function sqlitePathOf(url: string): string {
  // `sqlite://PATH` is written by people who know other tools.
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined && !/^(?::memory:|file:)/.test(path)) return path;
  // The address is not repeated: it may hold a password.
  throw new KodiaiError("config", "DATABASE_URL does not name a database that Kodiai can use", {
    hint: "Set it to sqlite:PATH, for example sqlite:./data/kodiai.db.",
  });
}

/** data/kodiai.db → data/kodiai-telemetry.db */
export function telemetryPathOf(path: string): string {
  const { name, ext } = parse(path);
  return `${path.slice(0, path.length - name.length - ext.length)}${name}-telemetry${ext}`;
}

function noDatabase(path: string): KodiaiError {
  return new KodiaiError("config", `there is no database at ${path}`, {
    hint: "Run it in the folder that the server runs in, or set DATABASE_URL as the server has it.",
  });
}
