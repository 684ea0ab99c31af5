/** Exports memory as lines of JSON, page by page, so that the size of a memory doesn't matter. See memory-lines.ts. */
import { VERSION } from "../../version.ts";
import type { Sql } from "../../store/database.ts";
import {
  listFeedbackPullRequests,
  listForgotten,
  pageLearnings,
  pageMemories,
  pageSuppressions,
  readExchangedRepository,
} from "../../store/repositories/exchanged-memory.ts";
import { readFeedbackOf } from "../../store/repositories/feedback.ts";
import { EXPORT_FORMAT, EXPORT_KIND, type MemoryFileLine, type MemoryFileRow } from "./memory-lines.ts";

/** A memory has about 10 KB with its vector. */
const PAGE = 100;

/** Yields a header, the rows of these repositories, and the end. Each line ends with a line feed. */
export async function* exportMemory(
  repositoryIds: readonly number[],
  { at, sql }: { readonly at: number; readonly sql: Sql },
): AsyncGenerator<string> {
  let rows = 0;
  yield toLine({
    kind: EXPORT_KIND,
    format: EXPORT_FORMAT,
    program: `kodiai ${VERSION}`,
    exportedAt: new Date(at).toISOString(),
  });
  for (const repositoryId of repositoryIds) {
    for await (const row of rowsOfRepository(repositoryId, sql)) {
      rows++;
      yield toLine(row);
    }
  }
  yield toLine({ kind: "end", rows });
}

function toLine(line: MemoryFileLine): string {
  return `${JSON.stringify(line)}\n`;
}

async function* rowsOfRepository(repositoryId: number, sql: Sql): AsyncGenerator<MemoryFileRow> {
  yield { kind: "repository", repositoryId, repository: await readExchangedRepository(repositoryId, sql) };
  for (const row of await listForgotten(repositoryId, sql)) yield { kind: "forgotten", repositoryId, ...row };
  for await (const { id: _, vector, ...row } of pages(repositoryId, pageMemories, sql)) {
    const data = vector === null ? null : Buffer.from(vector.bytes).toString("base64");
    yield {
      kind: "memory",
      ...row,
      // Only outcomes of the list are stored.
      outcome: row.outcome as Extract<MemoryFileRow, { kind: "memory" }>["outcome"],
      vector: vector === null || data === null ? null : { space: vector.space, data },
    };
  }
  for await (const { id: _, kind, paths, ...row } of pages(repositoryId, pageLearnings, sql))
    yield { kind: "learning", ...row, learningKind: kind, paths: [...paths] };
  for await (const { id: _, ...row } of pages(repositoryId, pageSuppressions, sql))
    yield { kind: "suppression", repositoryId, ...row };
  for (const pullRequest of await listFeedbackPullRequests(repositoryId, sql)) {
    for (const row of await readFeedbackOf({ repositoryId, pullRequest }, sql))
      yield { kind: "feedback", repositoryId, ...row };
  }
}

type ReadPage<Item> = (
  request: { readonly repositoryId: number; readonly after: number; readonly limit: number },
  sql: Sql,
) => Promise<readonly Item[]>;

async function* pages<Item extends { readonly id: number }>(
  repositoryId: number,
  read: ReadPage<Item>,
  sql: Sql,
): AsyncGenerator<Item> {
  for (let after = 0; ;) {
    const page = await read({ repositoryId, after, limit: PAGE }, sql);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
