/** Locks within one process; test/repository-cache.test.ts has those between processes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { shareLock, takeLock, tryLock } from "./file-lock.ts";

function lockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "x.lock");
}

test("a lock is held by one, or shared by many, and never both", (t) => {
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

test("whoever waits gets the lock when it is released, or stops when told to", async (t) => {
  const path = lockPath(t);
  const held = await takeLock(path, new AbortController().signal);
  const stopping = new AbortController();
  const stopped = takeLock(path, stopping.signal);
  const waiting = takeLock(path, new AbortController().signal);
  stopping.abort();
  await assert.rejects(stopped, { code: "cancelled" });
  held.release();
  (await waiting).release();
});

test("a lock that cannot be opened is a failure of the disk", () => {
  assert.throws(() => tryLock("/dev/null/x.lock"), { code: "io" });
});
