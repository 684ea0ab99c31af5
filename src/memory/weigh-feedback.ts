/** Weighs signals: each by its kind and age, and all of a pattern together. Pure. */
import type { Feedback, FeedbackSignal } from "./feedback.ts";
import type { Evidence } from "./posterior.ts";

export type SignalMeaning = {
  readonly side: "rejects" | "accepts";
  /** The person spoke about this finding. Implicit signals have other explanations too. */
  readonly isExplicit: boolean;
  readonly weight: number;
};

/**
 * A person who speaks counts in full, and so does one who commits our suggestion: the lines are exactly ours. Other acts have a weaker
 * claim. A thread resolved over unchanged code usually means "won't fix", but also "noted": a half. Code that changed so that the
 * finding is gone was usually fixed, but may have been rewritten for another reason: a half. A merge says least, because the merger
 * may not have read the finding: a quarter. With these weights, three people's words, five resolved threads or ten
 * merges of one pattern make us 90% sure that it is unwanted, if no one accepts it.
 */
export const SIGNAL_MEANINGS: Readonly<Record<FeedbackSignal, SignalMeaning>> = {
  "thumbs-up": { side: "accepts", isExplicit: true, weight: 1 },
  "thumbs-down": { side: "rejects", isExplicit: true, weight: 1 },
  agrees: { side: "accepts", isExplicit: true, weight: 1 },
  disagrees: { side: "rejects", isExplicit: true, weight: 1 },
  dismissed: { side: "rejects", isExplicit: true, weight: 1 },
  // The finding is right, but not worth a change here: as much as a resolved thread.
  waived: { side: "rejects", isExplicit: false, weight: 0.5 },
  "suggestion-committed": { side: "accepts", isExplicit: true, weight: 1 },
  resolved: { side: "rejects", isExplicit: false, weight: 0.5 },
  "code-changed": { side: "accepts", isExplicit: false, weight: 0.5 },
  "merged-untouched": { side: "rejects", isExplicit: false, weight: 0.25 },
};

/** One person who reacts to every finding of a pattern isn't a team, so that many of one person's signals count. */
const MAX_WEIGHT_PER_PERSON = 3;

/** Explicit signals first, then newer ones. */
export function byAuthority(one: Feedback, other: Feedback): number {
  const explicit = (row: Feedback): number => (SIGNAL_MEANINGS[row.signal].isExplicit ? 1 : 0);
  return (
    explicit(other) - explicit(one) ||
    other.at - one.at ||
    SIGNAL_MEANINGS[other.signal].weight - SIGNAL_MEANINGS[one.signal].weight
  );
}

/** The one signal of each person on each finding that counts, so that a thumbs-down with a reply is one opinion. */
export function opinionsOf(feedback: readonly Feedback[]): readonly Feedback[] {
  const byKey = Map.groupBy(feedback, opinionKeyOf);
  return [...byKey.values()].flatMap((rows) => rows.toSorted(byAuthority).slice(0, 1));
}

/** Equal for signals of one person on one finding. */
export function opinionKeyOf({ pullRequest, identity, person }: Feedback): string {
  return `${pullRequest} ${person.toLowerCase()} ${identity}`;
}

/** The weights of the opinions, each halved for every `halfLifeMs` of its age. */
export function weighOpinions(
  opinions: readonly Feedback[],
  { now, halfLifeMs }: { readonly now: number; readonly halfLifeMs: number },
): Evidence {
  let [rejections, acceptances] = [0, 0];
  for (const own of Map.groupBy(opinions, ({ person }) => person.toLowerCase()).values()) {
    const sums = { rejects: 0, accepts: 0 };
    for (const { signal, at } of own) {
      const { side, weight } = SIGNAL_MEANINGS[signal];
      sums[side] += weight * 0.5 ** (Math.max(0, now - at) / halfLifeMs);
    }
    const share = Math.min(1, MAX_WEIGHT_PER_PERSON / (sums.rejects + sums.accepts));
    rejections += sums.rejects * share;
    acceptances += sums.accepts * share;
  }
  return { rejections, acceptances };
}
