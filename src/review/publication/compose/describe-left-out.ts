/** Sections that didn't fit in the models' prompts, as one line of text. */
import type { LeftOut, PassReport } from "../publication.ts";
import { grouped } from "../../../base/count.ts";

/** The section that a model can still request; the receipt lists whether it read a file. */
const SHOWN_ON_REQUEST = "diff";

/**
 * "12,400 characters of diff (…), 3,000 of guidelines"; null when everything fitted. Counts the last answered attempt at
 * each part.
 */
export function describeLeftOut(passes: readonly PassReport[]): string | null {
  const answered = passes.filter(({ turns }) => turns > 0);
  const last = new Map(answered.map((attempt) => [attempt.name, attempt]));
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
  const how = section === SHOWN_ON_REQUEST ? " (available to the model through show_diff)" : "";
  return `${grouped(chars)}${unit} of ${section}${how}`;
}
