/** Types in a review: a promise of another file that is used as a condition, from the configuration to the comment, and a checker that isn't there. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createChangeReview, reviewChange } from "../../src/jobs/review-change.ts";
import { DEFAULT_CONFIG } from "../../src/config/repo-config/default-config.ts";
import { createTypeChecker } from "../../src/linters/oxlint/create-type-checker.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import type { Publication } from "../../src/review/publication/publication.ts";
import { testApp } from "../support/app/test-app.ts";
import { NO_MODELS } from "../support/no-models.ts";
import { testReviewDeps } from "../support/review-deps.ts";
import { readExamples } from "../support/rule-examples.ts";
import { testRepository } from "../support/test-repository.ts";

const CONFIG = "analysers: { oxlint: { typeAware: true } }\n";

const GUARD =
  'export async function isAllowed(name: string): Promise<boolean> {\n  return name === "root";\n}\n';

/** The promise is used on line 4. */
const DOOR =
  'import { isAllowed } from "@/guard";\n\nexport function open(name: string): string {\n  if (isAllowed(name)) return "open";\n  return "closed";\n}\n';

/** With an alias for the folder, and a setting that would end a check. */
const TSCONFIG =
  '{ "extends": "/nowhere", "compilerOptions": { "paths": { "@/*": ["./src/*"] }, "noLib": true } }\n';

const BASE = { "tsconfig.json": TSCONFIG, "src/guard.ts": GUARD };

testApp("a promise of another file as a condition is a comment", async (openScenario) => {
  const scenario = await openScenario({
    config: CONFIG,
    baseFiles: BASE,
    pullRequest: { files: { "src/door.ts": DOOR, "src/users.test.ts": "// two\n" } },
  });
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  assert.deepEqual(scenario.published().comments, ["src/door.ts:4"]);
});

async function reviewed(
  t: TestContext,
  { config = CONFIG, ...given }: { readonly config?: string; readonly resolve?: (name: string) => string },
): Promise<Publication> {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries({ ...BASE, ".kodiai.yml": config })) made.write(path, text);
  made.commit("root");
  made.write("src/door.ts", DOOR);
  made.commit("door");
  const { signal } = new AbortController();
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" }, signal);
  t.after(() => repository.close());
  const typeChecker = createTypeChecker(() => 0, given.resolve);
  const change = await repository.readChange({ kind: "commit", ref: "HEAD" });
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
    NO_MODELS,
    createChangeReview(testReviewDeps({ repository, typeChecker })),
  );
  return publication;
}

const typeGaps = ({ receipt }: Publication) =>
  receipt.gaps
    .filter(({ check }) => check === "oxlint with types")
    .map(({ reason, detail }) => ({ reason, detail }));

const foundIn = ({ findings }: Publication): readonly string[] =>
  findings.map(({ finding }) => `${finding.rule} ${finding.path}:${finding.lineHint}`);

test("types come from the repository, by the paths of its configuration and nothing else in it", async (t) => {
  const publication = await reviewed(t, {});
  assert.deepEqual(typeGaps(publication), []);
  assert.deepEqual(foundIn(publication), ["oxlint/no-misused-promises src/door.ts:4"]);
});

test("without the package, the review is incomplete and says what to install", async (t) => {
  const publication = await reviewed(t, {
    resolve: (name) => {
      throw Object.assign(new Error(`Cannot find package ${name}`), { code: "ERR_MODULE_NOT_FOUND" });
    },
  });
  assert.deepEqual(typeGaps(publication), [
    { reason: "not-installed", detail: "not installed; to install it, run npm install oxlint-tsgolint" },
  ]);
  assert.equal(publication.verdict.outcome, "incomplete");
});

test("with types turned off, nothing is checked and nothing is missing", async (t) => {
  const publication = await reviewed(t, { config: "floor: { enabled: true }\n" });
  assert.deepEqual(typeGaps(publication), []);
  assert.deepEqual(foundIn(publication), []);
});

test("the examples of rules with types are reported as they say", async () => {
  const checker = createTypeChecker(() => 0);
  for (const id of ["no-misused-promises", "no-floating-promises"]) {
    const { bad, good } = readExamples(`oxlint/${id}`);
    for (const [line, { files }] of [
      ...bad.map((one) => [one.line, one] as const),
      ...good.map((one) => [null, one] as const),
    ]) {
      const [example] = files;
      assert.ok(example !== undefined && example.after !== null);
      const { path, after: text } = example;
      const added = new Set(text.split("\n").map((_, index) => index + 1));
      const file = { path, language: "typescript", text, added, isTest: false, config: DEFAULT_CONFIG };
      const { findings, reports } = await checker.check(
        [file],
        new Map([[path, text]]),
        new AbortController().signal,
      );
      assert.deepEqual(
        reports.flatMap(({ gaps }) => gaps),
        [],
      );
      assert.deepEqual(
        findings.map(({ rule, lineHint }) => `${rule}:${lineHint}`),
        line === null ? [] : [`oxlint/${id}:${line}`],
      );
    }
  }
});
