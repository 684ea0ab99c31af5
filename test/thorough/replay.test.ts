/** Recordings of reviews that ended in every way, and files that are no recordings. */
import assert from "node:assert/strict";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import type { ReviewRecording } from "../../src/jobs/recording/recording.ts";
import { readRunsOfJob } from "../../src/store/repositories/runs.ts";
import { AFTER } from "../support/app/scenario.ts";
import { FINISHING, oneByOne, pricesOf, testModels } from "../support/model-scenes/model-scene.ts";
import type { ModelScript } from "../support/model-server/script.ts";
import { FOUND, record, copyOfUsual, replay, type Json } from "../support/replay-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

test("replay: another severity in a call of a tool gives another outcome, which is named", async (t) => {
  const { folder, file } = await copyOfUsual(t);
  const call = /("suggestion":"    void find[^}]*?"severity":|"severity":)"critical"(?=[^}]*void find)/;
  const good = readFileSync(file, "utf8");
  const changed = good.replace(call, '$1"medium"');
  assert.notEqual(changed, good);
  writeFileSync(file, changed);
  const replayed = await replay(folder, [file]);
  assert.equal(replayed.code, 1, replayed.stdout + replayed.stderr);
  assert.match(
    replayed.stdout,
    /finding src\/users\.ts:9 "The search is not awaited": severity critical became medium/,
  );
});

test("replay: a run that ran out of time comes to the same conclusion, and so does its reduced retry", async (t) => {
  const slow: ModelScript = [
    ...oneByOne([FOUND[0]].flatMap((call) => call ?? [])),
    { faults: [{ kind: "silence", times: "always" }] },
  ];
  const kept = await record(t, { script: slow, config: "timeoutSeconds: 15\n" });
  assert.equal((JSON.parse(kept.reviewed.stdout) as Json)["conclusion"], "timeout-partial");
  const first = await replay(kept.folder, [kept.file, "--format", "json"]);
  assert.equal(first.code, 0, first.stdout + first.stderr);
  assert.deepEqual((JSON.parse(first.stdout) as Json)["review"], JSON.parse(kept.reviewed.stdout));

  const nothing: ModelScript = [{ faults: [{ kind: "silence", times: "always" }] }];
  const empty = await record(t, { script: nothing, config: "timeoutSeconds: 5\n" });
  const second = await replay(empty.folder, [empty.file, "--format", "json"]);
  assert.equal(second.code, 0, second.stdout + second.stderr);
  const { passes } = (JSON.parse(second.stdout) as Json)["review"] as unknown as {
    readonly passes: readonly { readonly step: string; readonly outcome: string }[];
  };
  assert.deepEqual(
    passes.map(({ step, outcome }) => `${step} ${outcome}`),
    ["floor completed", "full timed-out", "reduced timed-out"],
  );
});

test("replay: a run that was stopped by its budget comes to the same conclusion and cost", async (t) => {
  const dear: ModelScript = ({ turn }) => ({
    toolCalls: turn === 0 ? FOUND.slice(0, 1) : [{ name: "search_code", args: { pattern: `x${turn}` } }],
    usage: { input: 100_000, output: 10 },
  });
  const config = pricesOf("compatible:scripted");
  const { folder, file, reviewed } = await record(t, { script: dear, config, args: ["--budget-usd", "0.5"] });
  const before = JSON.parse(reviewed.stdout) as Json;
  assert.equal(before["conclusion"], "budget-partial", reviewed.stdout);
  const replayed = await replay(folder, [file, "--format", "json"]);
  assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
  assert.deepEqual((JSON.parse(replayed.stdout) as Json)["review"], before);
});

test("replay: a review without a model is recorded and replayed too", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.py", "def run():\n    breakpoint()\n");
  made.commit("x");
  const recorded = await runKodiai(["review", "--offline", "--record", "a.json"], { cwd: made.path });
  assert.match(recorded.stdout, /debugger/i);
  const replayed = await replay(made.path, ["a.json", "--show-prompt"]);
  assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
  assert.match(replayed.stdout, /^No model was used\./);
});

