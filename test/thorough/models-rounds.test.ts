/** Rounds without enough budget, triage by a model that can't be used, and a worker that is killed between rounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openDesk, PRICED } from "../support/model-scenes/desk.ts";
import { FINISHING, testModels } from "../support/model-scenes/model-scene.ts";
import { conversationOf, found, MANY_FILES, ROUNDS } from "../support/round-fixtures.ts";

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, " ");

test("rounds on the command line: one that the budget doesn't cover isn't called, and the review says so and keeps the first", async (t) => {
  const usage = { input: 20_000, output: 1_000 };
  const { run, server } = await openDesk(t, {
    before: { ".kodiai.yml": "review: { passes: 2, verify: off }\n", "README.md": "# Numbers\n" },
    after: { "src/api/00.ts": "export const api00 = 0;\n" },
    script: () => ({ toolCalls: [found("api", "The first round found this"), FINISHING], usage }),
  });
  const args = ["--model", PRICED, "--budget-usd"];
  const { stdout, code } = await run([...args, "0.06"]);
  assert.deepEqual([code, server.requests.length], [3, 1], stdout);
  assert.match(stdout, /The first round found this/);
  assert.match(
    unwrapped(stdout),
    /Not checked second round, code that does the same thing differently \(not started, because the budget doesn't cover it\)/,
  );
  const enough = await run([...args, "0.20"]);
  assert.deepEqual([enough.code, server.requests.length], [0, 3], enough.stdout);
  assert.match(
    unwrapped(enough.stdout),
    /second round, code that does the same thing differently \(openai:gpt-5\): completed/,
  );
});

test("triage on the command line: a model that can't be used is named, and everything is read", async (t) => {
  const rows = [
    ["openai", /triage: the model "openai" must have the form provider:name/],
    [
      "google:small",
      /triage: google:small has another provider than openai:scripted\. To use it, name it in/,
    ],
  ] as const;
  const { run, made, server } = await openDesk(t, {
    before: { "README.md": "# Numbers\n" },
    after: MANY_FILES,
    script: ROUNDS,
  });
  for (const [name, words] of rows) {
    made.git("checkout", "--quiet", "main");
    made.write(".kodiai.yml", `review: { triageModel: "${name}" }\n`);
    made.commit(`name ${name}`);
    made.git("checkout", "--quiet", "feature");
    made.git("rebase", "--quiet", "main");
    const { stdout, code } = await run(["--model", "openai:scripted"]);
    assert.equal(code, 0, stdout);
    assert.match(unwrapped(stdout), words);
  }
  assert.ok(server.requests.every((request) => conversationOf(request) !== "triage"));
});

testModels(
  "rounds and triage on GitHub: a worker that is killed in the second round pays for nothing again, and one review shows all",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: ROUNDS,
      config: `review: { mode: strict, passes: 2, triageModel: "openai:small" }\n`,
      pullRequest: { files: MANY_FILES, title: "Numbers" },
    });
    const app = await scene.start();
    let isKilled = false;
    scene.server.onRequest((request) => {
      if (isKilled || conversationOf(request) !== "later round" || request.turn !== 2) return;
      isKilled = true;
      app.kill("SIGKILL");
    });
    await scene.send("opened");
    await eventually("the process to be killed", () => isKilled);
    assert.equal(await app.ended, "SIGKILL");
    await scene.start();
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
    const begun = scene.server.requests.filter(({ turn, attempt }) => turn === 0 && attempt === 0);
    assert.deepEqual(begun.map(conversationOf), ["triage", "first round", "later round", "later round"]);
    assert.deepEqual([...scene.comments().keys()].toSorted(), ["src/api/00.ts:1", "src/shop/00.ts:1"]);
    const summary = scene.summary();
    assert.match(summary, /Skimmed: 21 lines in 21 files: `src\/shop\/\d\d\.ts`/);
    assert.match(
      summary,
      /Reviewed by built-in rules only: 21 lines in 21 files \(skipped by the triage model\): `src\/web\/\d\d\.ts`/,
    );
    assert.deepEqual(scene.published().conclusions, ["neutral"]);
    scene.check();
  },
);
