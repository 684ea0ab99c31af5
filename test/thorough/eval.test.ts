/** Evaluations that are stopped, fail or lose findings: what was paid is kept, and whatever is missing or lost is named. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Score } from "../../src/evaluation/score/score.ts";
import { MAX_MODEL_FINDINGS } from "../../src/review/findings/gravest-of-model.ts";
import { LOOP_ANSWER, writeCase, writeJson } from "../support/evaluation-fixtures.ts";
import { countByContent, keepJudged, MODEL, openEvaluationScene } from "../support/evaluation-scene.ts";
import { FINISHING, oneByOne, recording } from "../support/model-scenes/model-scene.ts";
import { forever, type ModelScript, type ModelTurn } from "../support/model-server/script.ts";
import { verifying } from "../support/model-server/verifier-script.ts";

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

test("eval: a run that is killed goes on, and pays only for the request that was under way", async (t) => {
  const { folder, server, run, killAt, score, caseRuns } = await openEvaluationScene(t);
  await killAt("killed", 2);
  assert.equal(server.requests.length, 2);
  const [journal = ""] = readdirSync(join(folder, "killed", "journals"));
  assert.notEqual(journal, "");
  const resumed = await run("killed");
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stderr, /1 request had been sent without an answer/);
  const counts = [...countByContent(server.requests).values()].toSorted((a, b) => b - a);
  assert.deepEqual(counts, [2, 1, 1, 1, 1]);
  assert.deepEqual(readdirSync(join(folder, "killed", "journals")), []);
  const { total, reviews } = await score("killed");
  assert.deepEqual([total.found, total.shown, reviews.done], [2, 2, 3]);
  // The review that was cut off includes the most that the lost request can have cost.
  const [lost = 0, whole = 0] = caseRuns("killed").map(({ costUsd }) => costUsd ?? 0);
  assert.ok(lost > whole, `${lost} and ${whole}`);
});

test("eval: the budget holds across runs, a model that is down is a failure, and neither counts as a review", async (t) => {
  const { server, run, kodiai } = await openEvaluationScene(t);
  const poor = await run("poor", "--budget-usd", "0.0001");
  assert.equal(poor.code, 3, poor.stderr);
  assert.match(poor.stderr, /3 not run/);
  assert.match(poor.stderr, /higher --budget-usd/);
  assert.equal(server.requests.length, 0);
  const scored = await kodiai("eval", "score", "poor");
  assert.equal(scored.code, 3);
  assert.match(scored.stdout, /INCOMPLETE\n3 reviews of 3 weren't run/);
  server.onConversation(() => true, [{ faults: [{ kind: "status", status: 401, times: "always" }] }]);
  const down = await run("poor", "--budget-usd", "5");
  assert.equal(down.code, 3, down.stderr);
  assert.match(down.stderr, /broken-1 failed: /);
  assert.match((await kodiai("eval", "score", "poor")).stdout, /3 reviews of 3 failed/);
});

test("eval: cases that can't be used are named, and the rest is reviewed and scored", async (t) => {
  const { folder, run, kodiai, score } = await openEvaluationScene(t);
  const code = { kind: "commits", base: "0".repeat(40), head: "1".repeat(40) };
  writeFileSync(join(folder, "set", "cases", "torn.json"), "{");
  for (const [id, repository] of [
    ["not-there", "acme/gone"],
    ["no-commit", "acme/empty"],
  ] as const)
    writeJson(join(folder, "set", "cases", `${id}.json`), {
      id,
      title: id,
      language: "Go",
      isSound: true,
      code: { ...code, repository },
    });
  writeFileSync(join(folder, "set", "set.json"), readFileSync(join(folder, "set", "set.json")));
  for (const below of ["objects", "refs"]) writeJson(join(folder, "src", "acme", "empty", below, "x"), 1);
  writeFileSync(join(folder, "src", "acme", "empty", "HEAD"), "ref: refs/heads/main\n");
  const ran = await run("out", "--repositories", "src");
  assert.equal(ran.code, 3, ran.stderr);
  assert.match(ran.stderr, /left out cases\/torn\.json: /);
  assert.match(ran.stderr, /not-there failed: .*clone it to/);
  assert.match(ran.stderr, /no-commit failed: /);
  writeFileSync(join(folder, "out", "cases", "sound-1.1.json"), '{"format":1,');
  const scored = await kodiai("eval", "score", "out");
  assert.equal(scored.code, 3);
  assert.match(scored.stdout, /2 reviews of 5 failed/);
  assert.match(scored.stdout, /sound-1\.1\.json: it is no JSON object/);
  assert.equal((await score("out")).total.found, 2);
  writeJson(join(folder, "set", "set.json"), {
    format: 99,
    name: "x",
    version: "1",
    description: "",
    licence: "MIT",
  });
  const newer = await run("newer");
  assert.deepEqual(
    [newer.code, /format/.test(newer.stderr), existsSync(join(folder, "newer"))],
    [2, true, false],
    newer.stderr,
  );
  const missing = await kodiai("eval", "score", "nowhere");
  assert.deepEqual([missing.code, /nowhere has no run/.test(missing.stderr)], [2, true]);
});

test("eval: the loss table names each way in which the program lost what the model had found", async (t) => {
  const { folder, server, kodiai, caseRuns } = await openEvaluationScene(t);
  const lines = Array.from(
    { length: 6 },
    (_, at) => `export const part${at} = (${at} / items.length) * ${at + 1};`,
  );
  // Far enough apart that no finding is near two answers.
  const text = `import { items } from "./items.ts";\n${lines.map((line) => `${line}${"\n".repeat(10)}`).join("")}`;
  const answers = lines.map((_, at) => {
    const line = 2 + at * 10;
    return {
      ...LOOP_ANSWER,
      id: `${at}`,
      lines: [line, line] as const,
      sentence: `Part ${at} divides by zero`,
    };
  });
  writeCase(join(folder, "losses"), "all", text, answers);
  writeJson(join(folder, "losses", "set.json"), {
    format: 1,
    name: "losses",
    version: "1",
    description: "",
    licence: "MIT",
  });
  writeFileSync(join(folder, "config.yml"), "review:\n  minConfidence: 0.6\n");
  const on = (at: number, more: object = {}) =>
    recording({ path: "src/cart.ts", quote: lines[at] ?? "", title: `Part ${at} divides by zero`, ...more });
  server.onConversation(
    ({ prompt }) => prompt.includes("part5"),
    oneByOne([
      on(0),
      on(1, { confidence: 0.3 }),
      on(2),
      { name: "withdraw_finding", args: { number: 3, because: "The caller checks it." } },
      on(3, { confidence: 0.65 }),
      recording({ path: "src/cart.ts", quote: "this line is nowhere", title: "Something else is wrong" }),
      FINISHING,
    ]),
  );
  server.verifier(
    verifying(({ title }) =>
      title.includes("Part 3") ? { verdict: "refuted", evidence: "src/cart.ts:32" } : {},
    ),
  );
  const ran = await kodiai(
    "eval",
    "run",
    "--set",
    "losses",
    "--model",
    "openai:gpt-5",
    "--verify",
    "all",
    "--config",
    "config.yml",
    "--out",
    "lost",
  );
  assert.equal(ran.code, 0, ran.stderr);
  const fates = Object.fromEntries(
    (caseRuns("lost")[0]?.findings ?? []).map(({ title, fate }) => [title, fate]),
  );
  assert.equal(fates["Part 0 divides by zero"], "shown");
  assert.equal(fates["Part 1 divides by zero"], "below-threshold");
  assert.equal(fates["Part 2 divides by zero"], "withdrawn");
  assert.equal(fates["Part 3 divides by zero"], "refuted");
  const { stdout } = await kodiai("eval", "score", "lost");
  for (const row of [
    /shown, in the summary, without a line +1 /,
    /below the threshold +1 /,
    /withdrawn by the model +1 /,
    /refuted by a second reading +1 /,
    /never reported +2 /,
    /true ones refuted +1\n/,
  ])
    assert.match(stdout, row);
});

test("eval: a judge that talks nonsense, is gone or was killed is asked again for what is missing, and never counts as no match", async (t) => {
  const { folder, server, kodiai, signalAt } = await openEvaluationScene(t);
  await keepJudged(join(folder, "judged"));
  let isWell = false;
  const match = { toolCalls: [{ name: "record_matches", args: { matches: [{ answer: 1, finding: 1 }] } }] };
  const ill =
    (turn: ModelTurn): ModelScript =>
    () =>
      isWell ? match : turn;
  server.onConversation(({ prompt }) => prompt.includes("match me"), forever(match));
  server.onConversation(
    ({ prompt }) => prompt.includes("summed"),
    ill({ toolCalls: [{ name: "record_matches", args: { matches: [{ answer: 7, finding: 1 }] } }] }),
  );
  server.onConversation(
    ({ prompt }) => prompt.includes("hides a global"),
    ill({ faults: [{ kind: "status", status: 401, times: "always" }] }),
  );
  const judge = ["eval", "score", "judged", "--judge", MODEL, "--format", "json"];
  const asked = (text: string): number =>
    server.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length;
  // The second request is the first that follows an answer.
  await signalAt(2, "SIGKILL", judge);
  assert.deepEqual([asked("match me"), server.requests.length], [1, 2]);
  const failing = await kodiai(...judge);
  assert.equal(failing.code, 3, failing.stderr);
  assert.match(failing.stderr, /gave no usable answer about 2 reviews; run the same command again/);
  const { judge: first } = JSON.parse(failing.stdout) as Score;
  assert.deepEqual(
    [first?.judged, first?.failed, first?.figures.answers, first?.figures.found],
    [2, 2, 2, 1],
  );
  assert.equal(asked("match me"), 1);
  isWell = true;
  const before = server.requests.length;
  const whole = await kodiai(...judge);
  assert.equal(whole.code, 0, whole.stderr);
  const { judge: second } = JSON.parse(whole.stdout) as Score;
  assert.deepEqual([second?.judged, second?.failed, second?.figures.found], [4, 0, 3]);
  assert.deepEqual([server.requests.length - before, asked("match me")], [2, 1]);
  // Nonsense was paid for, too.
  assert.ok((second?.costUsd ?? 0) > (first?.costUsd ?? 0) && (first?.costUsd ?? 0) > 0);
});

test("eval: a run that a person stops says how to continue, and continuing pays nothing twice", async (t) => {
  const { server, run, signalAt, score } = await openEvaluationScene(t);
  const started = ["eval", "run", "--set", "set", "--model", MODEL, "--out", "stopped", "--concurrency", "1"];
  const stopped = await signalAt(2, "SIGINT", started);
  assert.equal(stopped.code, 130, stopped.stderr);
  assert.match(stopped.stderr, /stopping; answers that are under way are kept when they arrive/);
  assert.match(stopped.stderr, /run the same command again to continue/);
  assert.ok(server.requests.length < REQUESTS, `${server.requests.length} requests`);
  const resumed = await run("stopped");
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.doesNotMatch(resumed.stderr, /without an answer/);
  assert.deepEqual(
    [...countByContent(server.requests).values()],
    Array.from({ length: REQUESTS }, () => 1),
  );
  assert.equal((await score("stopped")).total.found, 2);
});

test("eval: findings that are merged, over the limit, suppressed or of an ignored category are in the loss table", async (t) => {
  const { folder, server, kodiai, caseRuns } = await openEvaluationScene(t);
  const parts = Array.from(
    { length: MAX_MODEL_FINDINGS + 4 },
    (_, at) => `export const part${at} = ${at} / zero;`,
  );
  const lines = ["debugger; // first", "debugger; // second", "debugger; // third", ...parts];
  const said = lines.map((_, at) =>
    at < 3 ? "A debugger statement is left in" : `Part ${at - 3} divides by zero`,
  );
  // Far enough apart that no finding is near two answers.
  const text = lines.map((line) => `${line}${"\n".repeat(10)}`).join("");
  const answers = said.map((sentence, at) => {
    const line = 1 + at * 10;
    return { ...LOOP_ANSWER, id: `${at}`, lines: [line, line] as const, sentence };
  });
  writeCase(join(folder, "losses"), "all", text, answers);
  const about = { format: 1, name: "losses", version: "1", description: "", licence: "MIT" };
  writeJson(join(folder, "losses", "set.json"), about);
  writeFileSync(
    join(folder, "config.yml"),
    'review:\n  patterns: { ignore: [documentation] }\n  suppressions: ["Part 0 divides"]\n',
  );
  // A rule reports each `debugger`, and the model the first one, too. The last two findings are beyond the limit.
  const calls = lines.flatMap((quote, at) => {
    const severity = at < lines.length - 2 ? "medium" : "minor";
    const category = at === 4 ? "documentation" : "correctness";
    const title = said[at] ?? "";
    return at === 1 || at === 2 ? [] : [recording({ path: "src/cart.ts", quote, title, severity, category })];
  });
  const turns = Array.from({ length: Math.ceil(calls.length / 10) }, (_, at) => ({
    toolCalls: calls.slice(at * 10, at * 10 + 10),
  }));
  server.onConversation(({ prompt }) => prompt.includes("part5"), [...turns, { toolCalls: [FINISHING] }]);
  const ran = await kodiai(
    "eval",
    "run",
    "--set",
    "losses",
    "--model",
    MODEL,
    "--verify",
    "off",
    "--config",
    "config.yml",
    "--out",
    "lost",
  );
  assert.equal(ran.code, 0, ran.stderr);
  const findings = caseRuns("lost").flatMap((each) => each.findings);
  const lost = findings.filter(({ fate }) => fate !== "shown");
  assert.deepEqual(
    lost.map(({ title, lines: at, fate, reason }) => [title, at?.[0], fate, reason]),
    [
      ["Debugger statement left in", 1, "merged", null],
      ["Part 0 divides by zero", 31, "dropped", "suppressed:config"],
      ["Part 1 divides by zero", 41, "dropped", "filtered:category"],
      ["Part 52 divides by zero", 551, "over-limit", null],
      ["Part 53 divides by zero", 561, "over-limit", null],
      ["Debugger statement left in", 21, "merged", null],
    ],
  );
  const intoShown = lost.flatMap(({ mergedInto }) =>
    mergedInto === null ? [] : [findings[mergedInto]?.lines?.[0]],
  );
  assert.deepEqual(intoShown, [1, 11]);
  const { stdout } = await kodiai("eval", "score", "lost");
  const [known = "", all = ""] = stdout.split("What became of ").slice(1);
  for (const [table, merged] of [
    [known, 1],
    [all, 2],
  ] as const) {
    assert.match(table, new RegExp(`merged into another finding +${merged} `));
    assert.match(table, /over the limit +2 /);
    assert.match(table, /dropped, filtered:category +1 /);
  }
  assert.match(all, /dropped, suppressed:config +1 /);
});
