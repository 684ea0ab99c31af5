/** Dependency changes for a person at a terminal. */
import { count } from "../../../base/count.ts";
import { printable } from "../../../base/printable.ts";
import type { ConfidenceLevel, DependencyReport } from "../../../ecosystems/dependency-report.ts";
import {
  describeAdvisorySource,
  describeConfidence,
  describeDisagreement,
  describeHeading,
  describeKind,
  describeRelation,
  describeUnread,
  describeVersion,
  listFacts,
  listGaps,
} from "../../../ecosystems/describe-dependencies.ts";
import { foldPlatforms } from "../../../ecosystems/fold-platforms.ts";
import { createPaint, type Paint } from "./ansi.ts";
import { heading, type HeadingStyle, indent, wrapLine } from "./terminal-text.ts";

/** A regenerated lockfile changes hundreds of packages. */
const MAX_PACKAGES = 20;

/** Packages under their heading: one line each, then what is worth knowing about it. */
export function renderDependencySections(
  dependencies: DependencyReport | null,
  page: Pick<HeadingStyle, "paint" | "width">,
): string[][] {
  if (dependencies === null) return [];
  const { paint, width } = page;
  const { packages, disagreements, unread, confidence } = dependencies;
  const source = describeAdvisorySource(dependencies);
  const folded = foldPlatforms(packages);
  const rest = folded.slice(MAX_PACKAGES).reduce((sum, { platforms }) => sum + 1 + platforms.length, 0);
  const notes = [
    ...disagreements.map(describeDisagreement),
    ...unread.map(describeUnread),
    ...listGaps(packages),
    ...(source === null ? [] : [source]),
  ];
  return [
    [
      heading(describeHeading(dependencies), packages.length, paint.bold, page),
      ...wrapLine(`Merge confidence: ${describeConfidence(confidence)}`, width).map(
        CONFIDENCE_ACCENTS[confidence.level](paint),
      ),
    ],
    ...folded.slice(0, MAX_PACKAGES).map((each) => {
      const { change } = each.reported;
      const relation = describeRelation(change);
      const versions = `${describeVersion(change.from, change)} → ${describeVersion(change.to, change)}`;
      const facts = `${versions}  ${describeKind(change)}${relation === "" ? "" : `, ${relation}`}`;
      return [
        `${paint.bold(printable(change.name))}  ${printable(facts)}`,
        ...listFacts(each).flatMap((fact) => indent(wrapLine(printable(fact), width - 2))),
      ];
    }),
    ...(rest > 0
      ? [[paint.bold(`… and ${count(rest, "more package")}. Use --format json to list them.`)]]
      : []),
    ...(notes.length === 0 ? [] : [notes.flatMap((note) => wrapLine(printable(note), width).map(paint.dim))]),
  ];
}

const CONFIDENCE_ACCENTS: Readonly<Record<ConfidenceLevel, (paint: Paint) => (text: string) => string>> = {
  high: (paint) => paint.boldGreen,
  medium: (paint) => paint.boldYellow,
  low: (paint) => paint.boldRed,
};

/** The page of `kodiai deps`. */
export function renderTerminalDependencies(
  dependencies: DependencyReport | null,
  { color, width }: { readonly color: boolean; readonly width: number },
): string {
  const sections = renderDependencySections(dependencies, { paint: createPaint(color), width });
  const lines = sections.length === 0 ? [["This change touches no dependency."]] : sections;
  return `${lines.map((section) => section.join("\n")).join("\n\n")}\n`;
}
