/**
 * Which of several places a reviewer means: the most alike, and among equals the one that the given line decides. Null when
 * nothing decides: a finding on the wrong line is worse than one without a line.
 */
import type { Anchor } from "./finding.ts";
import { NEAR_LINES, type DiffSide } from "./hunk-text.ts";

export type PlaceCandidate = {
  readonly anchor: Anchor;
  /** 1 for the same code; below it, how much of it is the same. */
  readonly likeness: number;
  /** How much of the place is quoted, and right. */
  readonly proof: number;
  /** The line that was given; null for none. */
  readonly hint: number | null;
  /** That line is in the same hunk. */
  readonly isHintShown: boolean;
  /** Which reading of the quote found it; the quote as it is comes first. */
  readonly reading: number;
};

/** A place that is less alike than the best by more than this is not meant. */
const LIKENESS_MARGIN = 0.06;

/** Of more places only those nearest to the line are compared; code that is there so often is a bracket. */
const MAX_COMPARED = 200;

/** So much of a place was quoted right that it needs no line to confirm it; and enough when no line was given. */
const SURE_PROOF = 0.9;
const MIN_PROOF = 0.3;

/** How many times nearer to the line than any other place the one is that is meant. */
const NEARER = 3;

/**
 * Part of a line, or code that only resembles it, is meant where the reviewer says it is, or when it's nearly all of it. A line that the
 * diff doesn't show speaks of other code.
 */
export function isPlausible({ anchor, proof, hint, isHintShown }: PlaceCandidate): boolean {
  if (hint === null) return proof >= MIN_PROOF;
  return proof >= SURE_PROOF || (isHintShown && distance(anchor, hint) <= NEAR_LINES);
}

/** On the side that was said, or at the line that was given. */
export function isConfirmed({ anchor, hint }: PlaceCandidate, side: DiffSide): boolean {
  return anchor.side === side || (hint !== null && distance(anchor, hint) === 0);
}

/** Those that may be meant; when it is decided, one. */
export function choosePlace(
  candidates: readonly PlaceCandidate[],
  side: DiffSide,
): readonly PlaceCandidate[] {
  const best = bestOf(candidates);
  const alike = distinct(nearest(candidates.filter(({ likeness }) => likeness >= best - LIKENESS_MARGIN)));
  const likely = nearOnSide(alike, side);
  const chosen =
    onlyOne(likely) ??
    atHint(likely, side) ??
    mostAlike(likely) ??
    nearHint(likely) ??
    onlyOne(onSide(likely, side)) ??
    onlyOne(likely.filter(isOfChange));
  return chosen === null ? likely : [chosen];
}

function bestOf(candidates: readonly PlaceCandidate[]): number {
  return candidates.reduce((best, { likeness }) => Math.max(best, likeness), 0);
}

function nearest(candidates: readonly PlaceCandidate[]): readonly PlaceCandidate[] {
  if (candidates.length <= MAX_COMPARED) return candidates;
  const far = ({ anchor, hint }: PlaceCandidate): number => (hint === null ? 0 : distance(anchor, hint));
  return candidates.toSorted((a, b) => far(a) - far(b)).slice(0, MAX_COMPARED);
}

/** Each place once, and none that is only a part of what the quote with more of its text is. */
function distinct(candidates: readonly PlaceCandidate[]): readonly PlaceCandidate[] {
  const places = new Map<string, PlaceCandidate>();
  for (const candidate of candidates) {
    const { side, startLine, endLine } = candidate.anchor;
    const key = `${side}:${startLine}:${endLine}`;
    if ((places.get(key)?.likeness ?? 0) < candidate.likeness) places.set(key, candidate);
  }
  const all = [...places.values()];
  return all.filter((inner) => !all.some((outer) => outer.reading < inner.reading && holds(outer, inner)));
}

function holds({ anchor: outer }: PlaceCandidate, { anchor: inner }: PlaceCandidate): boolean {
  return outer.side === inner.side && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}

/** The same code on both sides: the side that was said is meant, where the line doesn't speak against it. */
function nearOnSide(candidates: readonly PlaceCandidate[], side: DiffSide): readonly PlaceCandidate[] {
  const near = onSide(candidates, side);
  return near.some(({ anchor, hint }) => hint !== null && distance(anchor, hint) <= NEAR_LINES)
    ? near
    : candidates;
}

/** Where the reviewer says it is, on the side that was said; beginning there before anything else. */
function atHint(candidates: readonly PlaceCandidate[], side: DiffSide): PlaceCandidate | null {
  const at = candidates.filter(({ anchor, hint }) => hint !== null && distance(anchor, hint) === 0);
  const beginning = at.filter(({ anchor, hint }) => anchor.startLine === hint);
  return onlyOne(at) ?? onlyOne(onSide(beginning, side)) ?? onlyOne(onSide(at, side));
}

function mostAlike(candidates: readonly PlaceCandidate[]): PlaceCandidate | null {
  const best = bestOf(candidates);
  return onlyOne(candidates.filter(({ likeness }) => likeness === best));
}

/** So much nearer to the line than any other that a miscount explains it. */
function nearHint(candidates: readonly PlaceCandidate[]): PlaceCandidate | null {
  const [nearest, next] = candidates
    .flatMap((candidate) =>
      candidate.hint === null ? [] : [{ candidate, lines: distance(candidate.anchor, candidate.hint) }],
    )
    .toSorted((a, b) => a.lines - b.lines);
  if (nearest === undefined || next === undefined) return null;
  return nearest.lines * NEARER < next.lines ? nearest.candidate : null;
}

function onSide(candidates: readonly PlaceCandidate[], side: DiffSide): readonly PlaceCandidate[] {
  return candidates.filter(({ anchor }) => anchor.side === side);
}

/** A reviewer speaks of what was changed. */
function isOfChange({ anchor }: PlaceCandidate): boolean {
  return anchor.isChanged;
}

function onlyOne(candidates: readonly PlaceCandidate[]): PlaceCandidate | null {
  const [only, ...others] = candidates;
  return only === undefined || others.length > 0 ? null : only;
}

function distance({ startLine, endLine }: Anchor, line: number): number {
  return Math.max(startLine - line, line - endLine, 0);
}
