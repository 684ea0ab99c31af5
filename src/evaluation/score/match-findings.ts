/**
 * Which finding says which known answer: one-to-one, first by place, then by topic for what is left. Each of the two steps finds as many
 * pairs as possible and, among those, the ones that mean most alike.
 */
import { findingWords, meaningOverlap } from "../../review/findings/finding-words.ts";
import { namesIn } from "../../review/findings/named-code.ts";
import type { EvaluatedFinding } from "../run/case-run.ts";
import type { KnownAnswer } from "../set/evaluation-set.ts";
import { assign } from "./assign.ts";

/** A reviewer may point to the call instead of the condition above it. */
const NEAR_LINES = 3;

/**
 * How alike two texts must be to mean the same without a common place. With a common identifier less is enough. Chosen on half of the
 * pull requests of a public set whose pairs a model had judged; docs/evaluation.md has the figures for the other half.
 */
const SAME_TOPIC = 0.55;
const SAME_TOPIC_AND_NAME = 0.5;

/** Weights are whole numbers of this unit. */
const UNIT = 1_000_000;

export type AnswerMatch = {
  readonly answer: number;
  readonly finding: number;
  readonly by: "place" | "topic";
};

type Found = Pick<EvaluatedFinding, "title" | "body" | "path" | "side" | "lines">;
type Asked = Pick<KnownAnswer, "path" | "side" | "lines" | "sentence">;

/** Sorted by answer. */
export function matchFindings(answers: readonly Asked[], findings: readonly Found[]): readonly AnswerMatch[] {
  const placed = pair(answers, findings, (answer, finding) => {
    const distance = distanceOf(answer, finding);
    return distance === null ? null : (1 - distance / (NEAR_LINES + 1) + overlapOf(answer, finding)) / 2;
  });
  const [saidByPlace, usedByPlace] = [setOf(placed, "answer"), setOf(placed, "finding")];
  const topical = pair(answers, findings, (answer, finding, [answerAt, findingAt]) =>
    saidByPlace.has(answerAt) || usedByPlace.has(findingAt) || isElsewhere(answer, finding)
      ? null
      : topicOverlap(answer, finding),
  );
  return [
    ...placed.map((each) => ({ ...each, by: "place" as const })),
    ...topical.map((each) => ({ ...each, by: "topic" as const })),
  ].toSorted((a, b) => a.answer - b.answer);
}

/** Lines between the two; null for another file or side, for too many lines, and where the set or the finding has none. */
export function distanceOf(answer: Asked, finding: Found): number | null {
  if (answer.lines === null || finding.lines === null) return null;
  if (answer.path !== finding.path || answer.side !== finding.side) return null;
  const [[first, last], [start, end]] = [answer.lines, finding.lines];
  const distance = Math.max(0, first - end, start - last);
  return distance <= NEAR_LINES ? distance : null;
}

/** Null when they mean different things. */
export function topicOverlap(answer: Asked, finding: Found): number | null {
  const meaning = overlapOf(answer, finding);
  if (meaning >= SAME_TOPIC) return meaning;
  if (meaning < SAME_TOPIC_AND_NAME) return null;
  const named = namesIn(answer.sentence);
  return namesIn(`${finding.title}\n${finding.body}`).isDisjointFrom(named) ? null : meaning;
}

function isElsewhere(answer: Asked, finding: Found): boolean {
  return answer.path !== null && finding.path !== "" && answer.path !== finding.path;
}

/** 0 to 1. */
export function overlapOf({ sentence }: Asked, { title, body }: Found): number {
  return meaningOverlap(wordsOf(sentence, ""), wordsOf(title, body));
}

/** A text is compared with all others of its case. */
const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 5_000;

function wordsOf(title: string, body: string): readonly string[] {
  const key = `${title}\n\n${body}`;
  const found = known.get(key) ?? findingWords({ title, body });
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

type Alike = (answer: Asked, finding: Found, at: readonly [answer: number, finding: number]) => number | null;

/** As many pairs as possible, then the largest sum. `alike` gives 0 to 1, or null for no pair. */
function pair(answers: readonly Asked[], findings: readonly Found[], alike: Alike) {
  const perPair = (Math.min(answers.length, findings.length) + 1) * UNIT;
  const weights = answers.map((answer, answerAt) =>
    findings.map((finding, findingAt) => {
      const share = alike(answer, finding, [answerAt, findingAt]);
      return share === null ? 0 : perPair + Math.round(share * UNIT);
    }),
  );
  return assign(weights).flatMap((finding, answer) => (finding === null ? [] : [{ answer, finding }]));
}

function setOf(matches: readonly Omit<AnswerMatch, "by">[], side: "answer" | "finding"): ReadonlySet<number> {
  return new Set(matches.map((each) => each[side]));
}
