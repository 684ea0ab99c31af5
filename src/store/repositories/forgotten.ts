/**
 * Items that a person made Kodiai forget, so that later reviews don't learn them again. Only hashes are stored: nothing of a
 * forgotten text is left.
 */
import { hashParts } from "../../base/hash.ts";
import type { Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";

/** Identifies a memory by its finding, and a learning by what taught it. */
export type ForgettableItem =
  | { readonly kind: "memory"; readonly pullRequest: number; readonly identity: string }
  | { readonly kind: "learning"; readonly source: string; readonly name: string };

export function keyOfForgotten(item: ForgettableItem): string {
  return item.kind === "memory"
    ? hashParts([item.kind, String(item.pullRequest), item.identity])
    : hashParts([item.kind, item.source, item.name]);
}

export async function markForgotten(
  repositoryId: number,
  items: readonly ForgettableItem[],
  { at, sql }: { readonly at: number; readonly sql: Sql },
): Promise<void> {
  await inBatches(items, (batch) =>
    sql.query(
      `insert into forgotten (repository_id, item, at) values ${rowsOf(batch.length, 3)}
       on conflict (repository_id, item) do nothing`,
      batch.flatMap((item) => [repositoryId, keyOfForgotten(item), at]),
    ),
  );
}

/** Returns the items that weren't forgotten, in order. */
export async function withoutForgotten<Item>(
  repositoryId: number,
  items: readonly Item[],
  { toItem, sql }: { readonly toItem: (item: Item) => ForgettableItem; readonly sql: Sql },
): Promise<readonly Item[]> {
  return inBatches(items, async (batch) => {
    const keys = batch.map((each) => keyOfForgotten(toItem(each)));
    const rows = await sql.query<{ item: string }>(
      `select item from forgotten where repository_id = $1
       and item in (${keys.map((_, index) => `$${index + 2}`).join(", ")})`,
      [repositoryId, ...keys],
    );
    const forgotten = new Set(rows.map(({ item }) => item));
    return batch.filter((_, index) => !forgotten.has(keys[index] ?? ""));
  });
}
