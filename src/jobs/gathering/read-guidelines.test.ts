/** Guideline files of a real repository: which text the model gets, and how the review reports the rest. */
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { openTestSession } from "../../../test/support/open-test-session.ts";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import { testReviewDeps } from "../../../test/support/review-deps.ts";
import { recordedModel } from "../../../test/support/recorded-model.ts";
import { testRepository } from "../../../test/support/test-repository.ts";
import { openRepository } from "../../repository/git/open-repository.ts";
import { createDegradations } from "./optional.ts";
import { gatherContext } from "./gather-context.ts";
import { prepareReview } from "./prepare-review.ts";
import { reviewWithModels } from "../model-review/review-with-models.ts";

const KB = 1024;

/** A review whose base has these files. */
async function reviewOver(context: TestContext, files: Readonly<Record<string, string>>) {
  const made = testRepository();
  context.after(() => made.remove());
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  made.write("a.ts", "export const a = 1;\n");
  const base = made.commit("base");
  made.write("a.ts", "export const a = 2;\n");
  made.commit("change");
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" });
  context.after(() => repository.close());
  const { signal } = new AbortController();
  const degradations = createDegradations(signal);
  const change = await repository.readChange({ kind: "range", range: `${base}..HEAD` });
  const prepared = await prepareReview(
    {
      change,
      givenConfig: null,
      isExplicit: true,
      isFull: false,
      tags: "all",
      author: { association: null, mergedPullRequests: null },
      prior: NO_PRIOR_REVIEW,
    },
    { repository, reader: createInProcessReader() },
    degradations,
  );
  const model = recordedModel("a:x", [[{ tool: "finish_review", args: { summary: "Read." } }]]);
  const deps = testReviewDeps({
    repository,
    reader: createInProcessReader({ loadSyntax: () => Promise.reject(new Error("no parser here")) }),
    now: () => 0,
    signal,
  });
  const gathered = await gatherContext(prepared, { models: [model] }, deps);
  const session = await openTestSession([model], prepared, NO_MODELS);
  const { passes } = await reviewWithModels({ prepared, context: gathered, evidence: [], session }, deps);
  return { prompt: model.tasks[0]?.prompt.user ?? "", passes, degradations: degradations.list() };
}

test("guidelines: the model gets the beginning of a long file, and the omitted size is reported", async (t) => {
  const text = `Use tabs everywhere.\n${"Keep it short.\n".repeat(7_000)}`;
  assert.ok(text.length > 100 * KB);
  const { prompt, passes, degradations } = await reviewOver(t, { "AGENTS.md": text });
  assert.match(prompt, /Use tabs everywhere\./);
  const [cut] = passes[0]?.leftOut ?? [];
  assert.equal(cut?.section, "guidelines");
  assert.ok((cut?.chars ?? 0) > text.length - 5_000, String(cut?.chars));
  assert.deepEqual(degradations, []);
});

test("guidelines: a file that is too large is reported; a missing one isn't", async (t) => {
  const { prompt, passes, degradations } = await reviewOver(t, {
    "AGENTS.md": "x".repeat(1_100 * KB),
    "CLAUDE.md": "Say less.\n",
  });
  assert.match(prompt, /Say less\./);
  assert.deepEqual(degradations, [
    {
      what: "guidelines",
      message: "AGENTS.md is larger than 1 MB and was not read; shorten it",
      count: 1,
    },
  ]);
  assert.equal(passes[0]?.leftOut, undefined);
});
