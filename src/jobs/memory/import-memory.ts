/**
 * Imports exported memory: reads line by line, and writes a few lines in each transaction. Importing a file twice changes nothing, so an
 * interrupted import is simply repeated. Of two versions of a row, the one that was updated last wins.
 */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { memoryText } from "../../memory/memory-text.ts";
import { termsOf } from "../../memory/terms-of.ts";
import type { Database, Sql } from "../../store/database.ts";
import {
  restoreFeedback,
  restoreForgotten,
  restoreLearning,
  restoreMemory,
  restoreRepository,
  restoreSuppression,
} from "../../store/repositories/exchanged-memory.ts";
import { memoryScope } from "../../store/repositories/memories.ts";
import type { VectorEntry, Vectors } from "../../store/vectors/vectors.ts";
import {
  EXPORT_FORMAT,
  EXPORT_KIND,
  MemoryFileLine,
  type MemoryFileRow,
  type ROW_KINDS,
} from "./memory-lines.ts";

/** A longer line isn't of an export: texts and vectors are limited. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Lets the reviews of a running server write in between. */
const ROWS_PER_TRANSACTION = 10;

export type RowKind = (typeof ROW_KINDS)[number];

export type ImportReport = {
  /** By kind: rows that are new or newer than the ones here. */
  readonly written: Readonly<Record<RowKind, number>>;
  /** Rows that were already here, or are older, or were forgotten here. */
  readonly unchanged: number;
};

export type ImportDeps = { readonly database: Database; readonly vectors: Vectors };

type NumberedRow = { readonly row: MemoryFileRow; readonly line: number };

/** `chunks` are bytes as latin1. With `onlyName`, `owner/name`, the rows of other repositories are skipped. */
export async function importMemory(
  chunks: AsyncIterable<string>,
  onlyName: string | null,
  deps: ImportDeps,
): Promise<ImportReport> {
  const written = { repository: 0, forgotten: 0, memory: 0, learning: 0, suppression: 0, feedback: 0 };
  let unchanged = 0;
  let batch: NumberedRow[] = [];
  const flush = async (): Promise<void> => {
    const rows = batch;
    batch = [];
    const changed = await deps.database.transaction((sql) => writeRows(rows, sql, deps));
    for (const { row } of changed) written[row.kind]++;
    unchanged += rows.length - changed.length;
  };
  const wantedIds = new Set<number>();
  for await (const numbered of readRows(chunks)) {
    const { row } = numbered;
    if (row.kind === "repository" && isWanted(row.repository, onlyName)) wantedIds.add(row.repositoryId);
    if (!wantedIds.has(row.repositoryId)) continue;
    batch.push(numbered);
    if (batch.length >= ROWS_PER_TRANSACTION) await flush();
  }
  if (batch.length > 0) await flush();
  if (onlyName !== null && wantedIds.size === 0)
    throw new KodiaiError("usage", `the file has nothing about ${onlyName}`, {
      hint: "Leave out --repo to import everything in it.",
    });
  return { written, unchanged };
}

function isWanted(
  repository: { readonly owner: string; readonly name: string } | null,
  onlyName: string | null,
): boolean {
  if (onlyName === null) return true;
  return (
    repository !== null && `${repository.owner}/${repository.name}`.toLowerCase() === onlyName.toLowerCase()
  );
}

/** Returns the rows that changed something. */
async function writeRows(
  rows: readonly NumberedRow[],
  sql: Sql,
  { vectors }: ImportDeps,
): Promise<readonly NumberedRow[]> {
  const changed: NumberedRow[] = [];
  for (const numbered of rows) if (await writeRow(numbered, sql, vectors)) changed.push(numbered);
  return changed;
}

async function writeRow({ row, line }: NumberedRow, sql: Sql, vectors: Vectors): Promise<boolean> {
  const { repositoryId } = row;
  switch (row.kind) {
    case "repository":
      return row.repository !== null && restoreRepository(repositoryId, row.repository, sql);
    case "forgotten":
      return restoreForgotten(repositoryId, row, sql);
    case "learning": {
      const { kind: _, learningKind, ...learning } = row;
      return restoreLearning({ ...learning, kind: learningKind }, sql);
    }
    case "suppression":
      return restoreSuppression(row, sql);
    case "feedback":
      return restoreFeedback(repositoryId, row, sql);
    case "memory": {
      const { kind: _, vector, ...memory } = row;
      const space = vector?.space ?? null;
      const id = await restoreMemory({ ...memory, terms: termsOf(memoryText(memory)), space }, sql);
      if (id !== null && vector !== null) await vectors.put([toEntry(id, { row, line })], sql);
      return id !== null;
    }
  }
}

