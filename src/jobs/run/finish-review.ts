/** Records the outcome of publishing: the findings together with the end of the run, or why nothing was published. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { PublishOutcome, WrittenParts } from "../../forge/forge.ts";
import { measureRetrieval } from "../../memory/measure-retrieval.ts";
import { MODEL_PROBLEM } from "../../review/publication/model-problem.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { Retrieval } from "../../review/context/retrieval.ts";
import type { PassReport, Publication } from "../../review/publication/publication.ts";
import { type ViewedSetting, viewReview, viewSettings } from "../../review/publication/review-view.ts";
import { isComplete, modelPasses } from "../../review/publication/words.ts";
import { writeKeptPublication } from "../../store/repositories/kept-publications.ts";
import { writeReviewView } from "../../store/repositories/review-views.ts";
import {
  recordDegradations,
  recordModelRuns,
  recordPromptSections,
  recordRetrieval,
} from "../../store/repositories/telemetry.ts";
import { recordTimeout } from "../../store/repositories/timeouts.ts";
import type { GatheredConfig } from "../gathering/gather-config.ts";
import type { JobStore } from "../job-store.ts";
import { rememberLearnings } from "../memory/remember-learnings.ts";
import { followReactions } from "../memory/follow-reactions.ts";
import { rememberFindingsAsMemories } from "../memory/remember-findings-as-memories.ts";
import type { JobOutcome } from "../recipe.ts";
import { encodeState } from "../review-state.ts";
import { type KeptPublication, renderKeptPublication } from "../settling/kept-publication.ts";
import type { ReviewResult } from "../review-change.ts";
import { toMicroUsd } from "../spending/micro-usd.ts";
import { acknowledge } from "./acknowledge.ts";
import { figureOriginOf } from "./figure-origin.ts";
import { followHead } from "./follow-head.ts";
import { figuresOfRun, type ModelRunFigures, useOfRun } from "./model-run-figures.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { rememberBumps } from "./remember-bumps.ts";
import { rememberPublished } from "./remember-findings.ts";
import { reasonOfPublished, type RunEnding } from "./run-record.ts";

/** The result of a review that was published or held back. */
export type FinishedReview = Pick<ReviewResult, "publication"> & {
  /** Null for a review that was only screened. */
  readonly leftBehind: PriorReview | null;
  /** Null when no similar findings of the past were searched for. */
  readonly retrieval: Retrieval | null;
};

export async function finishReview(
  outcome: Exclude<PublishOutcome, { kind: "draft" }>,
  run: PreparedRun,
  result: FinishedReview,
  store: JobStore,
): Promise<JobOutcome> {
  const { session, context } = run;
  switch (outcome.kind) {
    case "published":
      if (outcome.unresolvedThreads > 0)
        context.log.warn("threads of fixed findings stay open", { threads: outcome.unresolvedThreads });
      await rememberReview(run, { ...result, moved: outcome.moved }, store);
      informOperator(result.publication, context.log);
      keepFigures(run, result, store);
      for (const request of run.requests) await acknowledge(request, session.comments, context, "+1");
      return { state: "done", reason: reasonOf(outcome.written, result.publication) };
    case "wait":
      return { state: "wait", untilMs: outcome.untilMs, reason: outcome.reason };
    case "stale-head":
      return followHead(run, outcome.head, store);
    case "closed":
      await concludeCheck(run);
      return end(run, { state: "skipped", reason: "skipped:closed" });
    case "lost":
      // Another worker holds the job now, and its run.
      return { state: "lost" };
    case "superseded":
      return end(run, { state: "superseded", reason: "superseded" });
    case "cancelled":
      return end(run, { state: "cancelled", reason: "cancelled" });
  }
}

function reasonOf(written: WrittenParts, publication: Publication): string {
  const parts = Object.values(written);
  const isUnwritten = parts.includes("read-only-token") && !parts.includes("written");
  return isUnwritten ? "read-only-token" : reasonOfPublished(publication);
}

/** The pull request doesn't show texts that only the operator can act on. */
function informOperator({ notices, advice, degradations }: Publication, log: Log): void {
  for (const notice of notices) if (!advice.includes(notice)) log.warn("model failed", { notice });
  for (const each of advice) log.warn("model failed", { advice: each });
  for (const { what, message } of degradations)
    if (what === MODEL_PROBLEM) log.warn("configured model unavailable", { problem: message });
}

