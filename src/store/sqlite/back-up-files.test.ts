import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { backUpFiles } from "./back-up-files.ts";

const ROWS = 5_000;

const MAX_WRITES = 50;

/** 5,000 pages, and a statement that adds one. */
function largeDatabase(t: TestContext): {
  readonly folder: string;
  readonly path: string;
  readonly write: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-backup-"));
  const path = join(folder, "large.db");
  const writer = new DatabaseSync(path);
  t.after(() => {
    writer.close();
    rmSync(folder, { recursive: true });
  });
  writer.exec("pragma journal_mode = wal; create table pages (content blob)");
  const insert = writer.prepare("insert into pages values (zeroblob(4000))");
  const write = (): void => void insert.run();
  writer.exec("begin");
  for (let row = 0; row < ROWS; row += 1) write();
  writer.exec("commit");
  return { folder, path, write };
}

test("a backup: another process writes all the time, and SQLite still copies each page once", async (t) => {
  const { folder, path, write } = largeDatabase(t);
  const to = join(folder, "copy.db");
  const steps: number[] = [];
  const onProgress = (done: number): void => {
    steps.push(done);
    // Without the open transaction, copying would never end.
    if (steps.length < MAX_WRITES) write();
  };
  await backUpFiles([{ from: path, to }], { overwrite: false, onProgress, signal: AbortSignal.any([]) });
  assert.ok(steps.length > 3);
  assert.deepEqual(
    steps,
    steps.toSorted((left, right) => left - right),
  );
  const copy = new DatabaseSync(to, { readOnly: true });
  assert.deepEqual({ ...copy.prepare("select count(*) as rows from pages").get() }, { rows: ROWS });
  copy.close();
});

test("a backup: Ctrl-C in the second file leaves neither behind", async (t) => {
  const { folder, path } = largeDatabase(t);
  const before = readdirSync(folder);
  const interrupt = new AbortController();
  // Two steps of each file are in its first half.
  let earlySteps = 0;
  const onProgress = (done: number, total: number): void => {
    if (done < total / 2) earlySteps += 1;
    if (earlySteps === 3) interrupt.abort();
  };
  const pairs = ["first.db", "second.db"].map((name) => ({ from: path, to: join(folder, name) }));
  await assert.rejects(backUpFiles(pairs, { overwrite: false, onProgress, signal: interrupt.signal }), {
    name: "AbortError",
  });
  assert.deepEqual(readdirSync(folder), before);
});
