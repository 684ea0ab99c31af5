/** What the prompts of the models had no room for, in one line for people. */
import type { LeftOut, PassReport } from "../publication.ts";
import { grouped } from "../../../base/count.ts";

/** What a model can still ask for; whether it has read a file is in the receipt. */
const SHOWN_ON_REQUEST = "diff";

/**
 * "12,400 characters of diff (…), 3,000 of guidelines"; null when everything fitted. Of each part by
 * the last attempt at it that was answered.
 */
export function describeLeftOut(passes: readonly PassReport[]): string | null {
  const asked = passes.filter(({ turns }) => turns > 0);
  const last = new Map(asked.map((attempt) => [attempt.name, attempt]));
  const chars = new Map<string, number>();
  for (const { leftOut = [] } of last.values())
    for (const { section, chars: more } of leftOut) chars.set(section, (chars.get(section) ?? 0) + more);
  if (chars.size === 0) return null;
  return [...chars]
    .toSorted(([, one], [, other]) => other - one)
    .map(([section, number], index) => describe({ section, chars: number }, index === 0))
    .join(", ");
}

function describe({ section, chars }: LeftOut, isFirst: boolean): string {
  const unit = isFirst ? (chars === 1 ? " character" : " characters") : "";
  const how = section === SHOWN_ON_REQUEST ? " (the model can still read it with show_diff)" : "";
  return `${grouped(chars)}${unit} of ${section}${how}`;
}
