/** The five severities and nine categories, and their order. No other module ranks severities. */

/** Most severe first. */
export const SEVERITIES = ["critical", "must-fix", "major", "medium", "minor"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CATEGORIES = [
  "security",
  "correctness",
  "performance",
  "reliability",
  "maintainability",
  "style",
  "documentation",
  "dependencies",
  "tests",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** 0 for critical … 4 for minor. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** True when `severity` is at least as severe as `level`. */
export function isAtLeast(severity: Severity, level: Severity): boolean {
  return severityRank(severity) <= severityRank(level);
}

/** This many levels less severe, at least "minor". */
export function lowerSeverity(severity: Severity, steps: number): Severity {
  return SEVERITIES[severityRank(severity) + steps] ?? "minor";
}

export function mostSevere(severities: Iterable<Severity>): Severity | null {
  let found: Severity | null = null;
  for (const severity of severities) {
    if (found === null || severityRank(severity) < severityRank(found)) found = severity;
  }
  return found;
}

export const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  critical: "Critical",
  "must-fix": "Must fix",
  major: "Major",
  medium: "Medium",
  minor: "Minor",
};
