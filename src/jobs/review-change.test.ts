/** The recipe with missing parts: it reviews with the rest and reports the gap. */
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createInProcessReader } from "../../test/support/in-process-reader.ts";
import { NO_MODELS } from "../../test/support/no-models.ts";
import { testReviewDeps } from "../../test/support/review-deps.ts";
import { type TestRepository, testRepository } from "../../test/support/test-repository.ts";
import type { Model, StartLimits } from "../model/model.ts";
import { openRepository } from "../repository/git/open-repository.ts";
import type { Repository } from "../repository/repository.ts";
import { createChangeReview, reviewChange } from "./review-change.ts";
import type { ModelAccess } from "./model-review/model-access.ts";
import type { KnowledgeSources } from "./gathering/create-knowledge.ts";

const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };

function changedRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/old.ts", 'import { a } from "./a";\n\nconsole.log(a);\n');
  made.write("src/app.py", "def run():\n    pass\n");
  made.commit("root");
  made.git("rm", "--quiet", "src/old.ts");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("src/app.py", "def run():\n    breakpoint()\n");
  made.write("src/merge.ts", "<<<<<<< ours\nconst a = 1;\n=======\nconst a = 2;\n>>>>>>> theirs\n");
  made.commit("x");
  return made;
}

async function review(
  t: TestContext,
  given: Partial<KnowledgeSources> & { wrap?: (real: Repository) => Repository; access?: ModelAccess },
) {
  const { wrap = (real: Repository) => real, access = NO_MODELS, ...sources } = given;
  const repository = await openRepository(changedRepository(t).path, ENVIRONMENT);
  t.after(() => repository.close());
  const change = await repository.readChange({ kind: "current", base: null });
  const { publication } = await reviewChange(
    {
      change,
      givenConfig: null,
      isExplicit: true,
      isFull: false,
      tags: "all",
      author: { association: null, mergedPullRequests: null },
      prior: NO_PRIOR_REVIEW,
    },
    access,
    createChangeReview(testReviewDeps({ repository: wrap(repository), ...sources })),
  );
  return publication;
}

const rulesOf = ({ findings }: Awaited<ReturnType<typeof review>>) =>
  findings.map(({ finding }) => String(finding.rule)).toSorted();

/** "check reason: detail, at paths". */
const gapsOf = ({ receipt }: Awaited<ReturnType<typeof review>>) =>
  receipt.gaps.map(
    ({ check, reason, detail, paths }) => `${check} ${reason}: ${detail}, at ${paths?.join(" ") ?? "all"}`,
  );

/** These reviews have none. */
const NO_LINTERS = "linters off: turned off, at all";

test("with all parts available, the review is complete", async (t) => {
  const publication = await review(t, {});
  assert.deepEqual(rulesOf(publication), ["conflict-marker", "leftover-debugger"]);
  assert.deepEqual([publication.degradations, gapsOf(publication)], [[], [NO_LINTERS]]);
  assert.ok(publication.receipt.coverage.isComplete);
});

test("without a parser, line rules still run, and the review is incomplete for the files of syntax rules", async (t) => {
  const publication = await review(t, {
    reader: createInProcessReader({ loadSyntax: () => Promise.reject(new Error("no parser here")) }),
  });
  assert.deepEqual(rulesOf(publication), ["conflict-marker"]);
  assert.deepEqual(gapsOf(publication), [
    "parsers failed: no parser here, at src/app.py src/merge.ts",
    "search for uses of changed exports failed: no parser here, at all",
    NO_LINTERS,
  ]);
  const unchecked = new Set(publication.receipt.gaps.flatMap(({ rules }) => rules));
  for (const rule of ["leftover-debugger", "removed-export-used"]) assert.ok(unchecked.has(rule), rule);
  assert.equal(publication.verdict.outcome, "incomplete");
});

test("without file contents, syntax rules read the diff, and the review is incomplete", async (t) => {
  const publication = await review(t, {
    wrap: (real) => ({ ...real, readBlobs: () => Promise.reject(new Error("pack is damaged")) }),
  });
  assert.deepEqual(rulesOf(publication), ["conflict-marker", "leftover-debugger"]);
  const failed = publication.receipt.gaps.filter(({ reason }) => reason === "failed");
  assert.deepEqual(
    failed.map(({ check, detail }) => `${check}: ${detail}`),
    [
      "rules that need whole files: the file couldn't be read",
      "search for uses of changed exports: pack is damaged",
    ],
  );
  const unchecked = publication.receipt.gaps.flatMap(({ rules }) => rules);
  assert.ok(unchecked.includes("leftover-debugger"));
  assert.equal(publication.verdict.outcome, "incomplete");
});

test("when time runs out, unread files aren't claimed as read and the review is incomplete", async (t) => {
  let time = 0;
  const publication = await review(t, { now: () => (time += 10_000_000) });
  assert.equal(publication.verdict.outcome, "incomplete");
  assert.deepEqual(new Set(publication.receipt.entries.map(({ reason }) => reason)), new Set(["limit:time"]));
  assert.equal(publication.receipt.coverage.reviewedLines, 0);
});

test("a stopped review rejects and produces no publication", async (t) => {
  await assert.rejects(review(t, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a model gets ready before the rules run, for the limits of its run, and is closed afterwards", async (t) => {
  const order: string[] = [];
  const limits: StartLimits[] = [];
  const model: Model = {
    id: "openai:gpt-5-mini",
    warm(wanted) {
      order.push("warm");
      limits.push(wanted);
      return { close: async () => void order.push("closed") };
    },
    async run(task) {
      order.push("run");
      limits.push(task.limits);
      throw new Error("no provider here");
    },
  };
  const available = { models: [model], noModel: null, problems: [] };
  await review(t, {
    access: { ...NO_MODELS, choice: { ...NO_MODELS.choice, choose: async () => available } },
    onProgress: ({ kind }) => void (kind === "rules" && order.push(kind)),
  });
  assert.deepEqual([...new Set(order)], ["warm", "rules", "run", "closed"]);
  const [warmed, wanted] = limits;
  assert.ok(warmed !== undefined && wanted !== undefined);
  assert.deepEqual([warmed.maxTurns, warmed.maxOutputTokens], [wanted.maxTurns, wanted.maxOutputTokens]);
});
