/**
 * Chooses between several places for a quote: the most similar one, and among equals the one at the given line. Null when
 * neither decides: a finding on the wrong line is worse than one without a line.
 */
import type { Anchor } from "./finding.ts";
import { NEAR_LINES, type DiffSide } from "./hunk-text.ts";

export type PlaceCandidate = {
  readonly anchor: Anchor;
  /** 1 for identical code, less for similar code. */
  readonly likeness: number;
  /** The share of the place that is quoted correctly. */
  readonly proof: number;
  /** The given line; null for none. */
  readonly hint: number | null;
  /** The given line is in the same hunk. */
  readonly isHintShown: boolean;
  /** The reading of the quote that found it; the unchanged quote comes first. */
  readonly reading: number;
};

/** Places less similar than the best by more than this are ruled out. */
const LIKENESS_MARGIN = 0.06;

/** With more places, only those nearest to the line are compared; code that repeats this often is a bracket. */
const MAX_COMPARED = 200;

/** From SURE_PROOF on, a match needs no line number to confirm it; MIN_PROOF is enough when no line was given. */
const SURE_PROOF = 0.9;
const MIN_PROOF = 0.3;

/** A place must be this many times nearer to the line than any other to be chosen by distance. */
const NEARER = 3;

/**
 * A partial or merely similar match is accepted at the given line, or when it covers nearly the whole place. A given line that the
 * diff doesn't show refers to other code.
 */
export function isPlausible({ anchor, proof, hint, isHintShown }: PlaceCandidate): boolean {
  if (hint === null) return proof >= MIN_PROOF;
  return proof >= SURE_PROOF || (isHintShown && distance(anchor, hint) <= NEAR_LINES);
}

/** On the given side, or at the given line. */
export function isConfirmed({ anchor, hint }: PlaceCandidate, side: DiffSide): boolean {
  return anchor.side === side || (hint !== null && distance(anchor, hint) === 0);
}

/** The remaining candidates; one when the choice is clear. */
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

/** Each place once, without places inside one that a fuller reading of the quote found. */
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

/** For the same code on both sides, prefers the given side unless the line contradicts it. */
function nearOnSide(candidates: readonly PlaceCandidate[], side: DiffSide): readonly PlaceCandidate[] {
  const near = onSide(candidates, side);
  return near.some(({ anchor, hint }) => hint !== null && distance(anchor, hint) <= NEAR_LINES)
    ? near
    : candidates;
}

/** The place at the given line and side, preferably one that begins there. */
function atHint(candidates: readonly PlaceCandidate[], side: DiffSide): PlaceCandidate | null {
  const at = candidates.filter(({ anchor, hint }) => hint !== null && distance(anchor, hint) === 0);
  const beginning = at.filter(({ anchor, hint }) => anchor.startLine === hint);
  return onlyOne(at) ?? onlyOne(onSide(beginning, side)) ?? onlyOne(onSide(at, side));
}

function mostAlike(candidates: readonly PlaceCandidate[]): PlaceCandidate | null {
  const best = bestOf(candidates);
  return onlyOne(candidates.filter(({ likeness }) => likeness === best));
}

/** The place that is so much nearer to the line than any other that a miscount explains the difference. */
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

/** Reviewers usually mean changed lines. */
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
