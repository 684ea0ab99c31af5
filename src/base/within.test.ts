import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "./within.ts";

const NEVER = new AbortController().signal;
const late = () => new Error("too late");

test("a time limit ends the wait for work that ignores its signal, and passes on everything else", async () => {
  const limit = { ms: 5, signal: NEVER, late };
  const hanging = () => new Promise<never>(() => {});
  await assert.rejects(within(limit, hanging), /too late/);
  const wrapping = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("request failed")));
    });
  await assert.rejects(within(limit, wrapping), /too late/, "not the error of an adapter that it stopped");
  await assert.rejects(
    within({ ...limit, ms: 60_000 }, () => Promise.reject(new Error("refused"))),
    /refused/,
  );
  assert.equal(await within({ ...limit, ms: 60_000 }, async () => 1), 1);
  const stop = new AbortController();
  const stopped = within({ ms: 60_000, signal: stop.signal, late }, hanging);
  stop.abort(new Error("the job was stopped"));
  await assert.rejects(stopped, /the job was stopped/);
});
