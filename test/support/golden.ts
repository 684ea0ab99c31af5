/** Compares text with a golden file in test/fixtures; `UPDATE_GOLDEN=1` writes the file instead. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FIXTURES = join(import.meta.dirname, "../fixtures");

export function assertGolden(name: string, actual: string): void {
  const path = join(FIXTURES, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  assert.equal(actual, readFileSync(path, "utf8"), `${name} differs; UPDATE_GOLDEN=1 accepts the new text`);
}
