/** Records the outcome of publishing: the findings together with the end of the run, or why nothing was published. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { ForgeSession, PublishOutcome, PullRequest } from "../../forge/forge.ts";
import type { Queue } from "../../queue/queue.ts";
import { measureRetrieval } from "../../memory/measure-retrieval.ts";
import { MODEL_PROBLEM } from "../../review/publication/model-problem.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { Retrieval } from "../../review/context/retrieval.ts";
import type { PassReport, Publication } from "../../review/publication/publication.ts";
import { isComplete, modelPasses } from "../../review/publication/words.ts";
import type { Database } from "../../store/database.ts";
import { finishRun, MODEL_UNAVAILABLE, type RunEnd } from "../../store/repositories/runs.ts";
import {
  recordDegradations,
  recordModelRuns,
  recordPromptSections,
  recordRetrieval,
} from "../../store/repositories/telemetry.ts";
import { recordTimeout } from "../../store/repositories/timeouts.ts";
import type { PreparedReview } from "../gathering/prepare-review.ts";
import { rememberLearnings } from "../memory/remember-learnings.ts";
import { followReactions } from "../memory/follow-reactions.ts";
import { rememberFindingsAsMemories } from "../memory/remember-findings-as-memories.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";
import { toMicroUsd } from "../spending/micro-usd.ts";
import { acknowledge } from "./acknowledge.ts";
import type { ReviewRun } from "./claim-review-run.ts";
import { figureOriginOf } from "./figure-origin.ts";
import { followHead } from "./follow-head.ts";
import { hadOutage } from "./had-outage.ts";
import { figuresOfRun, type ModelRunFigures, useOfRun } from "./model-run-figures.ts";
import { rememberBumps } from "./remember-bumps.ts";
import { rememberPublished } from "./remember-findings.ts";

export type FinishInput = {
  readonly reviewJob: ReviewJob;
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly run: ReviewRun;
  readonly prepared: Pick<PreparedReview, "config" | "change" | "analysis" | "listing" | "prior">;
  readonly publication: Publication;
  /** Null for a review that was only screened. */
  readonly leftBehind: PriorReview | null;
  /** Null when no similar findings of the past were searched for. */
  readonly retrieval: Retrieval | null;
  /** Every request that this review answers. */
  readonly requests: readonly ReviewJob[];
};

export type FinishDeps = {
  readonly database: Database;
  readonly telemetry: Database;
  readonly queue: Queue;
  readonly now: () => number;
  readonly context: JobContext;
};

export async function finishReview(
  outcome: Exclude<PublishOutcome, { kind: "draft" }>,
  input: FinishInput,
  deps: FinishDeps,
): Promise<JobOutcome> {
  switch (outcome.kind) {
    case "published":
      if (outcome.unresolvedThreads > 0)
        deps.context.log.warn("threads of fixed findings stay open", { threads: outcome.unresolvedThreads });
      await rememberReview(input, deps);
      if (input.leftBehind !== null) await rememberLearnings(input, { ...deps, log: deps.context.log });
      informOperator(input, deps);
      keepFigures(input, deps);
      for (const request of input.requests) await acknowledge(request, input.session, deps.context, "+1");
      return { state: "done", reason: reasonOf(input.publication) };
    case "wait":
      return { state: "wait", untilMs: outcome.untilMs, reason: outcome.reason };
    case "stale-head":
      return followHead(input, outcome.head, deps);
    case "closed":
      await concludeCheck(input, deps);
      return end(input, deps, { state: "skipped", reason: "skipped:closed" });
    case "lost":
      // Another worker holds the job now, and its run.
      return { state: "lost" };
    case "superseded":
      return end(input, deps, { state: "superseded", reason: "superseded" });
    case "cancelled":
      return end(input, deps, { state: "cancelled", reason: "cancelled" });
  }
}

/** A review that a model couldn't finish is still published, and its reason records that. After an outage it is taken up again. */
function reasonOf({ conclusion, passes }: Publication): string {
  if (hadOutage(passes)) return MODEL_UNAVAILABLE;
  return conclusion === "complete" ? "published" : conclusion;
}

/** The pull request doesn't show texts that only the operator can act on. */
function informOperator({ publication }: FinishInput, { context }: FinishDeps): void {
  const { advice, degradations } = publication;
  for (const each of advice) context.log.warn("model failed", { advice: each });
  for (const { what, message } of degradations)
    if (what === MODEL_PROBLEM) context.log.warn("configured model unavailable", { problem: message });
}

