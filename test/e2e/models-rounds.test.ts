/** `review.passes` and `review.triageModel`, from the command line to what people read, and again in a replay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { record, replay } from "../support/replay-fixtures.ts";
import { conversationOf, MANY_FILES, ROUNDS } from "../support/round-fixtures.ts";

const TWICE = `review: { mode: strict, passes: 2, triageModel: "compatible:small" }\n`;

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
