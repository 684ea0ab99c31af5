/** Opens the database for a memory command, and finds repositories in it by name. */
import { KodiaiError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import type { Sql } from "../../store/database.ts";
import {
  findRepositoryNamed,
  type KnownRepository,
  listKnownRepositories,
  readKnownRepository,
} from "../../store/repositories/memory-records.ts";
import type { Records } from "../app.ts";
import type { CliDeps, Command, OptionSpec, ParsedArguments } from "../command.ts";
import { usage } from "../parse-arguments.ts";

export const REPO: OptionSpec = { type: "string", value: "OWNER/NAME", help: "only this repository" };
export const JSON_OPTION: OptionSpec = { type: "boolean", help: "print JSON" };

export const NEEDS_DATABASE =
  "Reads the database in DATABASE_URL (default: sqlite:./data/kodiai.db). Needs no other settings.";

export async function withRecords<Value>(
  deps: Pick<CliDeps, "installation">,
  work: (records: Records) => Promise<Value>,
  options?: { readonly mayCreate?: boolean },
): Promise<Value> {
  const records = await deps.installation.openRecords(options);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}

export type NamedRepository = { readonly repositoryId: number; readonly name: string };

/** The repository of an option; null if the option isn't set. */
export async function readRepository(
  command: Pick<Command, "name">,
  { options }: Pick<ParsedArguments, "options">,
  { option = "repo", sql }: { readonly option?: string; readonly sql: Sql },
): Promise<NamedRepository | null> {
  const name = options[option];
  if (typeof name !== "string") return null;
  if (!/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(name))
    throw usage(command, `--${option} must be OWNER/NAME, not "${printable(name)}"`);
  const repositoryId = await findRepositoryNamed(name, sql);
  if (repositoryId !== null) return { repositoryId, name };
  const known = (await listKnownRepositories(sql)).map((each) => each.name);
  const near = nearest(name, known);
  throw new KodiaiError(
    "usage",
    `Kodiai hasn't reviewed ${name}${near === null ? "" : `; did you mean ${printable(near)}?`}`,
    { hint: "Run `kodiai memory list` for the repositories in this database, and check DATABASE_URL." },
  );
}

/** Like readRepository, but the option is required. */
export async function requireRepository(
  command: Pick<Command, "name">,
  args: Pick<ParsedArguments, "options">,
  sql: Sql,
): Promise<NamedRepository> {
  const found = await readRepository(command, args, { sql });
  if (found === null) throw usage(command, `${command.name} requires --repo OWNER/NAME`);
  return found;
}

/** The name of a repository for people. */
export async function nameOf(repositoryId: number, sql: Sql): Promise<string> {
  const known: KnownRepository | null = await readKnownRepository(repositoryId, sql);
  return known?.name ?? String(repositoryId);
}
