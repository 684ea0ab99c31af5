/** The prompt's sources: policy from the base branch, findings of the rules, checks of the head. No model overrules a rule. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { openDesk, beforeTheDiff } from "../support/policy-prompt-fixtures.ts";

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
