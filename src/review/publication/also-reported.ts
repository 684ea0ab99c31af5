/** The other reports of a finding's defect: the rules, linters and models that found it too. Every format shows them. */
import { contentWords } from "../../base/similarity.ts";
import type { Finding } from "../findings/finding.ts";
import type { PublishedFinding } from "./publication.ts";

/** A text of which this share of the words is in another one says nothing that the other one doesn't. */
const NOTHING_NEW = 0.8;

/** One per rule and one per title of a model, without the report that the finding's text is from. */
export function alsoReported({
  finding,
  sources = [],
}: Pick<PublishedFinding, "finding" | "sources">): readonly Finding[] {
  const nameOf = ({ source, rule, title }: Finding): string => rule ?? `${source}: ${title}`;
  const byName = new Map(sources.slice(1).map((each) => [nameOf(each), each]));
  byName.delete(nameOf(finding));
  return [...byName.values()];
}

/** Completes "Also reported by …". */
export function nameOfReporter({ rule }: Pick<Finding, "rule">): string {
  return rule ?? "a model";
}

/**
 * The text of a model's report, if it says something that the finding doesn't. Two defects that were taken for one are both readable.
 * Null for a rule: its documentation explains it.
 */
export function wordsOfReport(
  { rule, title, body }: Finding,
  { finding }: Pick<PublishedFinding, "finding">,
) {
  if (rule !== null) return null;
  const [own, known] = [contentWords(`${title} ${body}`), contentWords(`${finding.title} ${finding.body}`)];
  return own.intersection(known).size >= NOTHING_NEW * own.size ? null : body;
}

/** The line that a report is about, if the finding isn't on it; otherwise null. */
export function otherLineOf({ lineHint }: Finding, { anchor }: Pick<PublishedFinding, "anchor">) {
  if (anchor === null || lineHint === null) return null;
  return lineHint >= anchor.startLine && lineHint <= anchor.endLine ? null : lineHint;
}
