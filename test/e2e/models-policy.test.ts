/** The prompt's sources on the command line: policy from the base branch, and rules that no model overrules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import { beforeTheDiff, LEARNINGS, openDesk, SAYS } from "../support/policy-prompt-fixtures.ts";

test("[P4] guidelines, instructions, rules and learnings of a repository reach the model from the base, never from the change", async (t) => {
  const { server, review } = await openDesk(
    t,
    {
      "AGENTS.md": "Words of the base as a guideline.\n",
      ".kodiai.yml": SAYS("base"),
      ".kodiai/learnings.yml": LEARNINGS("base"),
    },
    {
      "AGENTS.md": "Words of the change.\n",
      "CLAUDE.md": "Words of the change.\n",
      ".kodiai.yml": SAYS("change"),
      ".kodiai/learnings.yml": LEARNINGS("change"),
    },
  );
  const { code, stdout, stderr } = await review();
  assert.equal(code, 0, stderr);
  const prompt = beforeTheDiff(server);
  for (const words of ["as a guideline", "for all", "for paths", "as a rule"])
    assert.match(prompt, new RegExp(`Words of the base ${words}`));
  assert.match(prompt, /^- \[preference\] Words of the base as a learning\.$/m);
  assert.ok(!prompt.includes("for other files") && !prompt.includes("Words of the change"));
  const shown = stdout.replaceAll(/\s+/g, " ");
  assert.match(shown, /Learning: Words of the base as a learning\. \(preference, from the repository/);
  assert.match(shown, /\.kodiai\/learnings\.yml:6:5: error: learnings\[2\]: needs the key "text"/);
  assert.match(shown, /Change edits Kodiai's configuration/);
  assert.ok(!shown.includes("Learning: Words of the change"));
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
