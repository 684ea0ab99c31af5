/** `review.passes` and `review.triageModel`, from the command line and from a webhook to what people read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { isAll } from "../support/extent.ts";
import { openDesk, PRICED } from "../support/model-scenes/desk.ts";
import { FINISHING, testModels } from "../support/model-scenes/model-scene.ts";
import { record, replay } from "../support/replay-fixtures.ts";
import { conversationOf, found, MANY_FILES, ROUNDS } from "../support/round-fixtures.ts";

const TWICE = `review: { mode: strict, passes: 2, triageModel: "compatible:small" }\n`;

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, " ");

type Review = {
  readonly findings: readonly { readonly title: string }[];
  readonly verdict: { readonly headline: string };
  readonly passes: readonly { readonly name: string; readonly model: string; readonly outcome: string }[];
  readonly receipt: {
    readonly files: readonly {
      readonly path: string;
      readonly status: string;
      readonly reason?: string;
      readonly isSkimmed?: boolean;
    }[];
    readonly gaps: readonly { readonly check: string; readonly detail: string }[];
  };
};

test("rounds and triage on the command line: both find, the receipt names what was skimmed and skipped, and a replay comes to the same", async (t) => {
  const { folder, file, reviewed, server } = await record(t, {
    before: { "README.md": "# Numbers\n" },
    after: MANY_FILES,
    config: TWICE,
    script: ROUNDS,
  });
  assert.equal(reviewed.code, 3, reviewed.stderr);
  const review = JSON.parse(reviewed.stdout) as Review;
  assert.deepEqual(review.findings.map(({ title }) => title).toSorted(), [
    "A later round found this",
    "The first round found this",
  ]);
  assert.deepEqual(
    review.passes.slice(1).map(({ name, model, outcome }) => `${name}, ${model}, ${outcome}`),
    [
      "triage, compatible:small, completed",
      "review, compatible:scripted, completed",
      "second round, compatible:scripted, completed",
      "second reading, compatible:scripted, completed",
    ],
  );
  const entry = (path: string) => {
    const { status, reason, isSkimmed } = review.receipt.files.find((each) => each.path === path) ?? {};
    return { status, reason, isSkimmed };
  };
  assert.deepEqual(entry("src/api/03.ts"), { status: "reviewed", reason: undefined, isSkimmed: undefined });
  assert.deepEqual(entry("src/shop/03.ts"), { status: "reviewed", reason: undefined, isSkimmed: true });
  assert.deepEqual(entry("src/web/03.ts"), {
    status: "omitted",
    reason: "limit:triage",
    isSkimmed: undefined,
  });
  assert.match(
    review.verdict.headline,
    /21 lines in 21 files \(skipped by the triage model\) not reviewed by a model/,
  );
  for (const request of server.requests.filter((each) => conversationOf(each) !== "triage"))
    assert.ok(!request.prompt.includes("=== src/web/"));
  const replayed = await replay(folder, [file, "--format", "json"]);
  const { isSame, remarks, review: again } = JSON.parse(replayed.stdout) as Record<string, unknown>;
  assert.deepEqual({ isSame, remarks }, { isSame: true, remarks: [] });
  assert.deepEqual(again, review);
});

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
  for (const [name, words] of isAll ? rows : rows.slice(1)) {
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
