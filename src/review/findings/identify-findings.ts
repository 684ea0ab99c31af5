/**
 * The identity of findings. An id survives line shifts, renames and rephrasing: it is made of the path at the base, the
 * anchored code with white space folded, and the category. No other module compares findings.
 */
import { compareTexts } from "../../base/compare-texts.ts";
import { hashParts } from "../../base/hash.ts";
import { similarity } from "../../base/similarity.ts";
import type { Anchor, Finding } from "./finding.ts";
import { type Closeness, isInSameWords, isSameDefect } from "./same-defect.ts";

/** 16 hex digits: a collision within one repository has a chance of one in four billion. */
const ID_HEX_LENGTH = 16;

/** Two reviewers quote a statement or the line around it. Further apart, it's rarely the same defect. */
export const NEIGHBORING_LINES = 3;

/** Two statements that are alike to this degree may have the same mistake each. */
const TWIN_LIKENESS = 0.5;

export type Placed = { readonly finding: Finding; readonly anchor: Anchor | null };
export type Identified = Placed & { readonly id: string };

/** Ids for all findings of a change, in the given order. `renames` maps a path at the head to its path at the base. */
export function identifyFindings(
  placed: readonly Placed[],
  renames: ReadonlyMap<string, string>,
): readonly Identified[] {
  const groups = Map.groupBy(placed, ({ finding, anchor }) => identityKey(finding, anchor, renames));
  const ids = new Map<Placed, string>();
  for (const [key, members] of groups) {
    // The same code twice in one file is distinguished by the order of places, two findings on one place by their titles.
    const distinct: Placed[] = [];
    for (const member of members.toSorted(compareReports)) {
      let ordinal = distinct.findIndex((other) => isSame(other, member));
      if (ordinal === -1) ordinal = distinct.push(member) - 1;
      ids.set(member, ordinal === 0 ? key : `${key}-${ordinal + 1}`);
    }
  }
  return placed.map((each) => ({ ...each, id: ids.get(each) ?? "" }));
}

/** True when both report the same problem in the same place. */
export function isSame(a: Placed, b: Placed): boolean {
  const closeness = closenessOf(a, b);
  return closeness !== null && isSameDefect(a.finding, b.finding, closeness);
}

/** True when both also say so in the same words, so that one of them is enough. */
export function isRepeated(a: Placed, b: Placed): boolean {
  return isSame(a, b) && isInSameWords(a.finding, b.finding);
}

/** Null when they are too far apart. */
function closenessOf(a: Placed, b: Placed): Closeness | null {
  if (a.finding.path !== b.finding.path) return null;
  const isOneReviewer = a.finding.source === b.finding.source && a.finding.pass === b.finding.pass;
  if (a.anchor === null || b.anchor === null) {
    if (a.anchor !== b.anchor) return null;
    return isOneReviewer ? "repeated" : "neighboring";
  }
  if (a.anchor.side !== b.anchor.side) return null;
  const apart = Math.max(a.anchor.startLine - b.anchor.endLine, b.anchor.startLine - a.anchor.endLine);
  if (apart <= 0) return isSameRange(a.anchor, b.anchor) ? "same-lines" : "overlapping";
  const isOfRules = a.finding.rule !== null && b.finding.rule !== null;
  if (isOfRules || apart > NEIGHBORING_LINES || (isOneReviewer && mayBeTwo(a, b))) return null;
  return "neighboring";
}

function isSameRange(a: Anchor, b: Anchor): boolean {
  return a.startLine === b.startLine && a.endLine === b.endLine;
}

/** The same words twice by one reviewer, or two lines that look alike: the same mistake was made twice. */
function mayBeTwo(a: Placed, b: Placed): boolean {
  const [code, other] = [a, b].map(({ anchor }) => anchor?.lines.join("\n") ?? "");
  return isInSameWords(a.finding, b.finding) || similarity(code ?? "", other ?? "") >= TWIN_LIKENESS;
}

/** By place, then by everything that a report says, so that the input's order never matters. */
export function compareReports(a: Placed, b: Placed): number {
  return startLine(a) - startLine(b) || compareTexts(textOf(a), textOf(b));
}

function textOf({ finding, anchor }: Placed): string {
  return JSON.stringify([anchor?.side, anchor?.endLine, finding]);
}

function identityKey(finding: Finding, anchor: Anchor | null, renames: ReadonlyMap<string, string>): string {
  const path = renames.get(finding.path) ?? finding.path;
  // Without quoted code, the rule or the title identifies the finding.
  const code = anchor?.lines.join("\n") ?? finding.quote;
  const substance = code.trim() === "" ? (finding.rule ?? finding.title.toLowerCase()) : foldSpace(code);
  return hashParts([path, substance, finding.category], ID_HEX_LENGTH);
}

function foldSpace(code: string): string {
  return code.replace(/\s+/g, " ").trim();
}

function startLine({ anchor }: Placed): number {
  return anchor?.startLine ?? 0;
}
