import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const DOCS = join(import.meta.dirname, "../docs");

test("docs/README.md lists every page once, with a line about it", () => {
  const lines = readFileSync(join(DOCS, "README.md"), "utf8").split("\n");
  const listed = lines.flatMap((line) => /^- \[([^\]]+)\]\(\1\): \S/.exec(line)?.[1] ?? []);
  const pages = readdirSync(DOCS).filter(
    (name) => (name.endsWith(".md") && name !== "README.md") || name === "decisions",
  );
  assert.deepEqual(listed.toSorted(), pages.toSorted());
});
