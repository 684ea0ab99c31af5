/**
 * The outcomes of reported findings, by what was known about them when they were reported, and a setting that would have hidden mostly
 * dismissed ones. Pure.
 */
import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { CATEGORIES, isAtLeast, type Severity } from "../../base/severity.ts";
import type { ReportedFindingRow } from "../../store/repositories/report.ts";
import type { FindingFigures, OutcomeFigures, SettingAdvice } from "./report.ts";

/** Lowest confidence of each band, highest first. They follow the settings that people use: `verifyBelow` is 0.8. */
const BANDS = [0.9, 0.8, 0.7, 0.6, 0.5, 0] as const;

/** Of older versions, or of a repository whose memory is off. */
const UNKNOWN = "unknown";

/** Fewer may be one person's taste, or one file. */
const MIN_DISMISSED = 10;

/** A hidden finding that would have been accepted costs more than one that is dismissed. */
const MIN_DISMISSED_PER_ACCEPTED = 5;

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  floor: "rule",
  analyser: "linter",
  sarif: "sarif",
  model: "model",
  bump: "dependency",
};

const StoredSources = z.array(
  z.object({ confidence: z.number(), verification: z.object({ verdict: z.string() }).optional() }),
);

/** One reported finding. */
export type ReportedOutcome = {
  readonly outcome: "accepted" | "dismissed" | "ignored" | "open" | "unknown";
  readonly confidence: number | null;
  readonly source: string;
  readonly category: string;
  readonly verdict: string;
  readonly mode: string;
  readonly severity: Severity;
  readonly state: string;
  readonly isMerged: boolean;
};

export function toKnownFinding(row: ReportedFindingRow): ReportedOutcome {
  const parsed = StoredSources.safeParse(row.sources === null ? null : parseJson(row.sources));
  const sources = parsed.success ? parsed.data : [];
  const verdicts = sources.flatMap(({ verification }) => verification?.verdict ?? []);
  return {
    outcome: row.outcome ?? UNKNOWN,
    // As judging merges them: the most confident report counts.
    confidence: sources.length === 0 ? null : Math.max(...sources.map(({ confidence }) => confidence)),
    source: SOURCE_NAMES[row.source] ?? row.source,
    category: row.category,
    verdict: sources.length === 0 ? UNKNOWN : (verdicts[0] ?? "not checked"),
    mode: row.mode ?? UNKNOWN,
    severity: row.severity,
    state: row.state,
    isMerged: row.merged_at !== null,
  };
}

export function findingFiguresOf(findings: readonly ReportedOutcome[]): FindingFigures {
  const by = (keyOf: (finding: ReportedOutcome) => string) => outcomesBy(findings, keyOf);
  return {
    byConfidence: by(({ confidence }) => bandOf(confidence)),
    bySource: by(({ source }) => source),
    byCategory: by(({ category }) => category),
    byVerdict: by(({ verdict }) => verdict),
    byMode: by(({ mode }) => mode),
    atMerge: atMergeOf(findings),
    advice: settingsWorthATry(findings)[0] ?? null,
  };
}

function bandOf(confidence: number | null): string {
  if (confidence === null) return UNKNOWN;
  const index = BANDS.findIndex((lowest) => confidence >= lowest);
  const above = BANDS[index - 1];
  return `${(BANDS[index] ?? 0).toFixed(1)} to ${above === undefined ? "1.0" : `<${above.toFixed(1)}`}`;
}

/** In the order of the names, except that bands come highest first and unknown last. */
function outcomesBy(
  findings: readonly ReportedOutcome[],
  keyOf: (finding: ReportedOutcome) => string,
): Readonly<Record<string, OutcomeFigures>> {
  const isNumber = (key: string): boolean => /^\d/.test(key);
  const groups = [...Map.groupBy(findings, keyOf)].toSorted(([a], [b]) => {
    if (a === UNKNOWN || b === UNKNOWN) return a === UNKNOWN ? 1 : -1;
    return (a < b ? -1 : 1) * (isNumber(a) && isNumber(b) ? -1 : 1);
  });
  return Object.fromEntries(groups.map(([key, own]) => [key, outcomesOf(own)]));
}

function outcomesOf(findings: readonly ReportedOutcome[]): OutcomeFigures {
  const of = (outcome: ReportedOutcome["outcome"]): number =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const [accepted, dismissed] = [of("accepted"), of("dismissed")];
  const decided = accepted + dismissed;
  return {
    accepted,
    dismissed,
    ignored: of("ignored"),
    open: of("open"),
    unknown: of("unknown"),
    acceptance: decided === 0 ? null : accepted / decided,
  };
}

/** Only findings whose pull request is known to be merged. */
function atMergeOf(findings: readonly ReportedOutcome[]): FindingFigures["atMerge"] {
  const merged = findings.filter(({ isMerged }) => isMerged);
  const inState = (...states: readonly string[]): number =>
    merged.filter(({ state }) => states.includes(state)).length;
  const resolved = inState("verified");
  return {
    merged: merged.length,
    resolved,
    changed: inState("addressed"),
    declined: inState("contested", "waived", "ignored", "suppressed"),
    unchanged: inState("open"),
    removed: inState("expired"),
    resolution: merged.length === 0 ? null : resolved / merged.length,
  };
}

/**
 * The settings that would have hidden at least ten dismissed findings, at least five for each accepted one, and nothing accepted that is
 * critical or must be fixed. The one that would have hidden the most comes first.
 */
export function settingsWorthATry(findings: readonly ReportedOutcome[]): readonly SettingAdvice[] {
  const hiding = [
    ...THRESHOLDS.map((least) => ({
      setting: `review.minConfidence: ${least}`,
      hides: ({ confidence }: ReportedOutcome) => confidence !== null && confidence < least,
    })),
    ...CATEGORIES.map((category) => ({
      setting: `review.patterns.ignore: [${category}]`,
      hides: (finding: ReportedOutcome) => finding.category === category,
    })),
  ];
  const worth = hiding.flatMap(({ setting, hides }): readonly SettingAdvice[] => {
    const hidden = findings.filter(hides);
    const accepted = hidden.filter(({ outcome }) => outcome === "accepted");
    const dismissed = hidden.filter(({ outcome }) => outcome === "dismissed").length;
    const isEnough = dismissed >= Math.max(MIN_DISMISSED, MIN_DISMISSED_PER_ACCEPTED * accepted.length);
    if (!isEnough || accepted.some(({ severity }) => isAtLeast(severity, "must-fix"))) return [];
    return [{ setting, dismissed, accepted: accepted.length }];
  });
  const valueOf = ({ dismissed, accepted }: SettingAdvice): number =>
    dismissed - MIN_DISMISSED_PER_ACCEPTED * accepted;
  // Sorting is stable, so that the lowest of equal thresholds comes first.
  return worth.toSorted((a, b) => valueOf(b) - valueOf(a));
}
