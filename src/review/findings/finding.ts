/**
 * A finding: one thing a reviewer says about the change. This file only holds the shapes; where a finding stands
 * is decided by anchor-finding.ts, whether two are the same by identify-findings.ts, whether it is told by
 * judge-findings.ts.
 */
import * as z from "zod";
import { CATEGORIES, SEVERITIES, type Severity } from "../../base/severity.ts";

export const FindingSource = z.enum(["floor", "model", "bump"]);
export type FindingSource = z.infer<typeof FindingSource>;

/** What a reviewer (rule or model) says, before we have checked any of it. */
export const Finding = z
  .object({
    title: z.string(),
    /** What it is, why it matters, what happens if it stays. Markdown, one to four sentences. */
    body: z.string(),
    severity: z.enum(SEVERITIES),
    category: z.enum(CATEGORIES),
    /** Path at the head of the change (at the base for a deleted file). */
    path: z.string(),
    /** The exact line or lines it is about, newline-separated. Empty for a finding about the file as a whole. */
    quote: z.string(),
    /** Where the reviewer believes the quote stands. Only a tie-breaker: the anchor comes from the quote. */
    lineHint: z.number().nullable(),
    /** "old" when the quote is of removed code. */
    sideHint: z.enum(["new", "old"]),
    /** Replacement for exactly the quoted lines. Told as code only after verify-suggestion.ts accepted it. */
    suggestion: z.string().nullable(),
    /** 0 to 1. */
    confidence: z.number(),
    evidence: z.array(z.string()).readonly(),
    source: FindingSource,
    /** Id of the floor rule, or null for a model's finding. */
    rule: z.string().nullable(),
    /** Which pass over the change recorded it; "floor" for the deterministic one. */
    pass: z.string(),
    /** The reason a comment in the code gives for ignoring it; null when none does. */
    ignoredBecause: z.string().nullable(),
  })
  .readonly();
export type Finding = z.infer<typeof Finding>;

/** A place in the change, resolved by us from the quote. Lines are 1-based and inclusive. */
export type Anchor = {
  readonly path: string;
  readonly side: "new" | "old";
  readonly startLine: number;
  readonly endLine: number;
  /** The code that stands there, without line ends. */
  readonly lines: readonly string[];
  readonly method: "exact" | "whitespace" | "fuzzy";
  /** True when at least one line of the range was added or removed by the change. */
  readonly isChanged: boolean;
};

/** Why a finding was not told. `group:detail`, one union for the whole program. */
export type DropReason =
  | "dropped:not-in-change"
  | "dropped:duplicate"
  | "dropped:already-told"
  | "dropped:below-confidence"
  | "dropped:too-many"
  | "suppressed:config"
  | "suppressed:in-code"
  | "suppressed:feedback"
  | "filtered:tooling"
  | "filtered:category"
  | "filtered:abbreviated-file"
  | "filtered:below-mode";

export type SuggestionVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "verified"; readonly replacement: string }
  | { readonly kind: "prose"; readonly reason: string; readonly text: string };

/** A finding with its place, its identity, and what judging made of it. */
export type JudgedFinding = {
  readonly id: string;
  readonly finding: Finding;
  readonly anchor: Anchor | null;
  /** The severity after judging; `finding.severity` is what the reviewer said. */
  readonly severity: Severity;
  readonly suggestion: SuggestionVerdict;
  /** Where it is told: on its line, in the summary ("could not be placed"), or in the details ("more findings"). */
  readonly placement: "inline" | "summary" | "details";
  /** 0 to 1; the order within the same severity. */
  readonly priority: number;
  /** What rules did to it, in order, as sentences for the details. */
  readonly notes: readonly string[];
};

export type DroppedFinding = {
  readonly id: string;
  readonly finding: Finding;
  readonly anchor: Anchor | null;
  readonly severity: Severity;
  readonly reason: DropReason;
  /** One sentence more than the reason: which pattern, which mode, which comment. */
  readonly detail: string;
};