function toEntry(id: number, { row, line }: NumberedRow): VectorEntry {
  const vector = row.kind === "memory" ? row.vector : null;
  if (vector === null) throw badLine(line, "has no vector");
  const bytes = Uint8Array.from(Buffer.from(vector.data, "base64"));
  const at = vector.space.lastIndexOf("/");
  const space = { name: vector.space.slice(0, at), dimensions: Number(vector.space.slice(at + 1)) };
  if (bytes.length !== space.dimensions * Float32Array.BYTES_PER_ELEMENT)
    throw badLine(line, `has a vector of ${bytes.length} bytes in a space of ${space.dimensions} dimensions`);
  const numbers = new Float32Array(bytes.buffer);
  if (!numbers.every(Number.isFinite) || numbers.every((number) => number === 0))
    throw badLine(line, "has a vector without a direction");
  return { id, scope: memoryScope(row.repositoryId), space, vector: numbers };
}

/** Checks the header, the order and the end of a file. */
async function* readRows(chunks: AsyncIterable<string>): AsyncGenerator<NumberedRow> {
  /** Whether the repositories so far have a row of their own, which memories need. */
  const registered = new Map<number, boolean>();
  let [line, rows] = [0, 0];
  let isEnded = false;
  for await (const bytes of splitLines(chunks)) {
    line++;
    if (bytes.trim() === "") continue;
    const parsed = parseLine(bytes, line);
    if (line === 1 ? parsed.kind !== EXPORT_KIND : parsed.kind === EXPORT_KIND)
      throw badLine(line, line === 1 ? "isn't the header of an export" : "is a second header");
    if (isEnded) throw badLine(line, "comes after the end");
    if (parsed.kind === EXPORT_KIND) continue;
    if (parsed.kind === "end") {
      if (parsed.rows !== rows)
        throw badLine(line, `counts ${count(parsed.rows, "row")}, but the file has ${rows}`);
      isEnded = true;
      continue;
    }
    rows++;
    if (parsed.kind === "repository") registered.set(parsed.repositoryId, parsed.repository !== null);
    const isRegistered = registered.get(parsed.repositoryId);
    if (isRegistered === undefined || (parsed.kind === "memory" && !isRegistered))
      throw badLine(line, `is of repository ${parsed.repositoryId}, which isn't described before it`);
    yield { row: parsed, line };
  }
  if (line === 0) throw badLine(1, "is missing: the file is empty");
  if (!isEnded) throw badLine(line + 1, "is missing: the file was cut off before its end");
}

function parseLine(bytes: string, line: number): MemoryFileLine {
  const value = parseJson(bytes, line);
  assertFormat(value, line);
  const result = MemoryFileLine.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw badLine(line, `isn't valid${where}: ${issue?.message ?? "unknown"}`);
}

function parseJson(bytes: string, line: number): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(bytes, "latin1"));
    return JSON.parse(text) as unknown;
  } catch {
    throw badLine(line, "isn't JSON in UTF-8");
  }
}

function assertFormat(value: unknown, line: number): void {
  const header = value as { readonly kind?: unknown; readonly format?: unknown } | null;
  if (header?.kind !== EXPORT_KIND || typeof header.format !== "number") return;
  if (header.format > EXPORT_FORMAT)
    throw new KodiaiError(
      "usage",
      `line ${line}: the file has format ${header.format}, and this program reads ${EXPORT_FORMAT}`,
      {
        hint: "Import it with the version of Kodiai that exported it, or a newer one.",
      },
    );
}

/** Lines without their line feeds, as latin1. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  // Only the new chunk is searched, so that a long line in small chunks costs no more than its length.
  let parts: string[] = [];
  let [chars, line] = [0, 1];
  const add = (part: string): void => {
    parts.push(part);
    chars += part.length;
    if (chars > MAX_LINE_BYTES) throw tooLong(line);
  };
  for await (const chunk of chunks) {
    const [first = "", ...others] = chunk.split("\n");
    add(first);
    for (const next of others) {
      yield parts.join("");
      line++;
      parts = [];
      chars = 0;
      add(next);
    }
  }
  if (chars > 0) yield parts.join("");
}

const tooLong = (line: number): KodiaiError => badLine(line, `is longer than ${MAX_LINE_BYTES / 1024} KiB`);

function badLine(line: number, what: string): KodiaiError {
  return new KodiaiError("usage", `line ${line} ${what}`, {
    hint: "Rows of earlier lines may have been imported. Export again, or fix the line, and repeat the import.",
  });
}
