/** The deterministic analysis of a change, one line per field. It reads only its arguments. */
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

/** The context of a change. Configuration and attributes come from the base. */
export type AnalysisSituation = {
  readonly config: ConfigTree;
  /** By path. Paths without attributes may be omitted. */
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  readonly author: AuthorFacts;
  readonly isDependencyBump: boolean;
  /** A person requested this review, so a [no-review] tag doesn't stop it. */
  readonly isExplicit: boolean;
  /** Whether earlier reviews have read all of a file. Omitted: none has. */
  readonly isReadBefore?: (path: string) => boolean;
  /** Whose tags can relax the review: those of people with write access. */
  readonly tags: TagTrust;
};

export function analyseChange(change: Change, situation: AnalysisSituation): Analysis {
  const { root } = situation.config;
  const { isReadBefore = () => false } = situation;
  const files = analyseFiles(change.files, situation);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const { tags } = situation;
  const said = parseIntent(change, { tags, noReview: noReviewTrust(root.values.review, tags) });
  const intent = situation.isExplicit ? { ...said, skipReview: false } : said;
  const scale = measureScale(change, files, isReadBefore);
  const budgetSeconds = timeBudgetSeconds({
    baseSeconds: root.values.timeoutSeconds,
    isDependencyBump: situation.isDependencyBump,
    files: scale.files,
    lines: scale.addedLines + scale.removedLines,
    isLarge: scale.isLarge || scale.isTriaged,
  });
  const unread = change.files.filter(({ path }) => !isReadBefore(path));
  const reviewableFiles = countReviewable(unread, byPath);
  // Computed on demand: it searches every added line, and the terminal output doesn't show them.
  let riskSignals: Analysis["riskSignals"] | null = null;
  return {
    files,
    byPath,
    intent,
    skippedBecause: intent.skipReview ? "[no-review] in the title" : null,
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

/** The base's configuration decides who can disable the review; by default, the people who can relax it. */
function noReviewTrust({ allowNoReview }: RepoConfig["review"], tags: TagTrust): TagTrust {
  if (allowNoReview === "everyone") return "all";
  return allowNoReview === "nobody" ? "none" : tags;
}
