/** Tests which copies are evicted and when they are measured. test/repository-cache.test.ts uses real copies. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createEviction } from "./evict-copies.ts";
import { tryLock } from "./file-lock.ts";

function cache(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-evict-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const grow = (id: number, bytes: number): void => {
    mkdirSync(join(folder, `${id}.git`), { recursive: true });
    writeFileSync(join(folder, `${id}.git`, "pack"), "x".repeat(bytes));
  };
  const startedAt = Date.now() / 1_000 - 3_600;
  const use = (id: number, afterSeconds: number): void => {
    writeFileSync(join(folder, `${id}.use`), "");
    utimesSync(join(folder, `${id}.use`), startedAt + afterSeconds, startedAt + afterSeconds);
  };
  return { folder, grow, use, has: (id: number) => existsSync(join(folder, `${id}.git`)) };
}

test("only a copy that was used again is measured again", async (t) => {
  const { folder, grow, use, has } = cache(t);
  const evict = createEviction(folder, 100);
  for (const id of [1, 2]) {
    grow(id, 40);
    use(id, id);
  }
  await evict();
  grow(2, 90);
  await evict();
  assert.ok(has(1) && has(2), "the second copy was not used, so it was not measured again");
  use(2, 3);
  await evict();
  assert.deepEqual([has(1), has(2)], [false, true]);
});

test("a copy that was measured during a fetch is measured again", async (t) => {
  const { folder, grow, use, has } = cache(t);
  const evict = createEviction(folder, 100);
  for (const id of [1, 2]) {
    grow(id, 40);
    use(id, id);
  }
  const lock = tryLock(join(folder, "2.lock"));
  assert.ok(lock !== null);
  await evict();
  grow(2, 90);
  lock.release();
  await evict();
  assert.deepEqual([has(1), has(2)], [false, true]);
});

test("a copy unused for a month is evicted even if there is space", async (t) => {
  const { folder, grow, use, has } = cache(t);
  const daySeconds = 86_400;
  for (const [id, days] of [
    [1, 31],
    [2, 29],
  ] as const) {
    grow(id, 40);
    use(id, -days * daySeconds);
  }
  await createEviction(folder, 1_000)();
  assert.deepEqual([has(1), has(2)], [false, true]);
});

test("on a full disk, half of the copies is evicted, the least recently used first", async (t) => {
  const { folder, grow, use, has } = cache(t);
  for (const id of [1, 2, 3, 4]) {
    grow(id, 40);
    use(id, id);
  }
  const evict = createEviction(folder, 1_000);
  assert.equal(await evict(), false);
  assert.equal(await evict("half"), true);
  assert.deepEqual([1, 2, 3, 4].map(has), [false, false, true, true]);
});

test("leftover folders are deleted, and a missing cache is not an error", async (t) => {
  const { folder } = cache(t);
  const left = join(folder, "7.git.discarded-x");
  mkdirSync(left);
  await createEviction(folder, 100)();
  assert.ok(!existsSync(left));
  await createEviction(join(folder, "nothing"), 100)();
});
