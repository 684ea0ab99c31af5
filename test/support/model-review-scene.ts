/** Lets recorded models review a small change, without a repository or a database: what each attempt did, found and read. */
import { stopCode } from "../../src/model/stop-code.ts";
import type { PlainStopReason } from "../../src/model/stop-reason.ts";
import { createDegradations, type Degradations } from "../../src/jobs/gathering/optional.ts";
import { prepareReview } from "../../src/jobs/gathering/prepare-review.ts";
import type { ModelAccess, ModelChoice, ModelMoney } from "../../src/jobs/model-review/model-access.ts";
import { type ModelReview, reviewWithModels } from "../../src/jobs/model-review/review-with-models.ts";
import type { Change } from "../../src/review/change/change.ts";
import type { Context } from "../../src/review/context/context.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import type { Finding } from "../../src/review/findings/finding.ts";
import type { FileCoverage } from "../../src/review/publication/receipt.ts";
import { createMemoryNotebook, type Notebook } from "../../src/tools/notebook.ts";
import { diffTexts } from "./diff-texts.ts";
import { createInProcessReader } from "./in-process-reader.ts";
import { NO_CONTEXT } from "./no-context.ts";
import { openTestSession } from "./open-test-session.ts";
import { NO_MODELS } from "./no-models.ts";
import { type ModelAct, type RecordedModel, type TestClock, testClock } from "./recorded-model.ts";
import { testReviewDeps } from "./review-deps.ts";

export const MINUTE_MS = 60_000;

/** Ten minutes for a pass, unless a test says otherwise. */
export const PASS_MS = 10 * MINUTE_MS;

export const FILES = ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"];

export function changeOf(paths: readonly string[]): Change {
  return {
    kind: "branch",
    description: "feature against main",
    title: "Numbers",
    body: "",
    base: null,
    head: null,
    commits: [],
    files: paths.map((path) => diffTexts({ path, after: `export const value = "${path}";\n` })),
    notes: [],
  };
}

export const finding = (path: string, title = `${path} is wrong`): ModelAct => ({
  tool: "record_finding",
  args: {
    path,
    quote: `export const value = "${path}";`,
    title,
    body: "It is.",
    severity: "major",
    category: "correctness",
  },
});
export const marks = (...paths: readonly string[]): ModelAct => ({ tool: "mark_reviewed", args: { paths } });
export const FINISH: ModelAct = { tool: "finish_review", args: { summary: "Read." } };
export const fails = (
  reason: PlainStopReason,
  kind: "failed" | "overloaded" | "refused" = "failed",
): ModelAct => ({
  ends: { kind, stopReason: { kind: reason } },
});

type ReviewScene = {
  readonly models: readonly RecordedModel[];
  readonly clock?: TestClock;
  readonly config?: string;
  readonly paths?: readonly string[];
  /** Instead of `paths`. */
  readonly files?: Change["files"];
  readonly context?: Partial<Context>;
  /** Findings of rules. */
  readonly evidence?: readonly Finding[];
  readonly notebook?: Notebook;
  readonly choice?: Partial<ModelChoice>;
  readonly money?: Partial<ModelMoney>;
};

type ModelReviewDone = ModelReview & {
  readonly notebook: Notebook;
  readonly degradations: Degradations;
  /** "model step outcome (stop reason) findings", attempt by attempt. */
  readonly attempts: readonly string[];
  readonly titles: readonly string[];
};

export async function reviewScene({
  clock = testClock(),
  notebook = createMemoryNotebook(),
  ...scene
}: ReviewScene): Promise<ModelReviewDone> {
  const { signal } = new AbortController();
  const degradations = createDegradations(signal);
  const given = changeOf(scene.paths ?? FILES);
  const change = { ...given, files: scene.files ?? given.files };
  const prepared = await prepareReview(
    {
      change,
      givenConfig: { path: "given.yml", bytes: Buffer.from(scene.config ?? "") },
      isExplicit: true,
      isFull: false,
      tags: "all",
      author: { association: null, mergedPullRequests: null },
      prior: NO_PRIOR_REVIEW,
    },
    { repository: null, reader: createInProcessReader() },
    degradations,
  );
  const access: ModelAccess = {
    ...NO_MODELS,
    openNotebook: async () => notebook,
    choice: { ...NO_MODELS.choice, ...scene.choice },
    money: { ...NO_MODELS.money, ...scene.money },
  };
  const deps = testReviewDeps({
    reader: createInProcessReader({ loadSyntax: () => Promise.reject(new Error("no parser here")) }),
    now: clock.now,
    signal,
  });
  const session = await openTestSession(scene.models, prepared, access);
  const context = { ...NO_CONTEXT, ...scene.context };
  const done = await reviewWithModels({ prepared, context, evidence: scene.evidence ?? [], session }, deps);
  return {
    ...done,
    notebook,
    degradations,
    attempts: done.passes.map(
      ({ name, model, step, outcome, stopReason, findings }) =>
        `${name === "review" ? "" : `${name}: `}${model} ${step} ${outcome} (${stopCode(stopReason)}) ${findings}`,
    ),
    titles: done.findings.map(({ title }) => title),
  };
}

export function covered({ byModel }: ModelReview): Readonly<Record<string, FileCoverage>> {
  return Object.fromEntries(byModel ?? []);
}

export const ALL_READ = Object.fromEntries(FILES.map((path) => [path, null]));
