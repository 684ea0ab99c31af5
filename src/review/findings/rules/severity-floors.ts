/**
 * Minimum severities for kinds of mistakes whose cost is known. They only raise severities. The built-in ones apply to a
 * model's findings: rules, analysers and other tools have severities of their own, which a repository may have lowered.
 */
import { isAtLeast, type Severity } from "../../../base/severity.ts";
import { type JudgingRule, KEEP } from "./rule.ts";

type SeverityFloor = {
  /** Tested on the title. */
  readonly matches: (text: string) => boolean;
  /** Empty: any language. */
  readonly languages: readonly string[];
  readonly severity: Severity;
  readonly inTests: boolean;
};

const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const BUILT_IN: readonly SeverityFloor[] = [
  {
    matches: matching(/\bsql injection\b/i),
    languages: [],
    severity: "critical",
    inTests: true,
  },
  {
    matches: matching(
      /\bnull(?:ptr)?(?: pointer)? dereference\b|\bdereferenc\w* (?:a )?null\b|\bbuffer (?:overflow|overrun)\b/i,
    ),
    languages: ["c", "cpp"],
    severity: "critical",
    inTests: false,
  },
  {
    matches: matching(
      /\b(?:unchecked|ignored|unhandled|discarded)(?: go)? error\b|\berror (?:is )?(?:not checked|ignored)\b/i,
    ),
    languages: ["go"],
    severity: "major",
    inTests: false,
  },
  { matches: matching(/\bbare except\b/i), languages: ["python"], severity: "major", inTests: false },
  {
    matches: matching(/\b(?:floating|unawaited|unhandled) promise\b|\bpromise (?:is )?not awaited\b/i),
    languages: ["typescript", "tsx", "javascript"],
    severity: "major",
    inTests: false,
  },
  {
    matches: matching(/\bunwrap\b.*\bpanic|\bpanic\w*\b.*\bunwrap\b/i),
    languages: ["rust"],
    severity: "major",
    inTests: false,
  },
  {
    matches: matching(
      /\b(?:unclosed|leaked) (?:resource|stream|connection|file)\b|\b(?:resource|stream|connection) (?:is )?(?:leak|never closed|not closed)/i,
    ),
    languages: ["java"],
    severity: "major",
    inTests: false,
  },
];

export const severityFloors: JudgingRule = ({ finding, facts, severity }, { config }) => {
  const fromConfig: readonly SeverityFloor[] = config
    .forPath(finding.path)
    .values.languageRules.severityFloors.map(({ match, ...rest }) => ({
      ...rest,
      matches: (title) => title.toLowerCase().includes(match.toLowerCase()) || finding.rule === match,
    }));
  for (const floor of [...(finding.source === "model" ? BUILT_IN : []), ...fromConfig]) {
    if (isAtLeast(severity, floor.severity)) continue;
    if (facts?.category === "test" && !floor.inTests) continue;
    if (floor.languages.length > 0 && !floor.languages.includes(facts?.language ?? "unknown")) continue;
    if (!floor.matches(finding.title)) continue;
    return {
      kind: "severity",
      severity: floor.severity,
      note: `raised from ${severity} to ${floor.severity}: minimum severity for this kind`,
    };
  }
  return KEEP;
};
