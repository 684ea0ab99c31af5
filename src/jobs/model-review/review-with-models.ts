/**
 * The part of a review that models do: the passes of all rounds one after the other, all into one notebook. However a pass ends, the
 * others are kept; a review that is taken up again does not repeat what was done.
 */
import { findUnreadHunks, isFileUnread } from "../../review/change/scope.ts";
import type { Analysis, ReviewPass } from "../../review/analysis/analysis.ts";
import { type HunkTriage, NO_TRIAGE } from "../../review/analysis/hunk-triage.ts";
import { type LaterPass, planRounds } from "../../review/analysis/rounds.ts";
import type { Change } from "../../review/change/change.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import type { CheckedAgain } from "../../review/findings/carry-prior.ts";
import type { Disputes } from "../../review/findings/disputable.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { PassOverview, PassReport } from "../../review/publication/publication.ts";
import type { FileCoverage, ReceiptReason } from "../../review/publication/receipt.ts";
import { answersIn, disputesIn, foundIn } from "../../tools/notebook.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { withoutShare } from "../verification/verification-share.ts";
import { coverFiles, wasStopped } from "./cover-files.ts";
import { findCutOffUsd, overviewOf, reportPasses } from "./report-passes.ts";
import { isOver, runPass } from "./run-pass.ts";
import { gapsOfRounds, runRounds } from "./run-rounds.ts";
import { triageHunks } from "./triage-hunks.ts";
import type { ModelDeps, ModelReviewInput, ModelReviewTask } from "./model-review-task.ts";

export type ModelReview = {
  /** How many parts of the change there are for a model to read: none where all is lock files and the like. */
  readonly parts: number;
  readonly findings: readonly Finding[];
  /** Against findings of rules and linters. */
  readonly disputes: Disputes;
  /** Answers about earlier findings, by number. */
  readonly answers: ReadonlyMap<number, CheckedAgain>;
  readonly passes: readonly PassReport[];
  /** In the words of the models, as they are. */
  readonly overview: readonly PassOverview[];
  /** Later rounds that didn't finish. */
  readonly gaps: readonly CheckGap[];
  /** The most that attempts without a report may have cost: crashed processes and calls that were cut off. */
  readonly cutOffUsd: number;
  /** Numbers of the hunks that the model was asked to skim, by path. */
  readonly skimmed: ReadonlyMap<string, ReadonlySet<number>>;
  /** For each file of the change that can be read; null without a model. */
  readonly byModel: ReadonlyMap<string, FileCoverage> | null;
};

export async function reviewWithModels(input: ModelReviewInput, deps: ModelDeps): Promise<ModelReview> {
  const { prepared, context, session, evidence } = input;
  const { change, analysis } = prepared;
  const { notebook } = session;
  const config = prepared.config.tree.root.values;
  const hunksToRead = findUnreadHunks(change.files, context.scope);
  const untriaged: ModelReviewTask = {
    prepared,
    context,
    evidence,
    ...session,
    spending: withoutShare(session.spending, config.review),
    hunksToRead,
    triage: NO_TRIAGE,
    head: headOf(change),
    deps,
  };
  const planned = modelPassesOf(change, analysis);
  const triage = await triageHunks(planned, untriaged);
  const task = { ...untriaged, triage };
  const passes = withoutPaths(planned, triage.skipped);
  const hasGuidelines = context.guidelines.length > 0;
  const later = planRounds(passes, config.review.passes, { change, analysis, hasGuidelines });
  for (const pass of passes)
    if (!isOver(pass, task) && !wasStopped(notebook.entries())) await runPass(pass, task);
  await runRounds(later, task);
  const entries = notebook.entries();
  const all = [...passes, ...later];
  const spentUsd = await prepared.degradations.optional("cost", () => task.spending.spentUsd());
  return {
    parts: planned.length,
    findings: foundIn(notebook).map((finding) => withRound(finding, later)),
    disputes: disputesIn(notebook),
    answers: answersIn(notebook),
    passes: reportPasses(entries, all),
    overview: overviewOf(entries, later),
    gaps: gapsOfRounds(later, entries),
    cutOffUsd: findCutOffUsd(spentUsd ?? 0, entries),
    skimmed: triage.skimmed,
    byModel: new Map([
      ...mentionedOnly(prepared),
      ...skippedBy(triage),
      ...coverFiles(all, entries, hunksToRead),
    ]),
  };
}

function withoutPaths(passes: readonly ReviewPass[], left: ReadonlySet<string>): readonly ReviewPass[] {
  return passes
    .map((pass) => ({ ...pass, paths: pass.paths.filter((path) => !left.has(path)) }))
    .filter(({ paths }) => paths.length > 0);
}

function skippedBy({ skipped }: HunkTriage): readonly (readonly [string, ReceiptReason])[] {
  return [...skipped].map((path) => [path, "limit:triage"] as const);
}

/** Marks what only a later round found, because it is verified at any confidence. */
function withRound(finding: Finding, later: readonly LaterPass[]): Finding {
  const pass = later.find(({ name }) => name === finding.pass);
  return pass === undefined ? finding : { ...finding, round: pass.round.number };
}

/** The passes without files that no model reads: lock files, generated and skipped files, files without text. */
export function modelPassesOf(change: Change, { passes, byPath }: Analysis): readonly ReviewPass[] {
  const readable = new Set(
    change.files
      .filter(({ hunks, unreadable }) => unreadable === null && hunks.length > 0)
      .map(({ path }) => path),
  );
  const isRead = (path: string): boolean => {
    const facts = byPath.get(path);
    return facts !== undefined && facts.mark === null && !facts.isSkipped && readable.has(path);
  };
  return passes
    .map((pass) => ({ ...pass, paths: pass.paths.filter(isRead) }))
    .filter(({ paths }) => paths.length > 0);
}

/** Files with changed lines that the size of the change left out; a rename or an empty file has none to be read. */
function mentionedOnly({
  change,
  analysis,
  scope,
}: PreparedReview): readonly (readonly [string, ReceiptReason])[] {
  const isLeftOut = (path: string): boolean =>
    analysis.byPath.get(path)?.tier === "mentioned" && isFileUnread(path, scope);
  return change.files
    .filter(({ path, hunks }) => hunks.length > 0 && isLeftOut(path))
    .map(({ path }) => [path, "limit:large-change"] as const);
}
