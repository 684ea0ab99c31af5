import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openOutputFolder } from "./output-folder.ts";

test("the cache keeps the 100 newest packs, and every answer of a model", async (t) => {
  const cache = mkdtempSync(join(tmpdir(), "kodiai-folder-"));
  t.after(() => rmSync(cache, { recursive: true }));
  const packs = join(cache, "packs");
  for (let age = 0; age < 120; age++) {
    const folder = join(packs, `pack-${age}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, age === 119 ? "metadata.json" : "pr-context.txt"), "");
    utimesSync(folder, 1_000_000 - age, 1_000_000 - age);
  }
  writeFileSync(join(packs, "notes.txt"), "a user's file");
  const { path } = await openOutputFolder(null, cache);
  assert.ok(existsSync(path));
  const kept = readdirSync(packs);
  assert.equal(kept.length, 100 + 1 + 1 + 1);
  for (const name of ["pack-0", "pack-99", "pack-119", "notes.txt"]) assert.ok(kept.includes(name), name);
  assert.equal(kept.includes("pack-100"), false);
});
