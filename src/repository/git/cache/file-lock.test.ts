/** Tests locks within one process. test/repository-cache.test.ts covers several processes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { shareLock, acquireLock, tryLock } from "./file-lock.ts";

function lockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "x.lock");
}

test("a lock is either exclusive or shared, never both", (t) => {
  const path = lockPath(t);
  const alone = tryLock(path);
  assert.ok(alone !== null);
  assert.equal(tryLock(path), null);
  assert.equal(shareLock(path), null);
  alone.release();
  alone.release();
  const [first, second] = [shareLock(path), shareLock(path)];
  assert.ok(first !== null && second !== null);
  assert.equal(tryLock(path), null);
  first.release();
  assert.equal(tryLock(path), null);
  second.release();
  const again = tryLock(path);
  assert.ok(again !== null);
  again.release();
  assert.equal(statSync(path).size, 0);
});

test("a waiting caller gets the lock when it is released, or stops when aborted", async (t) => {
  const path = lockPath(t);
  const held = await acquireLock(path, new AbortController().signal);
  const stopping = new AbortController();
  const stopped = acquireLock(path, stopping.signal);
  const waiting = acquireLock(path, new AbortController().signal);
  stopping.abort();
  await assert.rejects(stopped, { code: "cancelled" });
  held.release();
  (await waiting).release();
});

test("a lock file that can't be opened is an I/O error", () => {
  assert.throws(() => tryLock("/dev/null/x.lock"), { code: "io" });
});
