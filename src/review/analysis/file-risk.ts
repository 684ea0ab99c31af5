/**
 * The cost of a mistake in a file, as one number for ranking: five shares between 0 and 1, weighted by
 * `largePR.riskWeights`. It never decides whether a file is read; triage.ts does.
 */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { FileCategory, FileMark } from "./analysis.ts";
import { isProgramming } from "../../languages/language-of.ts";
import { pathSignals, type PathSignalId } from "./path-signals.ts";

export type RiskWeights = RepoConfig["largePR"]["riskWeights"];

export type RiskFacts = {
  readonly path: string;
  readonly category: FileCategory;
  readonly language: string;
  readonly mark: FileMark | null;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Git's mode at the head; null when there is none. */
  readonly newMode: string | null;
};

/** A thousand changed lines in one file have the highest risk; below, the scale is logarithmic. */
const MAX_RISK_LINES = 1_000;
const EXECUTABLE_MODE = "100755";

/** A path without signals. Tests and prose, which raise none, differ by category. */
const PLAIN_PATH = 0.2;
const PATH_SHARES: Readonly<Record<PathSignalId, number>> = {
  authentication: 1,
  credentials: 1,
  cryptography: 1,
  database: 0.9,
  infrastructure: 0.7,
  dependencies: 0.6,
};

const CATEGORY_SHARES: Readonly<Record<FileCategory, number>> = {
  source: 1,
  infra: 0.8,
  config: 0.5,
  test: 0.3,
  docs: 0.1,
};

const OTHER_CODE = 0.6;
const DATA = 0.2;
/** Highest where a mistake corrupts memory or becomes an injection, lower where a compiler catches it. */
const LANGUAGE_SHARES: ReadonlyMap<string, number> = new Map([
  ...["c", "cpp", "objective-c", "assembly", "cuda", "solidity"].map((id) => [id, 1] as const),
  ...["php", "sql", "bash", "perl", "powershell"].map((id) => [id, 0.9] as const),
  ...["javascript", "python", "ruby", "lua", "groovy"].map((id) => [id, 0.8] as const),
  ...["typescript", "tsx", "java", "go", "csharp", "vue", "svelte"].map((id) => [id, 0.7] as const),
]);

/** 0 to 100 with one decimal. Marked files are 0, so they rank last. With all weights at 0, every file is 0. */
export function riskOf(facts: RiskFacts, weights: RiskWeights): number {
  if (facts.mark !== null) return 0;
  const total = weights.lines + weights.path + weights.category + weights.language + weights.executable;
  if (total <= 0) return 0;
  const weighted =
    weights.lines * linesShare(facts.addedLines + facts.removedLines) +
    weights.path * pathShare(facts) +
    weights.category * CATEGORY_SHARES[facts.category] +
    weights.language * languageShare(facts.language) +
    weights.executable * executableShare(facts);
  return Math.round(Math.min(1, weighted / total) * 1_000) / 10;
}

function linesShare(lines: number): number {
  return Math.min(1, Math.log1p(lines) / Math.log1p(MAX_RISK_LINES));
}

function pathShare(facts: RiskFacts): number {
  return Math.max(PLAIN_PATH, ...pathSignals(facts).map((id) => PATH_SHARES[id]));
}

function languageShare(language: string): number {
  return LANGUAGE_SHARES.get(language) ?? (isProgramming(language) ? OTHER_CODE : DATA);
}

/** Tests run too, but not in production; prose doesn't run. */
function executableShare(facts: RiskFacts): number {
  if (facts.category === "docs") return 0;
  if (facts.newMode !== EXECUTABLE_MODE && !isProgramming(facts.language)) return 0;
  return facts.category === "test" ? 0.5 : 1;
}
