/** Everything around a question or a request for edits, as values: the subject, what Kodiai knows about it, and what was said before. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Change } from "../../change/change.ts";
import type { CheckReport } from "../../context/check-report.ts";
import type { Guideline } from "../../context/context.ts";
import type { Learning } from "../../context/learning.ts";

export type ThreadComment = {
  readonly author: string;
  /** Kodiai wrote it. */
  readonly isOwn: boolean;
  readonly text: string;
};

/** A finding that was reported before, as the ledger has it. */
export type AskedFinding = {
  readonly number: number;
  readonly title: string;
  /** The reasoning, as it was reported; "" if it isn't known. */
  readonly body: string;
  readonly severity: string;
  readonly category: string;
  readonly rule: string | null;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly state: string;
  /** A person's word about it. */
  readonly verdict: { readonly by: string; readonly reason: string } | null;
  /** The verified replacement of its lines; null for none. */
  readonly suggestion: string | null;
};

/** The repository's own words for reviews and answers, from the base. */
export type Guidance = {
  readonly config: RepoConfig;
  readonly guidelines: readonly Guideline[];
  readonly learnings: readonly Learning[];
};

/** A pull request as its host and Kodiai's reviews know it. */
export type KnownPullRequest = {
  readonly headBranch: string;
  readonly baseBranch: string;
  /** The summary of the last review, in sentences; "" for none. */
  readonly summary: string;
  /** The heads that reviews have read, newest first. */
  readonly reviewedHeads: readonly string[];
  /** From the last reviewed head to the head. Null if that commit is gone, or was never reviewed. */
  readonly sinceReview: Change | null;
  /** All reported findings, by number. */
  readonly findings: readonly AskedFinding[];
  /** The checks of the head. */
  readonly checks: readonly CheckReport[];
  /** Parts that couldn't be read, such as "checks". */
  readonly missing: readonly string[];
};

export type Surroundings = {
  readonly subject: {
    readonly kind: "pull-request" | "issue" | "change";
    readonly title: string;
    readonly description: string;
  };
  /** Without files for an issue, and where nothing has changed. */
  readonly change: Change;
  /** Left out: none. */
  readonly guidance?: Guidance;
  /** Left out where there is no pull request. */
  readonly known?: KnownPullRequest;
  /** Comments before the question, oldest first. */
  readonly thread: readonly ThreadComment[];
  /** The lines that the thread is about, as the host shows them; null for none. */
  readonly hunk: { readonly path: string; readonly text: string } | null;
  /** The finding under discussion. */
  readonly finding: AskedFinding | null;
};
