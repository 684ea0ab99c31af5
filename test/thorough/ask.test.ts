/** `kodiai ask` where it has no easy answer: other inputs, refusals, limits, and Ctrl-C. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import { modelEnvironment } from "../support/model-scenes/model-scene.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import type { ModelTurn } from "../support/model-server/script.ts";
import { addressOf, runOnPullRequest } from "../support/pull-request-command.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";
import { MODEL, QUESTION, openDesk, answering, READS, ANSWERS } from "../support/ask-fixtures.ts";

test("--pr asks about a pull request on GitHub, and writes nothing there", async (t) => {
  const scenario = await createScenario(t, { isPrivate: false });
  const server = await startModelServer();
  t.after(() => server.close());
  server.script([ANSWERS]);
  const { KODIAI_MODEL: _, ...keys } = modelEnvironment("openai", server.url);
  const { code, stdout, stderr } = await runOnPullRequest(
    scenario,
    ["ask", "--pr", addressOf(scenario), "--model", MODEL, QUESTION],
    { ...keys, GITHUB_TOKEN: scenario.fake.personalToken("ada") },
  );
  assert.deepEqual([code, stdout], [0, "`load` doesn't: `src/users.ts:9`.\n"], stderr);
  assert.match(server.requests[0]?.prompt ?? "", /on a pull request[\s\S]+src\/users\.ts \(modified/);
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
  scenario.check();
});

test("a change is chosen once, and --pr takes an address", async (t) => {
  const desk = await openDesk(t, { script: [] });
  const pr = "https://github.com/acme/shop/pull/7";
  const both = await desk.run(["--model", MODEL, "--pr", pr, "--base", "main", QUESTION]);
  assert.deepEqual([both.code, both.stdout], [2, ""]);
  assert.match(both.stderr, /--base and --pr can't be combined: each chooses a change/);
  const wrong = await desk.run(["--model", MODEL, "--pr", "7", QUESTION]);
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /--pr must be the URL of a pull request/);
});

test("a session goes on after a question that is too long or fails, and ends at the end of its input", async (t) => {
  const desk = await openDesk(t, {
    script: ({ turn }) => (turn === 0 ? ANSWERS : {}),
  });
  const input = `${"x".repeat(40_000)}\n${QUESTION}`;
  const { code, stdout, stderr } = await desk.run(["--model", MODEL], { input });
  assert.deepEqual(
    [code, stdout, desk.server.requests.length],
    [0, "`load` doesn't: `src/users.ts:9`.\n", 1],
    stderr,
  );
  assert.match(stderr, /^kodiai: a question has at most 8,000 characters; this one wasn't asked$/m);
});

test("Ctrl-C keeps the blocks that have come", async (t) => {
  const text = `First block.\n\n${"Second block, which is long. ".repeat(400)}`;
  const desk = await openDesk(t, {
    script: [{ toolCalls: [answering(text)], pauseMs: 100 }],
  });
  const started = desk.start(["--model", MODEL, QUESTION]);
  await eventually("the model to be asked", () => desk.server.requests.length > 0);
  await eventually("the first block", () => started.stdout().includes("First block."));
  started.press();
  const { code, stdout } = await started.ended;
  assert.equal(code, 130);
  assert.match(stdout, /^First block\.\n\n/);
});

test("uncommitted work is part of the change, and --base chooses another one", async (t) => {
  const desk = await openDesk(t, { script: () => ANSWERS });
  desk.made.write("src/new.ts", "export const uncommitted = 1;\n");
  const now = await desk.run(["--model", MODEL, QUESTION]);
  assert.equal(now.code, 0, now.stderr);
  assert.match(desk.server.requests[0]?.prompt ?? "", /src\/users\.ts \(modified[\s\S]+src\/new\.ts \(added/);
  const since = await desk.run(["--model", MODEL, "--base", "feature", QUESTION]);
  assert.equal(since.code, 0, since.stderr);
  const prompt = desk.server.requests[1]?.prompt ?? "";
  assert.ok(prompt.includes("src/new.ts") && !prompt.includes("src/users.ts"), prompt);
  const wrong = await desk.run(["--model", MODEL, "--base", "nowhere", QUESTION]);
  assert.deepEqual([wrong.code, wrong.stdout, desk.server.requests.length], [2, "", 2]);
  assert.match(wrong.stderr, /^kodiai: unknown ref "nowhere"/m);
});

test("without a change to compare, the question is about the code", async (t) => {
  const desk = await openDesk(t, { script: () => ANSWERS });
  desk.made.git("checkout", "--quiet", "main");
  const clean = await desk.run(["--model", MODEL, QUESTION]);
  assert.equal(clean.code, 0, clean.stderr);
  assert.match(clean.stderr, /^kodiai: main .+ last commit/m);
  // A branch without a base, and a repository without a commit.
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/users.ts", "export const a = 1;\n");
  made.git("checkout", "--quiet", "-b", "alone");
  const unborn = await runKodiai(["ask", "--model", MODEL, QUESTION], { cwd: made.path, env: desk.env });
  assert.equal(unborn.code, 0, unborn.stderr);
  made.commit("first");
  const alone = await runKodiai(["ask", "--model", MODEL, QUESTION], { cwd: made.path, env: desk.env });
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stderr, /^kodiai: no base branch was found/m);
  assert.match(desk.server.requests.at(-1)?.prompt ?? "", /Nothing has changed/);
});

test("the question comes from standard input, and a key alone is enough", async (t) => {
  const desk = await openDesk(t, { script: [ANSWERS] });
  const { code, stderr } = await desk.run(["-"], { input: "Größe?\n" });
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /^kodiai: asking openai:\S+ because OPENAI_API_KEY is set\. Its provider may charge you$/m,
  );
  assert.match(JSON.stringify(desk.server.requests[0]?.body), /Größe\?/);
});

test("a model that only writes text is reminded, and its last words are printed", async (t) => {
  const desk = await openDesk(t, { script: () => ({ text: "`load` doesn't." }) });
  const { code, stdout, stderr } = await desk.run(["--model", MODEL, QUESTION]);
  assert.deepEqual([code, stdout, desk.server.requests.length], [0, "`load` doesn't.\n", 2], stderr);
  assert.match(JSON.stringify(desk.server.requests[1]?.body), /you stopped without calling give_answer/);
});

test("a model that says nothing has no answer", async (t) => {
  const silent = await openDesk(t, { script: () => ({}) });
  const none = await silent.run(["--model", MODEL, QUESTION]);
  assert.deepEqual([none.code, none.stdout], [4, ""], none.stderr);
  assert.match(none.stderr, /^kodiai: no answer: .+/m);
  const mute = await openDesk(t, { script: ({ turn }) => (turn === 0 ? { ...READS, text: "" } : {}) });
  const end = await mute.run(["--model", MODEL, QUESTION]);
  assert.deepEqual([end.code, end.stdout], [3, ""], end.stderr);
  assert.match(end.stderr, /^kodiai: The model finished without writing an answer\./m);
});

test("a hostile answer can't control the terminal or show a secret", async (t) => {
  const text = "Red \u001b[31m\u001b]52;c;eA==\u0007\u202e\r\nghp_16C7e42F292c6912E7710c838347Ae178B4a\u0000";
  const desk = await openDesk(t, { script: [{ toolCalls: [answering(text)] }] });
  const { code, stdout } = await desk.run(["--model", MODEL, QUESTION]);
  assert.equal(code, 0);
  assert.equal(stdout, "Red \\x1b[31m\\x1b]52;c;eA==\\x07\\u{202e}\n[masked]\\x00\n");
});

test("a budget that is too low makes no call, and the limit is named", async (t) => {
  const desk = await openDesk(t, { script: [ANSWERS] });
  const { code, stdout, stderr } = await desk.run(["--model", MODEL, "--budget-usd", "0.001", QUESTION]);
  assert.deepEqual([code, stdout, desk.server.requests.length], [4, "", 0], stderr);
  assert.match(stderr, /^kodiai: no answer: the next call needs about USD .+--budget-usd is USD 0\.0010/m);
});

test("a provider that refuses is named, and the next model answers", async (t) => {
  const refused: ModelTurn = { faults: [{ kind: "status", status: 401, times: "always" }] };
  const config = `model: "openai:gpt-5"\nfallbackModels: ["openai:gpt-5-mini"]\n`;
  const desk = await openDesk(t, { config, script: ({ model }) => (model === "gpt-5" ? refused : ANSWERS) });
  const { code, stdout, stderr } = await desk.run([QUESTION]);
  assert.deepEqual([code, stdout], [0, "`load` doesn't: `src/users.ts:9`.\n"], stderr);
  assert.match(stderr, /^kodiai: request to openai:gpt-5 at .+ failed: .*401/m);
  assert.match(stderr, /^kodiai: openai:gpt-5-mini, /m);
});

test("mistakes on the command line cost nothing", async (t) => {
  const desk = await openDesk(t, {});
  for (const [args, message] of [
    [["   "], /the question is empty/],
    [["x".repeat(8_001)], /the question is longer than 8,000 characters/],
    [["--timeout", "0", QUESTION], /--timeout must be a whole number from 1 to 7200/],
    [["--budget-usd", "some", QUESTION], /--budget-usd must be an amount/],
    [[], /no question was asked/],
  ] as const) {
    const { code, stderr } = await desk.run(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  const help = await desk.run(["--help"]);
  assert.equal(help.code, 0);
  assert.match(
    help.stdout,
    /kodiai ask \[QUESTION\] \[OPTIONS\][\s\S]+--base REF[\s\S]+kodiai ask - < question\.txt/,
  );
});
