/** Rows as both engines are read and compared: every value as text, or null. */
import { createHash } from "node:crypto";
import type { Row } from "../database.ts";
import type { Column } from "./tables.ts";

export type Cells = readonly (string | null)[];

// Enough that a round trip costs little beside its rows.
export const MAX_PAGE_ROWS = 1_000;

// Bodies of webhooks may have 25 MB each; a page of them must not fill the memory.
export const MAX_PAGE_BYTES = 4_000_000;

/** How many rows there are, and SHA-256 over all of them in the order of their key. */
export type Tally = { readonly rows: number; readonly checksum: string };

export type Tallying = { add(page: readonly Cells[]): void; end(): Tally };

export function startTally(): Tallying {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add(page) {
      rows += page.length;
      for (const cells of page) hash.update(`${JSON.stringify(cells)}\n`);
    },
    end: () => ({ rows, checksum: hash.digest("hex") }),
  };
}

export function toCells(row: Row, columns: readonly Column[]): Cells {
  return columns.map(({ name }) => {
    const value = row[name];
    if (value === null || typeof value === "string") return value;
    throw new Error(`The column ${name} was not read as text.`);
  });
}
