/**
 * A review as a reader opens it again later: its verdict, findings with their code, receipt and failures, as plain data that JSON keeps.
 * It is bounded, because it is stored with each review. Texts in it come from repositories and models.
 */
import { maskSecrets } from "../../base/secrets/mask-secrets.ts";
import type { Severity } from "../../base/severity.ts";
import type { DropReason } from "../findings/finding.ts";
import type { Degradation, FrameLine, Publication, PublishedFinding, Verdict } from "./publication.ts";
import type { Coverage, ReceiptEntry } from "./receipt.ts";
import { describeGap } from "./words.ts";

export type ViewedFinding = {
  /** The finding's identity on its pull request. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly severity: Severity;
  readonly category: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly rule: string | null;
  readonly source: string;
  readonly frame: readonly FrameLine[];
  /** The verified replacement of its lines. */
  readonly suggestion: string | null;
  /** The verdict of a second reading, and its reason; null without one. */
  readonly verification: {
    readonly verdict: string;
    readonly because: string;
    readonly model: string;
  } | null;
};

export type ReviewView = {
  readonly outcome: Verdict["outcome"];
  readonly headline: string;
  readonly title: string;
  readonly findings: readonly ViewedFinding[];
  /** Findings beyond the limit of a view. */
  readonly moreFindings: number;
  /** Findings of earlier reviews that are answered, hidden or resolved. */
  readonly earlier: readonly {
    readonly title: string;
    readonly path: string;
    readonly severity: string;
    readonly state: string;
    readonly because: string;
  }[];
  readonly dropped: readonly { readonly title: string; readonly path: string; readonly reason: DropReason }[];
  readonly receipt: readonly Pick<ReceiptEntry, "path" | "status" | "reason" | "lines">[];
  /** Files beyond the limit of a view; coverage counts them. */
  readonly moreFiles: number;
  readonly coverage: Coverage;
  /** Checks that didn't run on all that they apply to, as sentences. */
  readonly gaps: readonly string[];
  readonly degradations: readonly Degradation[];
  readonly configOrigin: string;
  readonly configProblems: readonly string[];
  /** The values that a file sets. Missing in views of older versions, and of reviews outside the App. */
  readonly settings?: readonly ViewedSetting[];
};

/** `origin`: the file that sets it. */
export type ViewedSetting = { readonly key: string; readonly value: string; readonly origin: string };

export type ViewLimits = {
  readonly findings: number;
  readonly files: number;
  /** Of the lists of dropped findings and of those of earlier reviews. */
  readonly others: number;
};

/** A review publishes fewer findings in full, and a picture of more files shows no single one. */
const STORED: ViewLimits = { findings: 100, files: 1_000, others: 50 };

/** Of one text. */
const MAX_TEXT_CHARS = 4_000;

/** Longer lines are generated. */
const MAX_LINE_CHARS = 400;

/** A hostile file can set thousands. */
const MAX_SETTINGS = 300;

/** A list of a hundred globs isn't worth a screen. */
const MAX_SETTING_CHARS = 400;

/** A secret that an author has put into the configuration isn't stored once more. */
export function viewSettings(settings: readonly ViewedSetting[]): readonly ViewedSetting[] {
  const shown = (text: string): string => {
    const masked = maskSecrets(text);
    return masked.length > MAX_SETTING_CHARS ? `${masked.slice(0, MAX_SETTING_CHARS)} …` : masked;
  };
  return settings
    .slice(0, MAX_SETTINGS)
    .map(({ key, value, origin }) => ({ key: shown(key), value: shown(value), origin: shown(origin) }));
}

/** New findings first, then those of earlier reviews that are still there. */
export function viewReview(publication: Publication, limits: ViewLimits = STORED): ReviewView {
  const { verdict, change, receipt, details, degradations, dropped } = publication;
  const findings = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
  return {
    outcome: verdict.outcome,
    headline: verdict.headline,
    title: change.title,
    findings: findings.slice(0, limits.findings).map(viewFinding),
    moreFindings: Math.max(0, findings.length - limits.findings),
    earlier: viewEarlier(publication).slice(0, limits.others),
    dropped: dropped.slice(0, limits.others).map(({ finding, anchor, reason }) => ({
      title: cut(finding.title),
      path: anchor?.path ?? finding.path,
      reason,
    })),
    receipt: receipt.entries
      .slice(0, limits.files)
      .map(({ path, status, reason, lines }) => ({ path, status, reason, lines })),
    moreFiles: Math.max(0, receipt.entries.length - limits.files),
    coverage: receipt.coverage,
    gaps: receipt.gaps.map(describeGap),
    degradations,
    configOrigin: details.configOrigin,
    configProblems: details.configProblems.map(cut),
  };
}

function viewEarlier({ answered, hidden, resolved }: Publication): ReviewView["earlier"] {
  return [...answered.map(({ prior, state }) => ({ prior, state, because: "" })), ...hidden, ...resolved].map(
    ({ prior, state, because }) => ({
      title: cut(prior.title),
      path: prior.path,
      severity: prior.severity,
      state,
      because: cut(because),
    }),
  );
}

function viewFinding({
  id,
  number,
  finding,
  anchor,
  severity,
  frame,
  suggestion,
}: PublishedFinding): ViewedFinding {
  const { verification } = finding;
  return {
    id,
    number,
    title: finding.title,
    body: cut(finding.body),
    severity,
    category: finding.category,
    path: anchor?.path ?? finding.path,
    startLine: anchor?.startLine ?? null,
    endLine: anchor?.endLine ?? null,
    rule: finding.rule,
    source: finding.source,
    // The code of a secret never leaves the review.
    frame:
      finding.isSecret === true
        ? []
        : frame.map((line) => ({ ...line, text: line.text.slice(0, MAX_LINE_CHARS) })),
    suggestion: suggestion.kind === "verified" ? cut(suggestion.replacement) : null,
    verification:
      verification === undefined
        ? null
        : {
            verdict: verification.verdict,
            because: verification.verdict === "failed" ? "" : cut(verification.because),
            model: verification.model,
          },
  };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}…`;
}
