/**
 * Finds the place of a finding from what it quotes. Line numbers come from here and never from the reviewer, whose number only
 * decides between places that are equally likely. A quote that could mean two places is not placed.
 */
import type { ChangedFile } from "../change/change.ts";
import type { DiffLine } from "../change/walk-hunks.ts";
import type { Anchor, Finding } from "./finding.ts";
import { type HunkText, hunkTexts, type Side } from "./hunk-text.ts";
import { alike, exactly, loosely, type Match, partly, type Way, withGaps, wholly } from "./match-quote.ts";
import { type Reading, readQuote } from "./read-quote.ts";

/** From strict to loose: what one way finds, the next one doesn't look for. */
const WAYS: readonly { readonly find: Way; readonly method: Anchor["method"]; readonly isCertain: boolean }[] = [
  { find: exactly, method: "exact", isCertain: true },
  { find: wholly, method: "whitespace", isCertain: true },
  { find: partly, method: "whitespace", isCertain: false },
  { find: loosely, method: "fuzzy", isCertain: true },
  { find: withGaps, method: "fuzzy", isCertain: true },
  { find: alike, method: "fuzzy", isCertain: false },
];

/** A place that is less alike than the best by more than this is not meant. */
const LIKENESS_MARGIN = 0.06;

/** How far from the given line a quote may be that is no proof by itself: a few words, or not quite the same. */
const NEAR_LINES = 10;

/** Letters and digits below which a quote says nothing: a bracket, `else`. */
const MIN_SAYING_CHARS = 6;

/** This alike, a place needs no line to confirm it. */
const SURE_LIKENESS = 0.9;

export type Located =
  | { readonly kind: "placed"; readonly anchor: Anchor }
  /** Equally likely places; no line was given, or none that decides. */
  | { readonly kind: "ambiguous"; readonly anchors: readonly Anchor[] }
  | { readonly kind: "not-found" };

type Candidate = { readonly anchor: Anchor; readonly likeness: number; readonly hint: number | null };

export function anchorFinding(finding: Finding, file: ChangedFile): Anchor | null {
  const located = locateFinding(finding, file);
  return located.kind === "placed" ? located.anchor : null;
}

export function locateFinding(finding: Finding, file: ChangedFile): Located {
  const readings = readQuote(finding.quote);
  for (const { find, method, isCertain } of WAYS) {
    const candidates = readings.flatMap((reading) => candidatesOf(reading, { find, method }, finding, file));
    const possible = candidates.filter((candidate) => isCertain || isPlausible(candidate));
    if (possible.length > 0) return choose(possible, finding);
  }
  return { kind: "not-found" };
}

function candidatesOf(
  reading: Reading,
  { find, method }: { readonly find: Way; readonly method: Anchor["method"] },
  { lineHint }: Finding,
  file: ChangedFile,
): readonly Candidate[] {
  return hunkTexts(file)
    .filter(({ side }) => reading.side === null || side === reading.side)
    .flatMap((hunk) =>
      find(reading, hunk).flatMap((match) => {
        const anchor = toAnchor(match, hunk, { path: file.path, method });
        return anchor === null ? [] : [{ anchor, likeness: match.likeness, hint: lineHint ?? reading.number }];
      }),
    );
}

/** Part of a line, or code that only resembles it, is meant where the reviewer says it is; or when it's nearly all of it. */
function isPlausible({ anchor, likeness, hint }: Candidate): boolean {
  return likeness >= SURE_LIKENESS || (hint !== null && distance(anchor, hint) <= NEAR_LINES) || hint === null;
}

function choose(candidates: readonly Candidate[], { sideHint }: Finding): Located {
  const best = Math.max(...candidates.map(({ likeness }) => likeness));
  const likely = distinct(candidates.filter(({ likeness }) => likeness >= best - LIKENESS_MARGIN));
  const [only, ...others] = likely;
  if (only === undefined) return { kind: "not-found" };
  if (others.length === 0) return { kind: "placed", anchor: only.anchor };
  const chosen = byHint(likely, sideHint) ?? bySide(likely, sideHint) ?? byChange(likely);
  if (chosen !== null) return { kind: "placed", anchor: chosen.anchor };
  return { kind: "ambiguous", anchors: likely.map(({ anchor }) => anchor) };
}

/** Readings find the same place again. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const places = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { side, startLine, endLine } = candidate.anchor;
    const key = `${side}:${startLine}:${endLine}`;
    if ((places.get(key)?.likeness ?? 0) < candidate.likeness) places.set(key, candidate);
  }
  return [...places.values()];
}

/** The one at the line, or so much nearer to it than any other that a miscount explains it. */
function byHint(candidates: readonly Candidate[], sideHint: Side): Candidate | null {
  const measured = candidates
    .flatMap((candidate) =>
      candidate.hint === null ? [] : [{ candidate, lines: distance(candidate.anchor, candidate.hint) }],
    )
    .toSorted((a, b) => a.lines - b.lines || Number(b.candidate.anchor.side === sideHint) - Number(a.candidate.anchor.side === sideHint));
  const [nearest, next] = measured;
  if (nearest === undefined) return null;
  if (next === undefined || nearest.lines * 2 < next.lines) return nearest.candidate;
  return null;
}

function bySide(candidates: readonly Candidate[], sideHint: Side): Candidate | null {
  return onlyOne(candidates.filter(({ anchor }) => anchor.side === sideHint));
}

/** A reviewer speaks of what was changed. */
function byChange(candidates: readonly Candidate[]): Candidate | null {
  return onlyOne(candidates.filter(({ anchor }) => anchor.isChanged));
}

function onlyOne(candidates: readonly Candidate[]): Candidate | null {
  const [only, ...others] = candidates;
  return only === undefined || others.length > 0 ? null : only;
}

function distance({ startLine, endLine }: Anchor, line: number): number {
  return Math.max(startLine - line, line - endLine, 0);
}

/** Of a place on both sides the new side is meant. Null when that side of it wasn't changed. */
function toAnchor(
  { first, last }: Match,
  hunk: HunkText,
  { path, method }: Pick<Anchor, "path" | "method">,
): Anchor | null {
  const side = hunk.side === "both" ? "new" : hunk.side;
  const lines = hunk.lines.slice(first, last + 1).filter((line) => numberOn(line, side) !== null);
  const [start, end] = [lines[0], lines.at(-1)];
  const isChanged = lines.some(({ kind }) => kind !== "context");
  if (start === undefined || end === undefined || (hunk.side === "both" && !isChanged)) return null;
  return {
    path,
    side,
    startLine: numberOn(start, side) ?? 0,
    endLine: numberOn(end, side) ?? 0,
    lines: lines.map(({ text }) => text),
    method,
    isChanged,
  };
}

function numberOn(line: DiffLine, side: Side): number | null {
  return side === "new" ? line.newLine : line.oldLine;
}
