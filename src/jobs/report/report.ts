/** A report for operators: what reviews found, what people thought of it, and what it cost, since a time. */
import type { Severity } from "../../base/severity.ts";

/** A middle and a slow value; null without any values. */
export type Spread = { readonly median: number; readonly p95: number } | null;

/** Figures of days that can be added up. */
export type DayFigures = {
  readonly reviews: {
    readonly completed: number;
    /** Published, but something was left unread. */
    readonly partial: number;
    readonly failed: number;
    readonly skipped: number;
    /** Replaced by a newer head before they were published. */
    readonly superseded: number;
  };
  /** Answers to mentions that read code or used a model. */
  readonly answers: number;
  readonly findings: {
    /** All that reviewers reported, also those that weren't shown. */
    readonly found: number;
    /** Shown on a line or in the summary. */
    readonly reported: number;
    readonly bySeverity: Readonly<Record<Severity, number>>;
  };
  /** Outcomes of remembered findings. */
  readonly outcomes: {
    readonly accepted: number;
    readonly dismissed: number;
    readonly ignored: number;
    readonly open: number;
    /** Accepted ones among those that were accepted or dismissed; null without any. */
    readonly acceptance: number | null;
  };
  /** From the start of a review to its publication. */
  readonly reviewMs: Spread;
};

/** The figures that every page needs. */
export type SummaryFigures = DayFigures & {
  readonly models: ModelTotals;
  readonly degradations: number;
};

export type ReportFigures = SummaryFigures & {
  /** Of the reported findings: what became of them, by what was known when they were reported. */
  readonly reported: FindingFigures;
  readonly retrieval: {
    readonly searches: number;
    readonly failed: number;
    /** Searches that showed the model at least one finding. */
    readonly withResults: number;
    readonly shown: number;
    /** Shares of the shown findings; null without any. */
    readonly sameLanguage: number | null;
    readonly recurred: number | null;
    readonly distance: Spread;
    readonly ms: Spread;
  };
};

export type OutcomeFigures = {
  readonly accepted: number;
  readonly dismissed: number;
  readonly ignored: number;
  readonly open: number;
  /** No memory is kept of them. */
  readonly unknown: number;
  /** Accepted ones among those that were accepted or dismissed; null without any. */
  readonly acceptance: number | null;
};

export type FindingFigures = {
  /** By band, such as "0.8 to <0.9". Findings whose confidence isn't stored are "unknown". */
  readonly byConfidence: Readonly<Record<string, OutcomeFigures>>;
  /** "rule", "linter", "model", "sarif" or "dependency". */
  readonly bySource: Readonly<Record<string, OutcomeFigures>>;
  readonly byCategory: Readonly<Record<string, OutcomeFigures>>;
  /** Of the second reading: "confirmed", "refuted", "unsure", "failed", "not checked" or "unknown". */
  readonly byVerdict: Readonly<Record<string, OutcomeFigures>>;
  /** Of the review: "strict", "balanced", "lenient" or "unknown". */
  readonly byMode: Readonly<Record<string, OutcomeFigures>>;
  /** Findings of pull requests that are known to be merged, by their state at the last review before. */
  readonly atMerge: {
    readonly merged: number;
    /** The code was changed, and a review that looked again no longer found the problem. */
    readonly resolved: number;
    /** The code was changed, and no review has looked again. */
    readonly changed: number;
    /** A person, a comment in the code or the configuration declined them. */
    readonly declined: number;
    readonly unchanged: number;
    /** Their code left the change. */
    readonly removed: number;
    /** The resolved ones among all of them; null without any. */
    readonly resolution: number | null;
  };
  /** A setting that is worth a try; null when the figures show none. */
  readonly advice: SettingAdvice | null;
};

/** A line of `.kodiai.yml`, and what it would have hidden. */
export type SettingAdvice = {
  readonly setting: string;
  readonly dismissed: number;
  readonly accepted: number;
};

export type ModelTotals = {
  readonly attempts: number;
  /** Cached input included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Of the attempts whose price is known. */
  readonly costUsd: number;
  /** Attempts without a known price, which `costUsd` leaves out. */
  readonly unpricedAttempts: number;
};

/** A report without details. */
export type ReportSummary = ReportOf<SummaryFigures>;

export type Report = ReportOf<ReportFigures> & { readonly version: 1 };

type ReportOf<Figures> = {
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
  /** Null for all. */
  readonly repository: string | null;
  readonly total: Figures;
  readonly repositories: readonly (Figures & { readonly repository: string })[];
  readonly models: readonly (ModelTotals & { readonly model: string })[];
  readonly degradations: readonly { readonly what: string; readonly times: number }[];
};