async function rememberReview(
  { pullRequest, prepared, run, context, repository }: PreparedRun,
  { publication, leftBehind, moved }: FinishedReview & Pick<KeptPublication, "moved">,
  store: JobStore,
): Promise<void> {
  const { database, queue, now } = store;
  const { findings, dropped } = publication;
  const reported = findings.filter(({ placement }) => placement !== "details");
  const ending: RunEnding = {
    status: isComplete(publication) ? "completed" : "partial",
    reason: reasonOfPublished(publication),
    findings: { total: findings.length + dropped.length, reported: reported.length },
    mode: prepared.analysis.mode.mode,
  };
  if (leftBehind !== null)
    await rememberFindingsAsMemories({ pullRequest, run, prepared, publication }, now(), { database, queue });
  const view = JSON.stringify({ ...viewReview(publication), settings: await settingsOf(prepared.config) });
  await database.transaction(async (sql) => {
    if (leftBehind !== null)
      await rememberPublished({ pullRequest, run, publication, leftBehind }, now(), sql);
    await followReactions({ pullRequest, run, prepared, leftBehind }, now(), { queue, sql });
    await rememberBumps({ pullRequest, publication }, sql);
    await run.finish(ending, sql);
    await writeReviewView({ runId: run.id, at: now(), body: view }, sql);
    const { repositoryRef, author, number } = pullRequest;
    await writeKeptPublication(
      { repositoryId: repositoryRef.repositoryId, pullRequest: number, version: publication.version },
      {
        at: now(),
        body: renderKeptPublication(keep({ pullRequest, prepared }, { publication, leftBehind, moved })),
      },
      sql,
    );
    if (publication.conclusion !== "timeout-partial") return;
    await recordTimeout(
      { runId: run.id, repositoryId: repositoryRef.repositoryId, author: author.login, at: now() },
      sql,
    );
  });
  queue.wake();
  if (leftBehind !== null)
    await rememberLearnings(
      { pullRequest, prepared, publication, repository },
      { database, now, log: context.log },
    );
}

/** The values that files set. Without a file, the schema isn't loaded. */
async function settingsOf(config: GatheredConfig): Promise<readonly ViewedSetting[]> {
  if (config.tree.files.length === 0) return [];
  const { explainGathered } = await import("../gathering/explain-gathered.ts");
  return viewSettings(explainGathered(config).filter(({ isDefault }) => !isDefault));
}

function keep(
  { pullRequest, prepared: { analysis, config } }: Pick<PreparedRun, "pullRequest" | "prepared">,
  {
    publication,
    leftBehind,
    moved,
  }: Pick<FinishedReview, "publication" | "leftBehind"> & Pick<KeptPublication, "moved">,
): KeptPublication {
  const { review, memory, feedback } = config.tree.root.values;
  const { failOn, summary } = review;
  return {
    publication,
    head: pullRequest.head,
    skippedBecause: analysis.skippedBecause,
    moved,
    policy: { failOn, summary, isSummaryOnly: false, feedback: memory.enabled ? feedback : null },
    state: leftBehind === null ? "" : encodeState(leftBehind),
  };
}

/** A check that was started must not stay in progress forever. */
async function concludeCheck({ session, pullRequest, run, context }: PreparedRun): Promise<void> {
  const title = "The pull request was closed during the review.";
  const notice = { conclusion: "cancelled", title, summary: title } as const;
  try {
    await session.checks.conclude(pullRequest, notice, run.journal);
  } catch (error) {
    // The next attempt finds the pull request closed and concludes the check.
    if (error instanceof KodiaiError && error.retryable) throw error;
    context.log.warn("concluding the check failed", { error: messageOf(error) });
  }
}

/** Runs in the background; a failure is logged and doesn't affect the review. */
function keepFigures(
  { pullRequest, prepared, context }: PreparedRun,
  result: FinishedReview,
  { telemetry, now }: JobStore,
): void {
  const { publication } = result;
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
    ...retrievalOf(result, prepared).map((row) => recordRetrieval(withOrigin(row), telemetry)),
  ];
  for (const each of writing)
    each.catch((error: unknown) => context.log.warn("telemetry failed", { error: String(error) }));
}

/** None for a review that searched for no similar findings. */
function retrievalOf(
  { retrieval, publication }: FinishedReview,
  { analysis }: Pick<PreparedRun["prepared"], "analysis">,
) {
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
  { run }: PreparedRun,
  outcome: Extract<JobOutcome, { reason: string }> & { state: "skipped" | "superseded" | "cancelled" },
): Promise<JobOutcome> {
  const status = outcome.state === "skipped" ? "skipped" : "superseded";
  await run.finish({ status, reason: outcome.reason });
  return outcome;
}
