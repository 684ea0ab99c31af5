/**
 * One finding per rule and file: the most severe and first one is kept and names the lines of the others. Two packages are two
 * problems, and so are two secrets that another tool found.
 */
import { count } from "../../base/count.ts";
import { severityRank } from "../../base/severity.ts";
import type { OtherPlace } from "./finding.ts";
import { foldCode } from "./fold-code.ts";
import type { FindingInJudgement } from "./rules/rule.ts";
import { pointsAtSecret } from "./secret-rules.ts";

/** A longer list of line numbers is of no use to the reader. */
const MAX_NAMED_LINES = 10;

export type Grouped<Item> = { readonly best: Item; readonly others: readonly Item[] };

/** The groups in the order of their first member. `kindOf` separates findings that are shown in different places. */
export function groupByRule<Item extends { readonly candidate: FindingInJudgement }>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): readonly Grouped<Item>[] {
  const groups = Map.groupBy(items, (item) => `${keyOf(item.candidate)}\n${kindOf(item)}`);
  return [...groups.values()].flatMap((members) => {
    const [best, ...others] = members.toSorted(
      ({ candidate: one }, { candidate: other }) =>
        severityRank(one.severity) - severityRank(other.severity) || lineOf(one) - lineOf(other),
    );
    return best === undefined ? [] : [{ best, others }];
  });
}

/** Rules of one tool for one problem: Bash's syntax in a script for `sh`. */
const FAMILY = /^shellcheck\/SC3(?=\d{3}$)/;

/** A model's findings have no rule, and one without a line is about a whole file: each is its own group. */
function keyOf({ id, finding, anchor }: FindingInJudgement): string {
  if (finding.rule === null || anchor === null) return id;
  const isForeign = finding.source === "sarif";
  const secret = isForeign && pointsAtSecret(finding) ? foldCode(anchor.lines.join("\n")) : "";
  const kind = isForeign ? kindOfTitle(finding.title) : packageOf(finding);
  const rule = FAMILY.exec(finding.rule)?.[0] ?? finding.rule;
  return [rule, finding.path, anchor.side, secret, kind].join("\n");
}

/** Rules about dependencies name the package in their title: two packages are two problems. */
function packageOf({ rule, title }: FindingInJudgement["finding"]): string {
  return rule?.startsWith("dependency-") === true ? title : "";
}

/** Some tools have one id for many rules. Titles that differ only in names and numbers are of the same one. */
function kindOfTitle(title: string): string {
  return title.replaceAll(/(['"`])[^'"`]{0,100}\1|\d+/g, "…");
}

function lineOf({ anchor }: FindingInJudgement): number {
  return anchor?.startLine ?? 0;
}

/** The body of a finding with the lines of the others, before the paragraph about the fix. */
export function withOtherLines(body: string, others: readonly OtherPlace[]): string {
  const lines = [...new Set(others.map(({ startLine }) => startLine))];
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  const more = lines.length - MAX_NAMED_LINES;
  const rest = more > 0 ? ` and ${count(more, "more line")}` : "";
  const sentence = `The same problem is on ${lines.length === 1 ? "line" : "lines"} ${named}${rest}.`;
  const [first = "", ...paragraphs] = body.split("\n\n");
  return [`${first} ${sentence}`, ...paragraphs].join("\n\n");
}
