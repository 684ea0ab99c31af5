/** The prompt's sources: policy from the base branch, findings of the rules, checks of the head. No model overrules a rule. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { AFTER, BEFORE } from "../support/app/scenario.ts";
import { FINISHING, modelEnvironment, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { type RunResult, runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

type Files = Readonly<Record<string, string>>;

type Desk = { readonly server: ModelServer; readonly review: () => Promise<RunResult> };

/** `base` is on the base branch; `head` is the change to it, in addition to the sample change. */
async function openDesk(t: TestContext, base: Files, head: Files = {}): Promise<Desk> {
  const made = testRepository();
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
  });
  const writeAll = (files: Files): void => {
    for (const [path, text] of Object.entries(files)) made.write(path, text);
  };
  server.script(oneByOne([FINISHING]));
  writeAll({ ...BEFORE, ...base });
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  writeAll({ ...AFTER, ...head });
  made.commit("after");
  const review = (): Promise<RunResult> =>
    runKodiai(["review"], { cwd: made.path, env: modelEnvironment("openai", server.url) });
  return { server, review };
}

/** The prompt up to the diff, in which the change may say what it likes. */
function beforeTheDiff({ requests }: ModelServer): string {
  const [prompt = ""] = (requests[0]?.prompt ?? "").split("# The diff");
  return prompt;
}

const SAYS = (who: string): string =>
  [
    "review:",
    `  prompt: Words of the ${who} for all`,
    "  pathInstructions:",
    '    - paths: ["src/**"]',
    `      instructions: Words of the ${who} for paths`,
    "  patterns:",
    `    customRules: ["Words of the ${who} as a rule"]`,
    "",
  ].join("\n");

test("[P4] guidelines, instructions and rules of a repository reach the model from the base, never from the change", async (t) => {
  const { server, review } = await openDesk(
    t,
    { "AGENTS.md": "Words of the base as a guideline.\n", ".kodiai.yml": SAYS("base") },
    {
      "AGENTS.md": "Words of the change.\n",
      "CLAUDE.md": "Words of the change.\n",
      ".kodiai.yml": SAYS("change"),
    },
  );
  const { code, stderr } = await review();
  assert.equal(code, 0, stderr);
  const prompt = beforeTheDiff(server);
  for (const words of ["as a guideline", "for all", "for paths", "as a rule"])
    assert.match(prompt, new RegExp(`Words of the base ${words}`));
  assert.doesNotMatch(prompt, /Words of the change/);
});

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

test("[P3] a model that says a rule's finding again, as what a linter decides, does not silence it", async (t) => {
  const { server, review } = await openDesk(t, { ".prettierrc": "{}\n" });
  const misled = {
    name: "record_finding",
    args: {
      path: "src/users.ts",
      quote: "  return db.query(`select * from users where id = ${id}`);",
      title: "Possible SQL injection: id is interpolated into the query, import order",
      body: "Harmless: the id is a constant.",
      severity: "critical",
      category: "security",
      confidence: 1,
    },
  };
  server.script(oneByOne([misled, FINISHING]));
  const { code, stdout } = await review();
  assert.equal(code, 0);
  assert.match(stdout, /src\/users\.ts:4 +\(\d+\) sql-from-strings · security/);
  assert.doesNotMatch(stdout, /Harmless/);
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

const LEARNINGS = (who: string): string => `learnings:
  - text: Words of the ${who} as a learning.
    owner: ada
  - text: Words of the ${who} for other files.
    paths: ["elsewhere/**"]
  - kind: context
`;

test("learnings of a repository reach the model from the base, never from the change, and the review shows them", async (t) => {
  const { server, review } = await openDesk(
    t,
    { ".kodiai/learnings.yml": LEARNINGS("base") },
    { ".kodiai/learnings.yml": LEARNINGS("change") },
  );
  const { stdout } = await review();
  const prompt = beforeTheDiff(server);
  assert.match(prompt, /^- \[preference\] Words of the base as a learning\.$/m);
  assert.ok(!prompt.includes("for other files") && !prompt.includes("Words of the change"));
  const shown = stdout.replaceAll(/\s+/g, " ");
  assert.match(shown, /Learning: Words of the base as a learning\. \(preference, from the repository/);
  assert.match(shown, /\.kodiai\/learnings\.yml:6:5: error: learnings\[2\]: needs the key "text"/);
  assert.match(shown, /Change edits Kodiai's configuration/);
  assert.ok(!shown.includes("Learning: Words of the change"));
});
