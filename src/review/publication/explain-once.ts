/**
 * Puts findings of the same rule next to each other and explains each rule once: the second and further ones keep only
 * the sentences that are about them alone.
 */
import { isAtLeast, type Severity } from "../../base/severity.ts";
import type { Finding } from "../findings/finding.ts";

type Found = { readonly finding: Finding; readonly severity: Severity };

export type Explained<Item> = {
  readonly item: Item;
  /** The body, or what is left of it when the rule was explained before; may be empty. */
  readonly body: string;
  /** True when a finding of the same rule and severity comes before it. */
  readonly isRepeat: boolean;
  /** True when the first finding of the rule also has its title. */
  readonly isSameTitle: boolean;
};

/**
 * Findings of one severity and rule become neighbors; the groups stay in the order of their first findings. Each finding
 * without a rule is alone.
 */
export function explainOnce<Item extends Found>(findings: readonly Item[]): readonly Explained<Item>[] {
  const groups = Map.groupBy(findings, (item) =>
    item.finding.rule === null ? item : `${item.severity} ${item.finding.rule}`,
  );
  return [...groups.values()].flatMap((group) => {
    const explained = new Set(sentencesOf(group[0]?.finding.body ?? ""));
    return group.map((item, index) => ({
      item,
      body: index === 0 ? item.finding.body : restOf(item.finding.body, explained),
      isRepeat: index > 0,
      isSameTitle: index > 0 && item.finding.title === group[0]?.finding.title,
    }));
  });
}

/** Every finding from this severity up is explained wherever it is listed. */
export function needsExplanation({ severity }: Pick<Found, "severity">): boolean {
  return isAtLeast(severity, "major");
}

function restOf(body: string, explained: ReadonlySet<string>): string {
  // Code and lists aren't sentences, so such a text is kept whole unless all of it was there before.
  const sentences = sentencesOf(body);
  const rest = sentences.filter((sentence) => !explained.has(sentence));
  return rest.length > 0 && /```|^\s*[-*+\d]/m.test(body) ? body : rest.join(" ");
}

function sentencesOf(body: string): readonly string[] {
  return body
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
