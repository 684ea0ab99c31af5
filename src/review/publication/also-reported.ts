/** The other reports of a finding's defect: the rules, linters and models that found it too. Every format shows them. */
import type { Finding } from "../findings/finding.ts";
import type { PublishedFinding } from "./publication.ts";

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
