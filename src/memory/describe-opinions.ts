/** Words a pattern's signals as a learning: counts, and the title as quoted data. Pure. */
import { count } from "../base/count.ts";
import type { Learning } from "../review/context/learning.ts";
import { type Feedback, isOfTeam } from "./feedback.ts";
import { probabilityOfRejection } from "./posterior.ts";
import { quotable } from "./quotable.ts";
import { opinionsOf, SIGNAL_MEANINGS, weighOpinions } from "./weigh-feedback.ts";

/** One opinion is no habit of a team. */
const MIN_OPINIONS = 2;
const MIN_PEOPLE = 2;

/** A team may have one reviewer, who has a habit after so many opinions on so many pull requests. It is about as sure as two people are. */
const MIN_OPINIONS_OF_ONE = 4;
const MIN_PULL_REQUESTS_OF_ONE = 2;

/** How sure we must be of the side that most people take. A learning only informs, so it takes less than a suppression. */
const MIN_LEARNING_CERTAINTY = 0.8;

const FIRST_CONFIDENCE = 0.5;
const CONFIDENCE_STEP = 0.1;
/** A person's own statement stays above it. */
const MAX_CONFIDENCE = 0.9;

/** Opinions of last year say little about how a team works today. */
const HALF_LIFE_MS = 180 * 24 * 60 * 60 * 1_000;

const MAX_TITLE_CHARS = 120;

export type OpinionLearning = Pick<Learning, "kind" | "text" | "confidence" | "provenance"> & {
  readonly confirmations: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

/** `feedback` is of one pattern. Null if people haven't repeated themselves, or disagree. */
export function describeOpinions(feedback: readonly Feedback[], now: number): OpinionLearning | null {
  const opinions = opinionsOf(feedback.filter(isOfTeam));
  const weights = weighOpinions(opinions, { now, halfLifeMs: HALF_LIFE_MS });
  const rejected = probabilityOfRejection(weights);
  const side = rejected > 0.5 ? "rejects" : "accepts";
  const agreeing = opinions
    .filter(({ signal }) => SIGNAL_MEANINGS[signal].side === side)
    .toSorted((one, other) => other.at - one.at);
  const [newest] = agreeing;
  const people = new Set(agreeing.map(({ person }) => person)).size;
  const isHabit =
    agreeing.length >= MIN_OPINIONS_OF_ONE &&
    new Set(agreeing.map(({ pullRequest }) => pullRequest)).size >= MIN_PULL_REQUESTS_OF_ONE;
  const isRepeated = agreeing.length >= MIN_OPINIONS && (people >= MIN_PEOPLE || isHabit);
  if (newest === undefined || !isRepeated || Math.max(rejected, 1 - rejected) < MIN_LEARNING_CERTAINTY)
    return null;
  const repetitions = agreeing.length - MIN_OPINIONS;
  return {
    kind: side === "rejects" ? "preference" : "pattern",
    text: wordsOf(newest, { side, agreeing: agreeing.length, all: opinions.length, people }),
    confidence: Math.min(MAX_CONFIDENCE, FIRST_CONFIDENCE + CONFIDENCE_STEP * repetitions),
    confirmations: agreeing.length,
    provenance: newest.url,
    expiresAt: newest.at + 2 * HALF_LIFE_MS,
  };
}

type Counts = {
  readonly side: "rejects" | "accepts";
  readonly agreeing: number;
  readonly all: number;
  readonly people: number;
};

function wordsOf({ pattern, title }: Feedback, { side, agreeing, all, people }: Counts): string {
  const rule = /^rule:(.*)$/s.exec(pattern)?.[1];
  const subject =
    rule === undefined
      ? `titled "${quotable(title, MAX_TITLE_CHARS)}"`
      : `of the rule "${quotable(rule, MAX_TITLE_CHARS)}"`;
  const counts = `${agreeing} of ${count(all, "time")}, by ${count(people, "person", "people")}`;
  return side === "accepts"
    ? `The team acted on findings ${subject} ${counts}.`
    : `The team rejected findings ${subject} ${counts}. Critical, must-fix and security ones are reported all the same.`;
}
