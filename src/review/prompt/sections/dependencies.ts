/** The dependency changes, so that the model looks at the code that uses them instead of at lockfile lines. */
import {
  describeConfidence,
  describeKind,
  describeRelation,
  describeVersion,
  listFacts,
} from "../../../ecosystems/describe-dependencies.ts";
import { foldPlatforms } from "../../../ecosystems/fold-platforms.ts";
import { couldListDependencies } from "../../../ecosystems/dependency-paths.ts";
import type { Change } from "../../change/change.ts";
import { hasNewLines, type Scope } from "../../change/scope.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const MAX_LINES = 120;

const HEADING = `# Dependency changes
Found by comparing manifests and lockfiles, and by looking packages up. Look for code that the new versions break. Don't review the lines
of lockfiles, and don't repeat these facts as findings.`;

/** In a second review, a model has seen this section unless a manifest or lockfile changed since. */
function hasNewDependencies({ files }: Pick<Change, "files">, scope: Scope): boolean {
  if (scope.full !== null) return true;
  return files.some(({ path }) => couldListDependencies(path) && hasNewLines(path, scope));
}

const READING =
  " read_dependency shows the declarations, changelogs and sources of public packages at both versions.";

export const dependencies: SectionRenderer = {
  name: "dependencies",
  budgetChars: 8_000,
  leanBudgetChars: 2_000,
  render({ change, context: { dependencies: report, sources, scope }, guard }, budgetChars) {
    if (report === null || !hasNewDependencies(change, scope)) return NOTHING;
    const listed = [
      `merge confidence ${describeConfidence(report.confidence)}`,
      ...foldPlatforms(report.packages).flatMap((folded) => {
        const { change } = folded.reported;
        const versions = `${describeVersion(change.from, change)} → ${describeVersion(change.to, change)}`;
        const facts = [describeKind(change), describeRelation(change)]
          .filter((fact) => fact !== "")
          .join(", ");
        return [
          `- ${change.ecosystem} ${change.name} ${versions} (${facts})`,
          ...listFacts(folded).map((fact) => `  - ${fact}`),
        ];
      }),
    ].map((line) => guard.prose(line).replaceAll(/\s*\n\s*/g, " "));
    const { lines, left, cutChars } = fitLines(listed, { budgetChars, maxLines: MAX_LINES });
    return {
      text: `${HEADING}${sources.dependencyReader === null ? "" : READING}\n${guard.fence("dependency changes", lines.join("\n"))}${leftNote(left)}`,
      cutChars,
    };
  },
};
