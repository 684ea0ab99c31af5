/** Evaluations through the command line: a run with its score, its recordings, and its comparison. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openEvaluationScene } from "../support/evaluation-scene.ts";

test("eval: a run is scored offline with the same bytes each time, replayed from its recordings, and compared", async (t) => {
  const { folder, server, run, kodiai, caseRuns } = await openEvaluationScene(t);
  const ran = await run("first");
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stderr, /3 reviews, USD 0\.\d+ in first/);
  const calls = server.requests.length;
  const scored = await kodiai("eval", "score", "first");
  assert.equal(scored.code, 0, scored.stderr);
  assert.match(scored.stdout, /Recall +100\.0 %; 2 of 2 answers/);
  assert.match(scored.stdout, /Findings per sound change +0\.00; 0 in 1 review/);
  const files = ["score.json", "score.md", "score.html"].map((name) => join(folder, "first", name));
  const before = files.map((file) => readFileSync(file, "utf8"));
  const again = await kodiai("eval", "score", "first");
  assert.equal(again.stdout, scored.stdout);
  assert.deepEqual(
    files.map((file) => readFileSync(file, "utf8")),
    before,
  );
  const [usage] = caseRuns("first");
  assert.deepEqual([usage?.tokens.input, usage?.firstCallTokens, usage?.conclusion], [200, 100, "complete"]);
  const same = await kodiai("eval", "compare", "first", join("first", "score.json"));
  assert.match(same.stdout, /No difference that this set can show/);
  // A second run of the same folder reviews nothing.
  const resumed = await run("first");
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.equal(server.requests.length, calls);
  const other = await run("first", "--passes", "2");
  assert.deepEqual([other.code, /passes was not set, now 2/.test(other.stderr)], [2, true], other.stderr);
});
