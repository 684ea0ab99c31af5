/** The deterministic analysis of a change: a table of contents, one line per field. It reads nothing but its arguments. */
import type { ConfigTree } from "../../config/repo-config/repo-config.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Change } from "../change/change.ts";
import { analyseFiles } from "./analyse-files.ts";
import type { Analysis } from "./analysis.ts";
import { authorTier, type AuthorFacts } from "./author-tier.ts";
import { parseIntent, type TagTrust } from "./intent.ts";
import type { FileAttributes } from "./marks.ts";
import { effectiveMode } from "./mode.ts";
import { planPasses } from "./passes.ts";
import { findRiskSignals } from "./risk-signals.ts";
import { measureScale } from "./scale.ts";
import { timeBudgetSeconds } from "./time-budget.ts";
import { countReviewable } from "./triage.ts";

/** What surrounds a change. Configuration and attributes are those of the base. */
export type AnalysisSituation = {
  readonly config: ConfigTree;
  /** By path; a path without attributes may be left out. */
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  readonly author: AuthorFacts;
  readonly isDependencyBump: boolean;
  /** A person asked for this review by hand: a [no-review] tag does not stop it. */
  readonly isExplicit: boolean;
  /** Whose tags may make the review say less: those of people with write access. */
  readonly tags: TagTrust;
};

export function analyseChange(change: Change, situation: AnalysisSituation): Analysis {
  const { root } = situation.config;
  const files = analyseFiles(change.files, situation);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const { tags } = situation;
  const said = parseIntent(change, { tags, noReview: noReviewTrust(root.values.review, tags) });
  const intent = situation.isExplicit ? { ...said, skipReview: false } : said;
  const scale = measureScale(change, files);
  const budgetSeconds = timeBudgetSeconds({
    baseSeconds: root.values.timeoutSeconds,
    isDependencyBump: situation.isDependencyBump,
    files: scale.files,
    lines: scale.addedLines + scale.removedLines,
    isLarge: scale.isLarge || scale.isTriaged,
  });
  const reviewableFiles = countReviewable(change.files, byPath);
  // Looked for when somebody asks: every added line is searched, and what is printed on a terminal doesn't show them.
  let riskSignals: Analysis["riskSignals"] | null = null;
  return {
    files,
    byPath,
    intent,
    skippedBecause: intent.skipReview ? describeSkip(change) : null,
    mode: effectiveMode(intent, root, scale),
    scale,
    get riskSignals() {
      return (riskSignals ??= findRiskSignals(change, files));
    },
    authorTier: authorTier(situation.author),
    timeBudgetSeconds: budgetSeconds,
    passes: planPasses({ files, reviewableFiles, budgetSeconds }, root.values.review.chunked),
  };
}

/** The base decides who may switch the review off; by default whoever may relax it. */
function noReviewTrust({ allowNoReview }: RepoConfig["review"], tags: TagTrust): TagTrust {
  if (allowNoReview === "everyone") return "all";
  return allowNoReview === "nobody" ? "none" : tags;
}

function describeSkip(change: Pick<Change, "title">): string {
  const isInTitle = change.title.toLowerCase().includes("[no-review]");
  return `[no-review] in ${isInTitle ? "the title" : "a commit subject"}`;
}
