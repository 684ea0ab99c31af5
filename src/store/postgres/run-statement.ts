/** Runs one statement on a PostgreSQL connection and converts values as the Database port defines them. */
import { createHash } from "node:crypto";
import { type PoolClient, type QueryResult, types } from "pg";
import { KodiaiError } from "../../base/errors.ts";
import { type Row, type SqlValue, toStorableText } from "../database.ts";

// Longer than any statement takes, except schema changes. Without it, a network that drops packets would block forever.
const STATEMENT_TIMEOUT_MS = 30_000;

// Allows for an index over millions of rows, and for other processes that wait for it.
const SCHEMA_CHANGE_TIMEOUT_MS = 3_600_000;

const SCHEMA_CHANGE = /\b(?:create|alter|drop|pg_advisory_xact_lock)\b/i;

// Kodiai has a few hundred statements. The limit keeps generated ones from accumulating on every connection.
const MAX_NAMES = 500;

const BYTEA = 17;
const INT8 = 20;
const BOOLEAN = 16;
const NUMERIC = 1_700;

/** Reads integers exactly, booleans as 0 and 1, and bytes as a copy in their own buffer. */
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
    const timeoutMs = SCHEMA_CHANGE.test(sql) ? SCHEMA_CHANGE_TIMEOUT_MS : STATEMENT_TIMEOUT_MS;
    return (await runCommand(client, sql, timeoutMs)).rows as Result[];
  }
  sendTogether(client);
  const { rows } = await client.query<Result>({
    ...nameOf(sql),
    text: sql,
    values: params.map(toBound),
    types: TYPES,
    ...withTimeout(STATEMENT_TIMEOUT_MS),
  });
  return rows;
}

/** Statements of one turn of the event loop share a write to the socket, because each write costs a system call and wakes the server. */
function sendTogether({ connection: { stream } }: PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Scripts, such as schema changes, have no values and may hold several statements with their own transaction. */
export function isScript(sql: string, params: readonly SqlValue[]): boolean {
  return (
    params.length === 0 && (sql.includes(";") || !/^\s*(?:select|with|insert|update|delete)\b/i.test(sql))
  );
}

/** Returns the result of the last statement. */
export async function runCommand(
  client: PoolClient,
  text: string,
  timeoutMs: number = STATEMENT_TIMEOUT_MS,
): Promise<QueryResult> {
  sendTogether(client);
  const results: unknown = await client.query({ text, types: TYPES, ...withTimeout(timeoutMs) });
  // For several statements the driver returns a list, although its types don't say so.
  return (Array.isArray(results) ? results.at(-1) : results) as QueryResult;
}

/** The driver supports this option, but its types don't include it. */
function withTimeout(timeoutMs: number): object {
  return { query_timeout: timeoutMs };
}

const names = new Map<string, string>();
let generation = 0;

/** Names the statement, so that the server prepares it once per connection. */
function nameOf(sql: string): { readonly name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= MAX_NAMES) return {};
  const name = createHash("sha1").update(`${generation} ${sql}`).digest("hex");
  names.set(sql, name);
  return { name };
}

/** Discards the prepared statements of all connections, because another process has changed the schema. */
export function discardPlans(): void {
  generation++;
  names.clear();
}

const parseBytes = types.getTypeParser(types.builtins.BYTEA);

/** Decodes into a buffer of its own. Node would otherwise need a second one for the copy, and collecting large ones takes long. */
function toBytes(text: string): Uint8Array {
  if (!text.startsWith("\\x")) return new Uint8Array(parseBytes(text));
  const bytes = new Uint8Array(text.length / 2 - 1);
  Buffer.from(bytes.buffer).write(text.slice(2), "hex");
  return bytes;
}

function toExactNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new KodiaiError("database", `The database contains a number too large to be exact: ${text}`, {
      hint: "Only numbers above 9007199254740991 cause this. Report it with the command you ran.",
    });
  }
  return number;
}

function toBound(value: SqlValue): SqlValue {
  if (typeof value === "string") return toStorableText(value);
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    throw new RangeError(`${value} can't be stored exactly`);
  }
  return value;
}
