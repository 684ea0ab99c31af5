/** The form in which rows of both engines are read and compared: every value as text or null. */
import { createHash } from "node:crypto";
import type { Row } from "../database.ts";
import type { Column } from "./tables.ts";

export type Cells = readonly (string | null)[];

// Enough rows that the cost of the round trip hardly matters.
export const MAX_PAGE_ROWS = 1_000;

// Webhook bodies can have 25 MB each, so a page is also limited by its size.
export const MAX_PAGE_BYTES = 4_000_000;

/** The number of rows, and SHA-256 over all of them in key order. */
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
