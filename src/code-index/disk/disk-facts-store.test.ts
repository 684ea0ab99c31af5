/** Tests the code index on disk: the contract, other processes, and files that are damaged, foreign or read-only. */
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { testCodeIndex } from "../../../test/support/code-index-contract.ts";
import { createCodeIndex } from "../create-code-index.ts";
import { openCodeIndex } from "../open-code-index.ts";
import { openDiskFactsStore } from "./disk-facts-store.ts";
import {
  makeFolder,
  openSmallWorld,
  openIn,
  readAndClose,
  summary,
} from "../../../test/support/disk-facts-fixtures.ts";

testCodeIndex("disk", (t, given) => {
  const index = openCodeIndex({ ...given, cacheFolder: makeFolder(t) });
  t.after(() => index.close());
  return index;
});

test("a new process finds the facts of an earlier one, and another repository or extractor doesn't", async (t) => {
  const { world, open } = await openSmallWorld(t);
  const cold = await readAndClose(open(), world);
  const warm = await readAndClose(open(), world);
  assert.deepEqual(
    [summary(cold), summary(warm)],
    [
      [0, 5, 0, null],
      [5, 0, 0, null],
    ],
  );
  assert.deepEqual(warm.facts, cold.facts);
  assert.equal(world.reads(), 5);
  assert.deepEqual(summary(await readAndClose(open("other"), world)), [0, 5, 0, null]);
});

test("a damaged row is extracted again and replaced", async (t) => {
  const { world, folder, open } = await openSmallWorld(t);
  const cold = await readAndClose(open(), world);
  const database = new DatabaseSync(join(folder, "index.db"));
  database.exec(
    "UPDATE facts SET facts = CAST(replace(CAST(facts AS TEXT), 'module_3', 'module_4') AS BLOB)",
  );
  database.close();
  const read = await readAndClose(open(), world);
  assert.deepEqual(summary(read), [4, 1, 0, "corrupt"]);
  assert.deepEqual(read.facts.get("folder/3.py"), cold.facts.get("folder/3.py"));
  assert.deepEqual(summary(await readAndClose(open(), world)), [5, 0, 0, null]);
});

test("a damaged file is replaced", async (t) => {
  const { world, folder, open } = await openSmallWorld(t, 100);
  const cold = await readAndClose(open(), world);
  const path = join(folder, "index.db");
  const bytes = readFileSync(path);
  // The header stays, so that it is still a database.
  bytes.fill(0xaa, 100);
  writeFileSync(path, bytes);
  const read = await readAndClose(open(), world);
  assert.deepEqual(summary(read), [0, 100, 0, "corrupt"]);
  assert.deepEqual(read.facts, cold.facts);
  assert.deepEqual(summary(await readAndClose(open(), world)), [100, 0, 0, null]);
  truncateSync(path, 5_000);
  const cut = await readAndClose(open(), world);
  assert.deepEqual([cut.facts, cut.cacheProblem], [cold.facts, "corrupt"]);
  assert.deepEqual(summary(await readAndClose(open(), world)), [100, 0, 0, null]);
});

test("a file of another program or version stays as it is, and isn't used", async (t) => {
  const { world, folder, open } = await openSmallWorld(t);
  const text = join(folder, "text.db");
  writeFileSync(text, "not a database, but longer than the header of one".repeat(10));
  const other = join(folder, "other.db");
  const newer = join(folder, "newer.db");
  for (const [path, sql] of [
    [other, "CREATE TABLE facts (key TEXT, facts TEXT); INSERT INTO facts VALUES ('a', 'b')"],
    [newer, "PRAGMA application_id = 0x6b6f6469; PRAGMA user_version = 99; CREATE TABLE other (a)"],
  ] as const) {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  }
  for (const path of [text, other, newer]) {
    const before = readFileSync(path);
    const name = path.slice(folder.length + 1, -".db".length);
    assert.deepEqual(summary(await readAndClose(open(name), world)), [0, 5, 0, "foreign"]);
    assert.deepEqual(readFileSync(path), before);
  }
});

test("a cache that can't be written costs only time", async (t) => {
  const { world, folder, open } = await openSmallWorld(t);
  writeFileSync(join(folder, "file"), "");
  const unavailable = openIn(join(folder, "file"), "index", world);
  assert.deepEqual(summary(await readAndClose(unavailable, world)), [0, 5, 0, "unavailable"]);
  // A superuser may write everywhere.
  if (process.getuid?.() === 0) return;
  await readAndClose(open(), world);
  chmodSync(join(folder, "index.db"), 0o400);
  chmodSync(folder, 0o500);
  t.after(() => chmodSync(folder, 0o700));
  world.made.write("new.py", "import os\n");
  world.made.commit("second");
  const read = await readAndClose(open(), world);
  assert.deepEqual([read.facts.size, read.cacheProblem], [6, "read-only"]);
});

test("files over their limit and files that weren't used for long are removed", async (t) => {
  const { world } = await openSmallWorld(t, 1);
  const folder = makeFolder(t);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes, day] of [
    ["old", 600, 1],
    ["recent", 600, 20],
    ["index", 3_000, 30],
  ] as const) {
    writeFileSync(join(folder, `${name}.db`), "x".repeat(bytes));
    utimesSync(join(folder, `${name}.db`), new Date(2026, 0, day), new Date(2026, 0, day));
  }
  writeFileSync(join(folder, "old.db-wal"), "");
  const limits = { maxFileBytes: 2_000, maxFolderBytes: 1_000 };
  const store = openDiskFactsStore({ folder, name: "index", limits });
  const read = await readAndClose(createCodeIndex({ ...world, store }), world);
  assert.equal(read.cacheProblem, null);
  assert.deepEqual(readdirSync(folder).toSorted(), ["index.db", "recent.db"]);
  assert.ok(statSync(join(folder, "index.db")).size > 3_000);
});
