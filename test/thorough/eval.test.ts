/** An evaluation that is killed at every request, one after the other: no answer that arrived is paid for twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countByContent, openEvaluationScene } from "../support/evaluation-scene.ts";

/** Two broken changes with two requests each, and a sound one with one. */
const REQUESTS = 5;

test("eval: a run that is killed at each request in turn pays once for each answer, and scores like one that wasn't", async (t) => {
  const { server, run, killAt, score } = await openEvaluationScene(t);
  // Each process gets one answer and is killed at the next request.
  await killAt("killed", 1);
  for (let kill = 2; kill <= REQUESTS; kill++) await killAt("killed", 2);
  const last = await run("killed");
  assert.equal(last.code, 0, last.stderr);
  const counts = [...countByContent(server.requests).values()];
  assert.deepEqual(
    counts,
    Array.from({ length: REQUESTS }, () => 2),
  );
  assert.equal((await run("whole")).code, 0);
  const [killed, whole] = [await score("killed"), await score("whole")];
  assert.deepEqual(killed.total, whole.total);
  assert.deepEqual(killed.losses, whole.losses);
});
