/**
 * The identity of findings. An id survives line shifts, renames and rephrasing: it is made of the path at the base, the
 * anchored code with white space folded, and the category. No other module compares findings.
 */
import { hashParts } from "../../base/hash.ts";
import { wordOverlap } from "../../base/similarity.ts";
import type { Anchor, Finding } from "./finding.ts";
import { nameDifferentCode } from "./named-code.ts";
import { topicOf } from "./topic-of.ts";

/** 16 hex digits: a collision within one repository has a chance of one in four billion. */
const ID_HEX_LENGTH = 16;

/** Titles that share this much of the shorter one's words mean the same thing. */
export const SAME_TITLE_OVERLAP = 0.5;

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
    for (const member of members.toSorted((a, b) => startLine(a) - startLine(b))) {
      let ordinal = distinct.findIndex((other) => isSame(other, member));
      if (ordinal === -1) ordinal = distinct.push(member) - 1;
      ids.set(member, ordinal === 0 ? key : `${key}-${ordinal + 1}`);
    }
  }
  return placed.map((each) => ({ ...each, id: ids.get(each) ?? "" }));
}

/** True when both report the same problem in the same place. */
export function isSame(a: Placed, b: Placed): boolean {
  if (!isSamePlace(a, b)) return false;
  return (
    (a.finding.category === b.finding.category && isSameTitle(a.finding, b.finding)) ||
    isSameTopic(a.finding, b.finding)
  );
}

/** Tools describe and categorize the same problem differently. Kodiai's own rules and a model's words don't need this. */
function isSameTopic(a: Finding, b: Finding): boolean {
  if (!isOfTool(a) && !isOfTool(b)) return false;
  const topic = topicOf(a);
  return topic !== null && topic === topicOf(b);
}

export function isOfTool({ source }: Pick<Finding, "source">): boolean {
  return source === "sarif" || source === "analyser";
}

function isSamePlace(a: Placed, b: Placed): boolean {
  if (a.finding.path !== b.finding.path) return false;
  if (a.anchor === null || b.anchor === null) return a.anchor === b.anchor;
  if (a.anchor.side !== b.anchor.side) return false;
  return a.anchor.startLine <= b.anchor.endLine && b.anchor.startLine <= a.anchor.endLine;
}

function isSameTitle(a: Finding, b: Finding): boolean {
  if (nameDifferentCode(a.title, b.title)) return false;
  if (a.rule !== null && a.rule === b.rule) return true;
  return wordOverlap(a.title, b.title) >= SAME_TITLE_OVERLAP;
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
