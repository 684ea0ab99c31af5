/**
 * Finds the place of a finding from its quote. Line numbers come from here, never from the reviewer; the reviewer's number only
 * decides between equally likely places. An ambiguous quote isn't placed.
 */
import type { ChangedFile } from "../change/change.ts";
import { type PlaceCandidate, choosePlace, isConfirmed, isPlausible } from "./choose-place.ts";
import type { Anchor, Finding } from "./finding.ts";
import { type HunkText, hunkTexts, numberOn } from "./hunk-text.ts";
import { alike, loosely, type Match, partly, RESPACED, type Way, wholly, withGaps } from "./match-quote.ts";
import { type QuoteReading, readQuote } from "./read-quote.ts";

/** From strict to loose: each is tried when those before it found nothing. */
const WAYS: readonly Way[] = [wholly, partly, loosely, withGaps, alike];

export type Located =
  | { readonly kind: "placed"; readonly anchor: Anchor }
  /** Several equally likely places, and no line number that decides between them. */
  | { readonly kind: "ambiguous"; readonly anchors: readonly Anchor[] }
  | { readonly kind: "not-found" };

/** `file`: null when the change doesn't have the finding's path. */
export function anchorFinding(finding: Finding, file: ChangedFile | null): Anchor | null {
  const located = file === null ? null : locateFinding(finding, file);
  return located?.kind === "placed" ? located.anchor : anchorOutside(finding);
}

/** The place of a finding about code that isn't in the diff, where its reviewer saw it. */
function anchorOutside({ path, quote, seenAt = [] }: Finding): Anchor | null {
  const own = seenAt.find((place) => place.path === path);
  if (own === undefined || quote.trim() === "") return null;
  return { ...own, side: "new", lines: quote.split("\n"), method: "exact", isChanged: false };
}

/** Places on the other side of the diff count if the line number confirms them, or if there are no others. */
export function locateFinding(finding: Finding, file: ChangedFile): Located {
  const readings = readQuote(finding.quote);
  let elsewhere: readonly PlaceCandidate[] = [];
  const both = hunkTexts(file).filter(({ side }) => side === "both");
  const sides = hunkTexts(file).filter(({ side }) => side !== "both");
  for (const find of WAYS) {
    const findIn = (hunks: readonly HunkText[]): readonly PlaceCandidate[] =>
      readings
        .flatMap((reading, order) =>
          candidatesOf({ ...reading, order }, find, finding, { path: file.path, texts: hunks }),
        )
        .filter(isPlausible);
    const onOneSide = findIn(sides);
    // A match on one side may appear again in both sides together, with removed lines in place of its first lines.
    const found = onOneSide.length > 0 ? onOneSide : findIn(both);
    const confirmed = found.filter((candidate) => isConfirmed(candidate, finding.sideHint));
    if (confirmed.length > 0) return locatedOf(confirmed, finding);
    if (elsewhere.length === 0) elsewhere = found;
  }
  return elsewhere.length === 0 ? { kind: "not-found" } : locatedOf(elsewhere, finding);
}

function locatedOf(candidates: readonly PlaceCandidate[], { sideHint }: Finding): Located {
  const anchors = choosePlace(candidates, sideHint).map(({ anchor }) => anchor);
  const [only, ...others] = anchors;
  return only === undefined || others.length > 0
    ? { kind: "ambiguous", anchors }
    : { kind: "placed", anchor: only };
}

function candidatesOf(
  reading: QuoteReading & { readonly order: number },
  find: Way,
  { lineHint }: Finding,
  { path, texts }: { readonly path: string; readonly texts: readonly HunkText[] },
): readonly PlaceCandidate[] {
  const hint = lineHint ?? reading.number;
  return texts
    .filter(({ side }) => reading.side === null || side === reading.side)
    .flatMap((hunk) => {
      const side = hunk.side === "both" ? "new" : hunk.side;
      const isHintShown = hunk.lines.some((line) => numberOn(line, side) === hint);
      return find(reading, hunk, hint).flatMap((match) => {
        const anchor = toAnchor(match, hunk, { path, side, method: methodOf(find, match) });
        const { likeness, proof } = match;
        if (anchor === null) return [];
        return {
          anchor,
          likeness: likeness * reading.share,
          proof,
          hint,
          isHintShown,
          reading: reading.order,
        };
      });
    });
}

function methodOf(find: Way, { likeness }: Match): Anchor["method"] {
  if (find === wholly && likeness === 1) return "exact";
  return find === partly || (find === wholly && likeness === RESPACED) ? "whitespace" : "fuzzy";
}

/** A match on both sides is anchored on the new side. Null when that side of it wasn't changed. */
function toAnchor(
  { first, last }: Match,
  hunk: HunkText,
  { path, side, method }: Pick<Anchor, "path" | "side" | "method">,
): Anchor | null {
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
