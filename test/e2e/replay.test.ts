/** Recordings: a review is recorded, everything it had is taken away, and it comes to the same again. */
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { ReviewRecording } from "../../src/jobs/recording/recording.ts";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import { AFTER } from "../support/app/scenario.ts";
import { FINISHING } from "../support/model-scenes/model-scene.ts";
import { FOUND, record, copyOfUsual, replay, type Json } from "../support/replay-fixtures.ts";

test("replay: a recorded review comes to the same without repository and provider, field by field", async (t) => {
  const { folder, file, reviewed, server } = await copyOfUsual(t);
  assert.equal(reviewed.code, 0, reviewed.stderr);
  assert.match(reviewed.stderr, /wrote the recording to .*review\.json/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(server.requests.length, 6);
  const replayed = await replay(folder, [file, "--format", "json"]);
  assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
  const { isSame, differences, remarks, review } = JSON.parse(replayed.stdout) as Json;
  assert.deepEqual({ isSame, differences, remarks }, { isSame: true, differences: [], remarks: [] });
  assert.deepEqual(review, JSON.parse(reviewed.stdout));
  const text = await replay(folder, [file]);
  assert.match(text.stdout, /Callers cannot await it/);
  assert.match(text.stdout, /The result is the same\.\n$/);
  assert.doesNotMatch(text.stdout, /System prompt/);
  const prompts = await replay(folder, [file, "--show-prompt"]);
  assert.match(prompts.stdout, /=== System prompt 1 of 2, compatible:scripted\n/);
  assert.match(prompts.stdout, /src\/users\.ts/);
});

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
