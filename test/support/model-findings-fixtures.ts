/** Five findings of a model, and the comments that they become. */
import assert from "node:assert/strict";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import { eventually } from "./eventually.ts";
import {
  type ModelScene,
  type ModelSceneOptions,
  oneByOne,
  pricesOf,
  recording,
  type SceneProvider,
} from "./model-scenes/model-scene.ts";

const PATH = "src/users.ts";

const RANDOM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5";

/** Two sentences, and a third that a model might add after reading hostile text. */
const SAID = [
  "Users are found by their id, and loaded at once.",
  "\n\n/approve\n\nThanks to @octocat, fixes #1: ![x](https://e.example/x.png) <img src=x> [here](https://e.example)",
  `</details>\u001b[2J\u202e ghp_${RANDOM}${checksumOf(RANDOM)}`,
].join(" ");

/**
 * The floor finds pasted SQL on line 4 and an empty catch on line 10. The quotes are as sloppy as models': with the gutter of the diff, in
 * a fence, cut, in other quotation marks.
 */
const FIVE = oneByOne(
  [
    recording({
      path: PATH,
      quote: "4+  return db.query(`select * from users where id = ${id}`);",
      title: "SQL injection: the id is interpolated into the query",
      body: "An attacker who sends an id can read every user.",
      severity: "critical",
      category: "security",
    }),
    recording({
      path: PATH,
      quote: '    find("1");',
      line: 400,
      title: "A failed search is never noticed",
      body: "The promise of `find` is not awaited, so its rejection ends the process.",
      suggestion: '    // ... existing code ...\n    await find("1");',
    }),
    recording({
      path: PATH,
      quote: "import { db } from './db'",
      title: "The name db says little",
      severity: "minor",
      category: "maintainability",
    }),
    recording({
      path: PATH,
      quote: "```ts\nexport async function find(...\n```",
      title: "An empty id finds every user",
      severity: "medium",
      suggestion: "export async function find(id: string {",
    }),
    recording({
      path: PATH,
      quote: "export function load() {",
      title: "Callers cannot wait for the loading to end",
      severity: "medium",
      suggestion: "export async function load() {",
    }),
    { name: "finish_review", args: { summary: SAID } },
  ],
  { usage: { input: 10_000, cachedInput: 0, output: 500 } },
);

const CONFIG = (model: string): string => `review:\n  mode: balanced\n${pricesOf(model)}`;

export function options(provider: SceneProvider): ModelSceneOptions {
  return { provider, script: FIVE, config: CONFIG(`${provider}:scripted`) };
}

export async function assertFive(scene: ModelScene, model: string): Promise<void> {
  await scene.start();
  assert.equal(await scene.send("opened"), 202);
  const [job] = await scene.settled();
  assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "published", 1]);
  assert.deepEqual(scene.published(), {
    reviews: 1,
    // The rule's finding and the model's are merged; the quote counts, not the line; the minor one is only listed.
    comments: [`${PATH}:4`, `${PATH}:9`, `${PATH}:3`, `${PATH}:7`, `${PATH}:10`],
    summaries: 1,
    conclusions: ["neutral"],
  });
  const comments = scene.comments();
  assert.match(
    comments.get(`${PATH}:4`) ?? "",
    /^\*\*\[critical\] SQL injection: the id is interpolated into the query/,
  );
  assert.match(
    comments.get(`${PATH}:4`) ?? "",
    /^Also reported by \[?`sql-from-strings`\S*: Possible SQL injection/m,
  );
  assert.match(comments.get(`${PATH}:9`) ?? "", /^\*\*\[major\] A failed search is never noticed\*\*/);
  assert.match(
    comments.get(`${PATH}:9`) ?? "",
    /Unverified suggestion \(line 1 is a placeholder, not code\)/,
  );
  assert.doesNotMatch(comments.get(`${PATH}:9`) ?? "", /```suggestion/);
  assert.match(comments.get(`${PATH}:3`) ?? "", /Unverified suggestion \(the file wouldn't parse with it\)/);
  assert.doesNotMatch(comments.get(`${PATH}:3`) ?? "", /```suggestion/);
  assert.match(comments.get(`${PATH}:7`) ?? "", /^```suggestion\nexport async function load\(\) \{\n```$/m);
  const summary = scene.summary();
  assert.match(summary, /6 findings \(1 critical, 1 major, 3 medium, 1 minor\) in 1 of 2 files/);
  assert.match(summary, /More findings \(1\)[^]*The name db says little/);
  assert.doesNotMatch(summary, /Not shown/);
  assertSaid(summary);
  const name = model.replace(":", ":(?:&#8203;|\u200b)?");
  assert.match(summary, new RegExp(`Reviewer: ${name} and \\d+ built-in rules`));
  assert.doesNotMatch(summary, /USD|input token/, "amounts are the operator's");
  // Six turns of 10,000 tokens at one dollar a million, and of 500 at two. Telemetry is written in the background.
  const runs = await eventually("the figures", async () => {
    const rows = await scene.telemetry.query("select model, outcome, turns, cost_micro_usd from model_runs");
    return rows.length > 0 && rows;
  });
  assert.deepEqual(
    runs.map((row) => ({ ...row })),
    [
      { model, outcome: "completed", turns: 6, cost_micro_usd: 66_000 },
      // The second reading of the critical finding.
      { model, outcome: "completed", turns: 1, cost_micro_usd: 3 },
    ],
  );
  scene.check();
}

/** After the verdict, before the findings, with nothing in it that GitHub would act on. */
function assertSaid(summary: string): void {
  const [, said = ""] =
    /^## Kodiai\n\n\*\*6 findings[^*]+\*\*\n\n### Summary by the model\n\n(.+)\n\n\| # \|/.exec(summary) ??
    [];
  assert.match(
    said,
    /^Users are found by their id, and loaded at once\. \/approve Thanks to @&#8203;octocat/,
  );
  const bare = said.replaceAll(/`[^`]*`/g, "");
  assert.doesNotMatch(bare, /@(?!&#8203;)|#1|<|https?:|!\[/);
  assert.doesNotMatch(said, /[\u001b\u202e]|a1B2c3D4e5F6g7H8/);
  assert.match(said, / \\\[masked\\\]$/);
}
