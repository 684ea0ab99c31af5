/** A part of a set that is spread over it: the same one each time, and of every language and kind about its share. */
import { compareTexts } from "../../base/compare-texts.ts";
import { hashParts } from "../../base/hash.ts";
import type { EvaluationCase } from "../set/evaluation-set.ts";

/** In the order of the set. A larger sample contains a smaller one, as far as the shares allow. */
export function sampleCases(
  cases: readonly EvaluationCase[],
  limit: number | null,
): readonly EvaluationCase[] {
  if (limit === null || limit >= cases.length) return cases;
  const groups = Map.groupBy(
    cases.toSorted((a, b) => compareTexts(hashParts([a.id]), hashParts([b.id]))),
    ({ language, isSound }) => `${language}\n${isSound}`,
  );
  // The place of a case within its group, from 0 to 1: taking the smallest ones takes about the same share of each group.
  const ranked = [...groups.values()].flatMap((group) =>
    group.map((each, at) => ({ each, place: (at + 0.5) / group.length })),
  );
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.place - b.place || compareTexts(hashParts([a.each.id]), hashParts([b.each.id])))
      .slice(0, limit)
      .map(({ each }) => each),
  );
  return cases.filter((each) => chosen.has(each));
}
