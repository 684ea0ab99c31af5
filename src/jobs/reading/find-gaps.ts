/** Finds the gaps in what linters, the comparison of dependencies and look-ups have checked. */
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { Lookup, LookupFailure } from "../../ecosystems/lookups.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import { TYPE_RULE_IDS } from "../../config/repo-config/type-rules.ts";
import { TYPE_CHECKER } from "../../linters/type-checker.ts";
import type { AnalyserGap, AnalyserReport } from "../../linters/analyser-report.ts";
import type { Repository } from "../../repository/repository.ts";
import { describeAnalyserGap } from "../../review/publication/describe-details.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { ADVISORY_RULES, DEPENDENCY_RULES, REGISTRY_RULES } from "./inputs-of-rules.ts";

/** `--no-analysers`. */
export const LINTERS_OFF: CheckGap = {
  check: "linters",
  reason: "off",
  detail: "turned off",
  paths: null,
  rules: ["oxlint/", "ruff/", "shellcheck/", "actionlint/"],
};

/** Without a repository, the user gave only a diff, and most files aren't known as a whole. */
export function gapsOfAnalysers(
  reports: readonly AnalyserReport[],
  { repository }: { readonly repository: Repository | null },
): readonly CheckGap[] {
  return reports.flatMap(({ name, package: from, gaps }) =>
    gaps.map((gap): CheckGap => {
      const isDiffOnly = gap.reason === "unread" && repository === null;
      return {
        check: name,
        paths: gap.paths,
        rules: name === TYPE_CHECKER ? [...TYPE_RULE_IDS] : [`${name}/`],
        reason: isDiffOnly ? "off" : ANALYSER_REASONS[gap.reason],
        detail: isDiffOnly ? "only the lines of the diff are known" : describeAnalyserGap(gap, from),
      };
    }),
  );
}

const ANALYSER_REASONS: Readonly<Record<AnalyserGap["reason"], CheckGap["reason"]>> = {
  off: "off",
  "not-installed": "not-installed",
  "too-many": "limit",
  "too-large": "limit",
  unread: "limit",
  time: "limit",
  memory: "limit",
  unparsed: "limit",
  "too-many-findings": "limit",
  failed: "failed",
};

/** `report` is null when dependencies aren't wanted, or the change touches none. */
export function gapsOfDependencies(
  { dependencies }: Pick<PreparedReview, "dependencies">,
  report: DependencyReport | null,
): readonly CheckGap[] {
  if (dependencies === null) return [];
  const compared = { check: "comparison of dependencies", rules: DEPENDENCY_RULES };
  if (report === null)
    return [{ ...compared, paths: null, reason: "off", detail: "turned off by configuration" }];
  // A file that the change doesn't touch isn't its author's to fix.
  const unread = report.unread
    .filter(({ isCompanion }) => isCompanion !== true)
    .map((each): CheckGap => ({
      ...compared,
      paths: [each.path],
      reason: each.problem === "time" || each.problem === "memory" ? "limit" : "failed",
      detail: each.problem === "failed" ? each.message : describeProblem(each.problem),
    }));
  return [
    ...unread,
    ...lookupGaps("advisories", ADVISORY_RULES, report, ({ advisories }) => [advisories]),
    ...lookupGaps("package registries", REGISTRY_RULES, report, ({ release, api }) => [release, api]),
  ];
}

function describeProblem(problem: string): string {
  return problem === "time" || problem === "memory"
    ? `over the ${problem} limit`
    : problem.replaceAll("-", " ");
}

function lookupGaps(
  check: string,
  rules: CheckGap["rules"],
  { packages }: DependencyReport,
  lookupsOf: (reported: DependencyReport["packages"][number]) => readonly Lookup<unknown>[],
): readonly CheckGap[] {
  const reasons = new Set(
    packages
      .flatMap((each) => lookupsOf(each))
      .flatMap((each) => (each.kind === "failed" ? [each.reason] : [])),
  );
  return [...reasons].flatMap((failure): readonly CheckGap[] => {
    return [{ check, rules, paths: null, ...LOOKUP_FAILURES[failure] }];
  });
}

/**
 * Nothing is looked up for private packages, for ecosystems without such a registry, and for the less important packages of a large
 * change: the review says so in its list of packages. They prove nothing, and aren't failures.
 */
const LOOKUP_FAILURES: Readonly<Record<LookupFailure, Pick<CheckGap, "reason" | "detail">>> = {
  offline: { reason: "off", detail: "look-ups are turned off" },
  private: { reason: "off", detail: "private packages aren't looked up" },
  unsupported: { reason: "off", detail: "not available for this ecosystem" },
  "not-copied": { reason: "off", detail: "the copy of advisories has none of this ecosystem" },
  limit: { reason: "off", detail: "only the most important packages are looked up" },
  refused: { reason: "off", detail: "the host isn't allowed" },
  time: { reason: "failed", detail: "no answer in time" },
  "too-large": { reason: "failed", detail: "the answer was too large" },
  "rate-limited": { reason: "failed", detail: "the rate limit was reached" },
  network: { reason: "failed", detail: "the network failed" },
  malformed: { reason: "failed", detail: "the answer couldn't be read" },
};
