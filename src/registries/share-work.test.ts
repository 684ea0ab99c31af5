import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkSharing } from "./share-work.ts";

/** Work that ends when the test ends it. */
function heldWork() {
  const held: { readonly signal: AbortSignal; readonly end: (value: string) => void }[] = [];
  const work = (signal: AbortSignal) => new Promise<string>((end) => void held.push({ signal, end }));
  return { held, work, share: createWorkSharing<string>() };
}

const { signal } = new AbortController();

test("the same work is done once, and again after it has ended", async () => {
  const { held, work, share } = heldWork();
  const same = [share("a", signal, work), share("a", new AbortController().signal, work)];
  const other = share("b", signal, work);
  assert.equal(held.length, 2);
  for (const { end } of held) end("done");
  assert.deepEqual(await Promise.all([...same, other]), ["done", "done", "done"]);
  void share("a", signal, work);
  assert.equal(held.length, 3);
});

test("a caller that gives up doesn't end the work of the others; the last one does", async () => {
  const { held, work, share } = heldWork();
  const [first, second] = [new AbortController(), new AbortController()];
  const values = [first, second].map((controller) => share("a", controller.signal, work));
  first.abort();
  assert.equal(await values[0], null);
  assert.equal(held[0]?.signal.aborted, false);
  second.abort();
  assert.equal(await values[1], null);
  assert.equal(held[0]?.signal.aborted, true);
  void share("a", signal, work);
  assert.equal(held.length, 2, "aborted work isn't joined");
});

test("an aborted caller starts nothing", async () => {
  const { held, work, share } = heldWork();
  assert.equal(await share("a", AbortSignal.abort(), work), null);
  assert.equal(held.length, 0);
});
