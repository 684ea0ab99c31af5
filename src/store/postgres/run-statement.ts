/** Runs one statement on a connection of PostgreSQL, with values as the port knows them. */
import { createHash } from "node:crypto";
import { type PoolClient, type QueryResult, types } from "pg";
import { KodiaiError } from "../../base/errors.ts";
import { type Row, type SqlValue, toStorableText } from "../database.ts";

// Longer than any statement takes but those that change the schema; a network that swallows packets says nothing at all.
const ANSWER_WITHIN_MS = 30_000;

// An index over millions of rows, and the processes that wait until another one has made it.
const SCHEMA_CHANGE_WITHIN_MS = 3_600_000;

const SCHEMA_CHANGE = /\b(?:create|alter|drop|pg_advisory_xact_lock)\b/i;

// The program has some hundred statements; the limit only keeps generated ones from piling up in every connection.
const MAX_NAMES = 500;

const BYTEA = 17;
const INT8 = 20;
const BOOLEAN = 16;
const NUMERIC = 1_700;

/** Whole numbers exactly, flags as 0 and 1, bytes without the driver's memory around them. */
const TYPES = {
  getTypeParser(type: number): (text: string) => unknown {
    if (type === INT8 || type === NUMERIC) return toExactNumber;
    if (type === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
    if (type === BYTEA) return toBytes;
    return types.getTypeParser(type);
  },
};

export async function runStatement<Result extends Row>(
  client: PoolClient,
  sql: string,
  params: readonly SqlValue[],
): Promise<readonly Result[]> {
  if (isScript(sql, params)) {
    const withinMs = SCHEMA_CHANGE.test(sql) ? SCHEMA_CHANGE_WITHIN_MS : ANSWER_WITHIN_MS;
    return (await runCommand(client, sql, withinMs)).rows as Result[];
  }
  const { rows } = await client.query<Result>({
    ...nameOf(sql),
    text: sql,
    values: params.map(toBound),
    types: TYPES,
    ...limit(ANSWER_WITHIN_MS),
  });
  return rows;
}

/** What changes the schema has no values and may be several statements at once, with a transaction of its own. */
export function isScript(sql: string, params: readonly SqlValue[]): boolean {
  return (
    params.length === 0 && (sql.includes(";") || !/^\s*(?:select|with|insert|update|delete)\b/i.test(sql))
  );
}

/** The result of its last statement. */
export async function runCommand(
  client: PoolClient,
  text: string,
  withinMs: number = ANSWER_WITHIN_MS,
): Promise<QueryResult> {
  const results: unknown = await client.query({ text, types: TYPES, ...limit(withinMs) });
  // Of several statements the driver gives a list, against what its types say.
  return (Array.isArray(results) ? results.at(-1) : results) as QueryResult;
}

/** The driver knows this option of a statement; its types do not. */
function limit(withinMs: number): object {
  return { query_timeout: withinMs };
}

const names = new Map<string, string>();
let generation = 0;

/** The server parses and plans a statement once for each connection. */
function nameOf(sql: string): { readonly name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= MAX_NAMES) return {};
  const name = createHash("sha1").update(`${generation} ${sql}`).digest("hex");
  names.set(sql, name);
  return { name };
}

/** Another process has changed the schema: what was planned before, on whatever connection, is not used again. */
export function forgetPlans(): void {
  generation++;
  names.clear();
}

const parseBytes = types.getTypeParser(types.builtins.BYTEA);

function toBytes(text: string): Uint8Array {
  return new Uint8Array(parseBytes(text));
}

function toExactNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new KodiaiError("database", `The database holds a number too large to be exact: ${text}`, {
      hint: "Only a number beyond 9007199254740991 can cause this; report it with the name of the command.",
    });
  }
  return number;
}

function toBound(value: SqlValue): SqlValue {
  if (typeof value === "string") return toStorableText(value);
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be stored exactly`);
  }
  return value;
}