test("replay: files that aren't recordings, damaged, newer or far too large ones are refused with a hint", async (t) => {
  const { folder, file } = await copyOfUsual(t);
  const good = readFileSync(file, "utf8");
  const content = JSON.parse(good) as ReviewRecording;
  const write = (value: unknown): string => {
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
    return file;
  };
  const refused = async (name: string, code: number, message: RegExp): Promise<void> => {
    const { code: ended, stderr, stdout } = await replay(folder, [name]);
    assert.equal(ended, code, stderr);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /defect/);
    assert.equal(stdout, "");
  };
  await refused(join(folder, "none.json"), 2, /does not exist/);
  await refused(folder, 2, /is a folder/);
  await refused(write(good.slice(0, good.length / 2)), 4, /is no JSON/);
  await refused(write("[]"), 4, /is no recording of Kodiai/);
  await refused(write({ ...content, format: 99, program: "9.9.9" }), 4, /a newer Kodiai \(9\.9\.9\)/);
  await refused(write({ ...content, format: 1, program: "0.0.9" }), 4, /an older Kodiai \(0\.0\.9\)/);
  await refused(write({ ...content, floor: null }), 4, /floor: .*expected object/i);
  await refused(
    write({ ...content, request: { ...content.request, change: { ...content.request.change, files: 7 } } }),
    4,
    /request\.change\.files/,
  );
  writeFileSync(file, "");
  truncateSync(file, 200_000_000);
  await refused(file, 4, /larger than any recording/);
  const usage = await replay(folder, []);
  assert.equal(usage.code, 2);
});

testModels(
  "replay: the server records its runs, and each can be replayed by its number",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: [...oneByOne([FOUND[0] ?? FINISHING, { name: "ci_status", args: {} }, FINISHING])],
      environment: { KODIAI_RECORD_RUNS: "on" },
    });
    await scene.start();
    await scene.send("opened");
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
    const [run] = await readRunsOfJob(job?.id ?? 0, scene.database);
    const env = { DATABASE_URL: scene.folder.environment["DATABASE_URL"] ?? "" };
    const shown = await runKodiai(["jobs", "show", String(job?.id)], { cwd: scene.folder.path, env });
    assert.match(shown.stdout, new RegExp(`^run +${run?.id}: .*recorded: kodiai replay ${run?.id}$`, "m"));
    const replayed = await replay(scene.folder.path, [String(run?.id), "--format", "json"], env);
    assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
    const { isSame, remarks, review } = JSON.parse(replayed.stdout) as Json;
    assert.deepEqual({ isSame, remarks }, { isSame: true, remarks: [] });
    assert.match(JSON.stringify(review), /Callers cannot await it/);
    const none = await replay(scene.folder.path, ["4711"], env);
    assert.equal(none.code, 4);
    assert.match(none.stderr, /run 4711 has no recording/);
    scene.check();
  },
);

/** Random characters, put together here so that no scanner takes them for a token. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pX";

const TOKEN = `ghp_${RANDOM}${checksumOf(RANDOM)}`;

test("replay: --show-answers shows what the model thought, wrote and called, with secrets masked", async (t) => {
  const [first] = FOUND;
  assert.ok(first !== undefined);
  const { folder, file } = await record(t, {
    after: { ...AFTER, "src/settings.ts": `export const token = "${TOKEN}";\n` },
    script: [
      {
        // A model may know a secret of the change from elsewhere.
        thinking: `The token ${TOKEN} is real.\nload() returns nothing.`,
        text: `I report load, not ${TOKEN}.`,
        toolCalls: [first],
      },
      { text: "That is all.", toolCalls: [FINISHING] },
    ],
  });
  assert.ok(!readFileSync(file, "utf8").includes(RANDOM));
  const shown = await replay(folder, [file, "--show-answers"]);
  assert.equal(shown.code, 0, shown.stdout + shown.stderr);
  assert.match(
    shown.stdout,
    /^=== Answers 1 of 1, compatible:scripted\n--- Turn 1\nThinking:\n  The token \S*\*\S* is real\.\n  load\(\) returns nothing\.\nText:\n  I report load, not \S*\*\S*\nCalls record_finding \{.*"title":"Callers cannot await it".*\n  .*\n--- Turn 2\nText:\n  That is all\.\nCalls finish_review/,
  );
  const json = await replay(folder, [file, "--show-answers", "--format", "json"]);
  const { answers } = JSON.parse(json.stdout) as {
    readonly answers: readonly { readonly turns: readonly { readonly text: string }[] }[];
  };
  assert.deepEqual(answers[0]?.turns.map(({ text }) => text).slice(1), ["That is all."]);
  // A model may write nothing but tool calls.
  const { models, ...rest } = JSON.parse(readFileSync(file, "utf8")) as ReviewRecording;
  const runs = models.runs.map((run) => ({ ...run, said: [] }));
  writeFileSync(file, JSON.stringify({ ...rest, models: { ...models, runs } }));
  const silent = await replay(folder, [file, "--show-answers"]);
  assert.equal(silent.code, 0, silent.stdout + silent.stderr);
  assert.match(silent.stdout, /\(The model wrote no text\.\)\n--- Turn 1\nCalls record_finding/);
});
