/** Dependency reports for tests and for the examples of rules. */
import { confidenceOf, overallConfidence } from "../../src/ecosystems/confidence.ts";
import type { DependencyReport, ReportedPackage } from "../../src/ecosystems/dependency-report.ts";
import type { PackageChange } from "../../src/ecosystems/package-change.ts";

const versionOf = (version: string): NonNullable<PackageChange["to"]> => ({
  version,
  requirement: null,
  origin: { kind: "registry", url: null },
  integrity: null,
  hasInstallScript: null,
});

/** A report about one direct npm package from 1.0.0 to 2.0.0, with the given facts. */
export function exampleReport(
  facts: Partial<Omit<ReportedPackage, "change" | "confidence">> & {
    readonly change?: Partial<PackageChange>;
  },
  files: Partial<Pick<DependencyReport, "disagreements" | "unread">> = {},
): DependencyReport {
  const { change, ...rest } = facts;
  const item: Omit<ReportedPackage, "confidence"> = {
    release: { kind: "absent" },
    advisories: { kind: "found", value: [] },
    changelog: { kind: "absent" },
    compareUrl: null,
    api: { kind: "absent" },
    uses: null,
    concerns: null,
    signals: [],
    history: [],
    change: {
      ecosystem: "npm",
      name: "left-pad",
      from: versionOf("1.0.0"),
      to: versionOf("2.0.0"),
      kind: "major",
      isBreaking: true,
      group: "runtime",
      chain: ["left-pad"],
      isDirect: true,
      places: [{ path: "package.json", line: 3, from: "^1.0.0", to: "^2.0.0" }],
      signals: [],
      ...change,
    },
    ...rest,
  };
  const confidence = confidenceOf(item);
  const problems = { disagreements: files.disagreements ?? [], unread: files.unread ?? [] };
  return {
    extent: "mixed",
    bot: null,
    packages: [{ ...item, confidence }],
    ...problems,
    advisorySource: null,
    confidence: overallConfidence([confidence], problems),
  };
}
