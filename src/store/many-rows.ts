/**
 * Splits work into statements over many rows, because a statement per row would cost a round trip per row. The number of
 * rows is small or a power of two, so that the server prepares only a few different statements.
 */

/** Beyond this, planning the statement costs more time than the extra rows save. */
const MAX_ROWS = 128;

/** Up to this, every number of rows has its own statement: most groups of webhooks are that small, and two statements cost almost twice. */
const MAX_EXACT_ROWS = 8;

/** Passes all items to `run` in order, in as few batches as possible, one at a time. Returns all results. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(items)) results.push(...(await run(batch)));
  return results;
}

/**
 * Like `inBatches`, but starts all batches at once, in order. In a transaction on a database server they share a round trip. For a few
 * hundred rows, because all statements are in memory at the same time.
 */
export async function inBatchesAtOnce<Item, Result>(
  items: readonly Item[],
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  return (await Promise.all(batchesOf(items).map(run))).flat();
}

function batchesOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const batches: (readonly Item[])[] = [];
  let size = MAX_ROWS;
  for (let from = 0; from < items.length; from += size) {
    const left = items.length - from;
    while (size > left) size = size > MAX_EXACT_ROWS ? size / 2 : left;
    batches.push(items.slice(from, from + size));
  }
  return batches;
}

/** Texts of statements by their shape. The numbers of rows are few, and so are the shapes. */
const placeholders = new Map<string, string>();

/** Placeholders for the values of several rows: "($1, $2), ($3, $4)". */
export function rowsOf(rows: number, columns: number): string {
  return once(`${rows} ${columns}`, () => {
    const row = (index: number): string =>
      `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(", ")})`;
    return Array.from({ length: rows }, (_, index) => row(index)).join(", ");
  });
}

/**
 * A statement that looks up each of several values on its own, or each value of several rows. Each of `selects` ends with "column =".
 * For an `in (…)` list, PostgreSQL may keep a plan made when there were few rows, and scan the whole table.
 */
export function lookUps(rows: number, ...selects: readonly string[]): string {
  return once(`${rows} ${selects.join(" ")}`, () =>
    Array.from({ length: rows }, () => selects)
      .flat()
      .map((select, index) => `${select} $${index + 1}`)
      .join(" union all "),
  );
}

function once(key: string, make: () => string): string {
  const known = placeholders.get(key);
  if (known !== undefined) return known;
  const made = make();
  placeholders.set(key, made);
  return made;
}
