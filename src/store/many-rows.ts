/**
 * Splits work into statements over many rows, because a statement per row would cost a round trip per row. The number of
 * rows is always a power of two, so that the server prepares only a few different statements.
 */

/** Beyond this, planning the statement costs more time than the extra rows save. */
const MAX_ROWS = 128;

/** Passes all items to `run` in order, in as few batches as possible, one at a time. Returns all results. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let size = MAX_ROWS;
  for (let from = 0; from < items.length; from += size) {
    while (size > items.length - from) size /= 2;
    results.push(...(await run(items.slice(from, from + size))));
  }
  return results;
}

/** Placeholders for the values of several rows: "($1, $2), ($3, $4)". */
export function rowsOf(rows: number, columns: number): string {
  const row = (index: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(", ")})`;
  return Array.from({ length: rows }, (_, index) => row(index)).join(", ");
}