async function rememberReview(input: FinishInput, { database, queue, now }: FinishDeps): Promise<void> {
  const { run, publication } = input;
  const reported = publication.findings.filter(({ placement }) => placement !== "details");
  const end: RunEnd = {
    status: isComplete(publication) ? "completed" : "partial",
    reason: reasonOf(publication),
    finishedAt: now(),
    findingsTotal: publication.findings.length + publication.dropped.length,
    findingsReported: reported.length,
  };
  if (input.leftBehind !== null) await rememberFindingsAsMemories(input, now(), { database, queue });
  await database.transaction(async (sql) => {
    if (input.leftBehind !== null)
      await rememberPublished({ ...input, leftBehind: input.leftBehind }, now(), sql);
    await followReactions(input, now(), { queue, sql });
    await rememberBumps(input, sql);
    await finishRun(run.id, end, sql);
    if (publication.conclusion !== "timeout-partial") return;
    const { repositoryRef, author } = input.pullRequest;
    await recordTimeout(
      { runId: run.id, repositoryId: repositoryRef.repositoryId, author: author.login, at: now() },
      sql,
    );
  });
  queue.wake();
}

/** A check that was started must not stay in progress forever. */
async function concludeCheck(
  { session, pullRequest, run }: FinishInput,
  { context }: FinishDeps,
): Promise<void> {
  const title = "The pull request was closed during the review.";
  try {
    await session.concludeCheck(pullRequest, { conclusion: "cancelled", title, summary: title }, run.journal);
  } catch (error) {
    // The next attempt finds the pull request closed and concludes the check.
    if (error instanceof KodiaiError && error.retryable) throw error;
    context.log.warn("concluding the check failed", { error: messageOf(error) });
  }
}

/** Runs in the background; a failure is logged and doesn't affect the review. */
function keepFigures(input: FinishInput, { telemetry, now, context }: FinishDeps): void {
  const { publication, pullRequest, prepared } = input;
  const runs = [...modelPasses(publication).map(modelRunOf), ...cutOffRunOf(publication)];
  context.countModelUse(runs.map(useOfRun));
  const settings = prepared.config.tree.root.values.telemetry;
  const origin = figureOriginOf(pullRequest.repositoryRef, settings, { job: context.job, at: now() });
  if (origin === null) return;
  const withOrigin = <Row extends object>(row: Row) => ({ ...row, ...origin });
  const sections = modelPasses(publication).flatMap(({ name: pass, sections: all = [] }) =>
    all.map((each) => ({ ...each, pass })),
  );
  const writing = [
    recordDegradations(publication.degradations.map(withOrigin), telemetry),
    recordModelRuns(runs.map(withOrigin), telemetry),
    recordPromptSections(sections.map(withOrigin), telemetry),
    ...retrievalOf(input).map((row) => recordRetrieval(withOrigin(row), telemetry)),
  ];
  for (const each of writing)
    each.catch((error: unknown) => context.log.warn("telemetry failed", { error: String(error) }));
}

/** None for a review that searched for no similar findings. */
function retrievalOf({ retrieval, publication, prepared: { analysis } }: FinishInput) {
  if (retrieval === null) return [];
  const { findings, memory } = publication;
  const found = findings.map(({ finding }) => finding);
  return [measureRetrieval({ retrieval, memories: memory.similar, analysis, findings: found })];
}

function modelRunOf({ name: pass, ...report }: PassReport): ModelRunFigures {
  return figuresOfRun({ ...report, pass });
}

/** Attempts that were cut off by a crash cost money, but have no report of their own. */
function cutOffRunOf({ usage }: Publication): readonly ModelRunFigures[] {
  if (usage === null || usage.cutOffUsd === 0) return [];
  return [
    {
      pass: "all",
      model: usage.model,
      step: "full",
      outcome: "cut-off",
      stopReason: "unknown",
      turns: 0,
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
      costMicroUsd: toMicroUsd(usage.cutOffUsd),
      ms: 0,
    },
  ];
}

async function end(
  { run }: FinishInput,
  { database, now }: FinishDeps,
  outcome: Extract<JobOutcome, { reason: string }> & { state: "skipped" | "superseded" | "cancelled" },
): Promise<JobOutcome> {
  const status = outcome.state === "skipped" ? "skipped" : "superseded";
  const counts = { findingsTotal: 0, findingsReported: 0 };
  await finishRun(run.id, { status, reason: outcome.reason, finishedAt: now(), ...counts }, database);
  return outcome;
}
