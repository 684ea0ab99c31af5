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
 * A statement that looks up each of several values on its own; `select` ends with "column =". For an `in (…)` list, PostgreSQL may
 * keep a plan made when there were few rows, and scan the whole table.
 */
export function lookUps(values: number, select: string): string {
  return once(`${values} ${select}`, () =>
    Array.from({ length: values }, (_, index) => `${select} $${index + 1}`).join(" union all "),
  );
}

function once(key: string, make: () => string): string {
  const known = placeholders.get(key);
  if (known !== undefined) return known;
  const made = make();
  placeholders.set(key, made);
  return made;
}
