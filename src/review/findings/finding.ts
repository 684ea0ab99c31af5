/**
 * A finding: one thing that a reviewer reports about the change. This file only holds the types. anchor-finding.ts finds
 * the place of a finding, identify-findings.ts decides whether two are the same, and judge-findings.ts whether it is
 * reported.
 */
import * as z from "zod";
import { FINDING_SOURCES } from "../context/finding-sources.ts";
import { Verification } from "../context/verification.ts";
import { type PriorFinding, SeenPlace } from "../context/prior-review.ts";
import { PROOFS } from "../context/proof.ts";
import type { FeedbackRuling } from "../context/feedback-ruling.ts";
import { CATEGORIES, SEVERITIES, type Severity } from "../../base/severity.ts";

/** A model says that the finding of a rule is wrong, and names a line that it has read. That alone changes nothing. */
export const Dispute = z
  .object({
    because: z.string(),
    evidence: z.object({ path: z.string(), line: z.int().min(1) }).readonly(),
  })
  .readonly();
export type Dispute = z.infer<typeof Dispute>;

export const FindingSource = z.enum(FINDING_SOURCES);
export type FindingSource = z.infer<typeof FindingSource>;

/** A finding as a reviewer (rule or model) reports it, before any of it is checked. */
export const Finding = z
  .object({
    title: z.string(),
    /** The problem, why it matters, and what happens if it stays. Markdown, one to four sentences. */
    body: z.string(),
    severity: z.enum(SEVERITIES),
    category: z.enum(CATEGORIES),
    /** Path at the head of the change (at the base for a deleted file). */
    path: z.string(),
    /** The exact line or lines it is about, newline-separated. Empty for a finding about the whole file. */
    quote: z.string(),
    /** The line number that the reviewer gives. Only a tie-breaker: the anchor comes from the quote. */
    lineHint: z.number().nullable(),
    /** "old" when the quote is of removed code. */
    sideHint: z.enum(["new", "old"]),
    /** Replacement for exactly the quoted lines. Shown as code only after verify-suggestion.ts accepted it. */
    suggestion: z.string().nullable(),
    /** 0 to 1. */
    confidence: z.number(),
    evidence: z.array(z.string()).readonly(),
    source: FindingSource,
    /** Id of the built-in rule, `tool/rule` for an analyser and SARIF, or null for a model's finding. */
    rule: z.string().nullable(),
    /** The pass that recorded it; "floor" for the built-in rules. */
    pass: z.string(),
    /** The later round of `review.passes` that found it; omitted for the first. */
    round: z.union([z.literal(2), z.literal(3)]).exactOptional(),
    /** The reason that a comment in the code, or another tool, gives for ignoring it; null without one. */
    ignoredBecause: z.string().nullable(),
    /** The proof that the finding of a rule shows by itself; left out when it shows nothing. */
    proof: z.enum(PROOFS).exactOptional(),
    /** True when another tool points at a secret: no output shows the code. */
    isSecret: z.boolean().exactOptional(),
    /** True when the reviewer also finds it in the file before the change, or a model says so. */
    isExisting: z.boolean().exactOptional(),
    /** Path of a file with new code that causes it, when its own code was read before. */
    causedBy: z.string().exactOptional(),
    /** Left out when no one tried to refute it. */
    verification: Verification.exactOptional(),
    /**
     * Code outside the lines of the change that shows it, such as a call that a changed declaration breaks. A finding about such code
     * alone has its own place here, or no place at all when its quote wasn't found.
     */
    seenAt: z.array(SeenPlace).readonly().exactOptional(),
    /** Why the model that recorded it took it back. Left out when it didn't. */
    withdrawnBecause: z.string().exactOptional(),
    /** Of a rule or a linter; left out when no model disputes it. */
    disputed: Dispute.exactOptional(),
  })
  .readonly();
export type Finding = z.infer<typeof Finding>;

/** A place in the change, resolved from the quote. Lines are 1-based and inclusive. */
export type Anchor = {
  readonly path: string;
  readonly side: "new" | "old";
  readonly startLine: number;
  readonly endLine: number;
  /** The code on these lines, without line endings. */
  readonly lines: readonly string[];
  readonly method: "exact" | "whitespace" | "fuzzy";
  /** True when at least one line of the range was added or removed by the change. */
  readonly isChanged: boolean;
};

/** Why a finding isn't reported. `group:detail`, one union for the whole program. */
export type DropReason =
  | "dropped:not-in-change"
  | "dropped:withdrawn"
  | "dropped:duplicate"
  | "dropped:was-there-before"
  | "dropped:unchanged-code"
  | "dropped:below-confidence"
  | "dropped:too-many"
  | "suppressed:config"
  | "suppressed:in-code"
  | "suppressed:feedback"
  | "filtered:tooling"
  | "filtered:category"
  | "filtered:below-mode";

export type SuggestionVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "verified"; readonly replacement: string }
  | { readonly kind: "prose"; readonly reason: string; readonly text: string };

/** Another place of the same problem in the same file, which the finding names instead of a finding of its own. */
export type OtherPlace = { readonly id: string; readonly startLine: number; readonly endLine: number };

/** A finding with its place, its identity, and what judging made of it. */
export type JudgedFinding = {
  readonly id: string;
  readonly finding: Finding;
  readonly anchor: Anchor | null;
  /** The severity after judging; `finding.severity` is the reviewer's. */
  readonly severity: Severity;
  readonly suggestion: SuggestionVerdict;
  /** Where it is shown: on its line, in the summary ("couldn't be placed"), or in the details ("more findings"). */
  readonly placement: "inline" | "summary" | "details";
  /** 0 to 1; the order within the same severity. */
  readonly priority: number;
  /** Changes made by judging rules, in order, as texts for the details. */
  readonly notes: readonly string[];
  /** Omitted: none. */
  readonly others?: readonly OtherPlace[];
  /** The reports that were merged into it, its own first. Omitted: only its own. */
  readonly sources?: readonly Finding[];
  /** The feedback that lowered it, moved it off its line or gave it a note. Omitted: none. */
  readonly taught?: FeedbackRuling;
  /** The finding of an earlier review that is back after it was resolved. Omitted: none. */
  readonly reopens?: PriorFinding;
};

export type DroppedFinding = {
  readonly id: string;
  readonly finding: Finding;
  readonly anchor: Anchor | null;
  readonly severity: Severity;
  readonly reason: DropReason;
  /** More about the reason: the pattern, the mode or the comment. */
  readonly detail: string;
};
