/** The prompt's sources in their variations: the tip of the base on GitHub, rules' findings, guidelines that are off, and checks of the head. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { beforeTheDiff, LEARNINGS, openDesk, SAYS } from "../support/policy-prompt-fixtures.ts";

test("the model is shown what the rules have found, and a lean prompt goes without guidelines", async (t) => {
  const { server, review } = await openDesk(t, { "AGENTS.md": "Words of the base.\n" });
  const overflow = { faults: [{ kind: "context-overflow" }] } as const;
  server.script(({ prompt }) => ({
    toolCalls: [FINISHING],
    ...(prompt.includes("Words of the base") && overflow),
  }));
  const { stdout } = await review();
  const [full = "", lean = "", ...more] = server.requests.map(({ prompt }) => prompt);
  assert.deepEqual(more, []);
  const evidence = /# Already found[^#]*src\/users\.ts:4 \[major, sql-from-strings\]/;
  assert.match(full, evidence);
  assert.match(full, /Words of the base/);
  assert.match(lean, evidence);
  assert.doesNotMatch(lean, /Words of the base/);
  assert.ok(lean.length < full.length);
  assert.match(stdout, /\(openai:scripted, shorter prompt\): completed/);
});

test("guidelines that the base switches off do not reach the model", async (t) => {
  const { server, review } = await openDesk(t, {
    "AGENTS.md": "Words of the base.\n",
    ".kodiai.yml": "review:\n  guidelines:\n    enabled: false\n",
  });
  assert.equal((await review()).code, 0);
  assert.match(beforeTheDiff(server), /# The change/);
  assert.doesNotMatch(beforeTheDiff(server), /Words of the base/);
});

testModels("a model hears from ci_status what the checks of the head commit say", async (openModelScene) => {
  const scene = await openModelScene({ script: oneByOne([{ name: "ci_status", args: {} }, FINISHING]) });
  const { fake, repository, pullRequest, server } = scene;
  const output = { title: "2 of 9 failed", summary: "orders.test.ts broke", text: null };
  fake.foreignCheck(repository, {
    head: pullRequest.head,
    name: "unit tests",
    conclusion: "failure",
    output,
  });
  await scene.start();
  await scene.send("opened");
  await scene.settled();
  const [answer = ""] = server.requests.at(-1)?.toolResults ?? [];
  assert.match(answer, /^1 check\.\n[^]*failure: unit tests\n[^]*orders\.test\.ts broke/);
  scene.check();
});

testModels(
  "[P4] instructions, guidelines and learnings reach the model from the tip of the base branch",
  async (openModelScene) => {
    const scene = await openModelScene({ script: oneByOne([FINISHING]), config: SAYS("old base") });
    const { fake, repository, server } = scene;
    const tip = {
      ".kodiai.yml": SAYS("tip"),
      "AGENTS.md": "Words of the tip as a guideline.\n",
      ".kodiai/learnings.yml": LEARNINGS("tip"),
    };
    await fake.commit(repository, tip);
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const prompt = beforeTheDiff(server);
    for (const words of ["for all", "for paths", "as a rule", "as a guideline", "as a learning"])
      assert.match(prompt, new RegExp(`Words of the tip ${words}`));
    assert.doesNotMatch(prompt, /Words of the old base/);
    scene.check();
  },
);
