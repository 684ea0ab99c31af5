/**
 * Statements over many rows at once: on a server, a statement for each row would be a round trip for each. The number of rows
 * is always a power of two, so that a server has few different statements to plan and to keep.
 */

/** More rows make a statement slower to plan than they save. */
const MAX_ROWS = 128;

/** Calls `run` with all items in order, as few times as the sizes allow, one after the other; all that it gave. */
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

/** "($1, $2), ($3, $4)": places for the values of so many rows. */
export function rowsOf(rows: number, columns: number): string {
  const row = (index: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(", ")})`;
  return Array.from({ length: rows }, (_, index) => row(index)).join(", ");
}
