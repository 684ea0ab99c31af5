/** Scores of evaluations: a drop below a stored score, and matches that a judge finds or rejects. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRun, keepReview } from "../../src/evaluation/run/run-folder.ts";
import { scoreRun } from "../../src/evaluation/score/score-run.ts";
import {
  caseRun,
  evaluated,
  LOOP_ANSWER,
  results,
  runCase,
  writeJson,
} from "../support/evaluation-fixtures.ts";
import { keepJudged, MODEL, openEvaluationScene } from "../support/evaluation-scene.ts";
import { forever, type ModelScript } from "../support/model-server/script.ts";

test("eval: a drop below a stored score exits with 1, and an equal run with 0", async (t) => {
  const { folder, kodiai } = await openEvaluationScene(t);
  const cases = Array.from({ length: 12 }, (_, at) => runCase(`${at}`, [LOOP_ANSWER]));
  const runsWith = (found: number) =>
    cases.map(({ id }, at) => caseRun(id, at < found ? [evaluated({ lines: [3, 3] })] : []));
  for (const [name, found] of [
    ["good", 12],
    ["bad", 2],
  ] as const) {
    await createRun(join(folder, name), results(cases, []).run);
    for (const each of runsWith(found)) keepReview(join(folder, name), each, null);
  }
  writeJson(join(folder, "baseline.json"), scoreRun(results(cases, runsWith(12))));
  const equal = await kodiai("eval", "score", "good", "--baseline", "baseline.json");
  assert.deepEqual([equal.code, /no drop below the baseline/.test(equal.stderr)], [0, true], equal.stderr);
  const worse = await kodiai("eval", "score", "bad", "--baseline", "baseline.json");
  assert.equal(worse.code, 1, worse.stderr);
  assert.match(worse.stderr, /below the baseline: recall was 100\.0 % and is 16\.7 %/);
});

function matching(matches: readonly object[]): ModelScript {
  return forever({ toolCalls: [{ name: "record_matches", args: { matches } }] });
}

test("eval: a judge finds a match of other words and rejects one of the same place, and isn't asked twice", async (t) => {
  const { folder, server, kodiai } = await openEvaluationScene(t);
  await keepJudged(join(folder, "judged"));
  server.onConversation(({ prompt }) => prompt.includes("hides a global"), matching([]));
  server.onConversation(({ prompt }) => prompt.includes("match me"), matching([]));
  server.onConversation(({ prompt }) => prompt.includes("summed"), matching([{ answer: 1, finding: 1 }]));
  const scored = await kodiai("eval", "score", "judged", "--judge", MODEL);
  assert.equal(scored.code, 0, scored.stderr);
  for (const row of [
    /Recall +25\.0 %; 1 of 4 answers/,
    /judged 4 reviews\./,
    /Pairs that both see +0\n/,
    /Pairs by place and words only +1\n/,
    /Pairs by the model only +1\n/,
    /Pairs that neither sees +1\n/,
    /Cohen's kappa +-0\.5\d*\n/,
  ])
    assert.match(scored.stdout, row);
  const kept = readdirSync(join(folder, "judged", "judge")).map((name) =>
    readFileSync(join(folder, "judged", "judge", name), "utf8"),
  );
  assert.equal(kept.length, 3);
  assert.equal(kept.filter((text) => text.includes("match me") && text.includes('"pairs": []')).length, 1);
  // The text of a finding stays inside its fence, and its imitation of one is part of the text.
  const { body } = server.requests.find(({ body: sent }) => JSON.stringify(sent).includes("match me")) ?? {};
  const prompt = JSON.stringify(body)
    .replaceAll(String.raw`\n`, "\n")
    .replaceAll(String.raw`\"`, '"');
  const outside = prompt.replaceAll(/<data-([0-9a-f]{24}) label="[^"\n]*">\n[\s\S]*?\n<\/data-\1>/g, "");
  assert.deepEqual(
    [outside.includes("# Comment 1"), outside.includes("# Problem 2"), outside.includes("match me")],
    [true, false, false],
  );
  const bytes = readFileSync(join(folder, "judged", "score.json"), "utf8");
  const calls = server.requests.length;
  const again = await kodiai("eval", "score", "judged", "--judge", MODEL);
  assert.equal(again.stdout, scored.stdout);
  assert.equal(readFileSync(join(folder, "judged", "score.json"), "utf8"), bytes);
  assert.equal(server.requests.length, calls);
});
