/** `kodiai ask` with the real SDKs: the model reads the code with tools, and its answer is printed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { MODEL, QUESTION, openDesk, READS, ANSWERS } from "../support/ask-fixtures.ts";

test("the model reads a file and cites it, and the answer is printed", async (t) => {
  const desk = await openDesk(t, { script: [READS, ANSWERS] });
  desk.made.git("checkout", "--quiet", "-");
  desk.made.write("AGENTS.md", "Promises are awaited.\n");
  desk.made.commit("guidelines");
  desk.made.git("checkout", "--quiet", "-");
  desk.made.git("rebase", "--quiet", "-");
  const { code, stdout, stderr } = await desk.run(["--model", MODEL, QUESTION]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "`load` doesn't: `src/users.ts:9`.\n");
  assert.match(stderr, /^kodiai: openai:gpt-5, 2,000 input tokens, 200 output tokens, USD 0\.\d+, \d+ s$/m);
  const [first, second] = desk.server.requests;
  assert.match(first?.system ?? "", /^You are Kodiai/);
  assert.match(first?.prompt ?? "", /repository guidance: guideline files[\s\S]+Promises are awaited\./);
  assert.match(first?.prompt ?? "", /# Changed files[\s\S]+src\/users\.ts \(modified/);
  assert.match(JSON.stringify(first?.body), /# Question\\nAnswer this question\..+Who waits for `find`\?/);
  assert.ok(first?.tools.includes("give_answer") && !first.tools.includes("record_finding"));
  assert.match(second?.toolResults[0] ?? "", /9\t +find\("1"\);/);
});

test("without a model it says what to set", async (t) => {
  const none = await openDesk(t, { provider: null });
  const without = await none.run([QUESTION]);
  assert.deepEqual([without.code, without.stdout], [2, ""]);
  assert.match(
    without.stderr,
    /^kodiai: `kodiai ask` needs a model, and none is configured\n {2}Set OPENAI_API_KEY, /m,
  );
  const off = await openDesk(t, { config: "model: floor\n" });
  const { code, stderr } = await off.run([QUESTION]);
  assert.deepEqual([code, off.server.requests.length], [2, 0]);
  assert.match(stderr, /^kodiai: `kodiai ask` needs a model, and models are switched off\n/m);
});

test("Ctrl-C ends it at once, without an answer", async (t) => {
  const desk = await openDesk(t, {
    script: [{ ...ANSWERS, faults: [{ kind: "silence", times: "always" }] }],
  });
  const started = desk.start(["--model", MODEL, QUESTION]);
  await eventually("the model to be asked", () => desk.server.requests.length > 0);
  started.press();
  const { code, stdout, stderr } = await started.ended;
  assert.deepEqual([code, stdout], [130, ""], stderr);
  assert.match(stderr, /^kodiai: interrupted; /m);
  await eventually("the provider to be left", () => desk.server.requests[0]?.end() === "left");
});

test("follow-up questions know what was said before, and nothing is kept afterwards", async (t) => {
  const desk = await openDesk(t, { script: () => ANSWERS });
  const input = "Who waits for `find`?\n\nAnd why not?\nexit\nNever asked.\n";
  const { code, stdout, stderr } = await desk.run(["--model", MODEL], { input });
  assert.deepEqual([code, stdout], [0, "`load` doesn't: `src/users.ts:9`.\n".repeat(2)], stderr);
  const [first, second, ...others] = desk.server.requests;
  assert.deepEqual(others, []);
  assert.ok(!(first?.prompt ?? "").includes("Earlier comments"));
  assert.match(
    second?.prompt ?? "",
    /# Earlier comments, oldest first[\s\S]+Who waits for `find`\?[\s\S]+your earlier comment[\s\S]+`load` doesn't/,
  );
  assert.match(JSON.stringify(second?.body), /And why not\?/);
  const nothing = await desk.run(["--model", MODEL], { input: "\n" });
  assert.deepEqual([nothing.code, nothing.stdout, desk.server.requests.length], [2, "", 2]);
  assert.match(nothing.stderr, /^kodiai: no question was asked\. Pass one: kodiai ask QUESTION$/m);
});
