/**
 * Code in tests, samples, documentation, benchmarks and vendored folders does little harm: the findings of rules and analysers
 * there are two levels less severe. A severity from the configuration stays.
 */
import { lowerSeverity } from "../../../base/severity.ts";
import { SECRET_RULES } from "../secret-rules.ts";
import { isAlwaysListed } from "./always-reported.ts";
import { hasOwnSeverity } from "./own-severity.ts";
import { type FindingInJudgement, type JudgingRule, KEEP } from "./rule.ts";

/** The first match is named in the note. Folders only: a file named `sample.ts` or `docs.py` can be the product's own. */
const PLACES: readonly (readonly [what: string, folder: RegExp])[] = [
  [
    "tests",
    /(?:^|\/)(?:tests?|specs?|testing|test[-_]?(?:utils?|helpers?|support|data)|fixtures?|mocks?|stubs?|fakes?)\//i,
  ],
  ["tests", /(?:^|\/)(?:__\w+__|e2e|cypress|playwright|cassettes|snapshots?)\//i],
  [
    "samples",
    /(?:^|\/)[\w-]*(?:examples?|samples?|demos?|playgrounds?|tutorials?|sandbox|storybook|stories)\//i,
  ],
  ["documentation", /(?:^|\/)(?:docs?|documentation|website|docs[_-]src)\//i],
  ["benchmarks", /(?:^|\/)(?:bench|benches|benchmarks?|perf)\//i],
  ["vendored code", /(?:^|\/)(?:vendor|vendored|third[-_]?party|external|deps|extern|dist|lib\/assets)\//i],
];

/** These are as severe anywhere: files that can't be parsed, and files that should not be in the repository at all. */
const SAME_ANYWHERE: ReadonlySet<string> = new Set([
  "conflict-marker",
  "committed-artefact",
  "does-not-parse",
]);

const STEPS = 2;

export const lessSevereByPlace: JudgingRule = (candidate, { config }) => {
  const { finding, severity } = candidate;
  if (finding.rule === null || severity === "minor") return KEEP;
  if (isAlwaysListed(candidate) || SECRET_RULES.has(finding.rule) || SAME_ANYWHERE.has(finding.rule))
    return KEEP;
  if (finding.category === "tests" || hasOwnSeverity(finding, config)) return KEEP;
  const place = placeOf(candidate);
  if (place === null) return KEEP;
  const lowered = lowerSeverity(severity, STEPS);
  return {
    kind: "severity",
    severity: lowered,
    note: `lowered from ${severity} to ${lowered}: it is in ${place}`,
  };
};

function placeOf({ finding, facts }: FindingInJudgement): string | null {
  if (facts?.category === "test") return "tests";
  if (facts?.category === "docs") return "documentation";
  return PLACES.find(([, folder]) => folder.test(finding.path))?.[0] ?? null;
}
