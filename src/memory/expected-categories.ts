/** The categories of findings that a change suggests by its type and its risks. */
import type { Category } from "../base/severity.ts";
import type { Analysis, ConventionalType } from "../review/analysis/analysis.ts";

const BY_TYPE: Readonly<Partial<Record<ConventionalType, Category>>> = {
  docs: "documentation",
  style: "style",
  perf: "performance",
  test: "tests",
};

const BY_SIGNAL: Readonly<Partial<Record<string, Category>>> = {
  authentication: "security",
  credentials: "security",
  cryptography: "security",
  "raw-sql": "security",
  "code-execution": "security",
  deserialisation: "security",
  permissions: "security",
  "error-handling": "reliability",
  dependencies: "dependencies",
};

export function expectedCategories({
  intent,
  riskSignals,
}: Pick<Analysis, "intent" | "riskSignals">): readonly Category[] {
  const ofType = intent.type === null ? undefined : BY_TYPE[intent.type];
  const found = [ofType, ...riskSignals.map(({ id }) => BY_SIGNAL[id])];
  return [...new Set(found.filter((category) => category !== undefined))];
}
