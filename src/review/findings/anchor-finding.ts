/**
 * Finds the place of a finding from what it quotes. Line numbers come from here and never from the reviewer, whose
 * number only decides between equal candidates. What cannot be found is not placed.
 */
import { similarity } from "../../base/similarity.ts";
import type { ChangedFile, Hunk } from "../change/change.ts";
import { type DiffLine, walkHunk } from "../change/walk-hunks.ts";
import type { Anchor, Finding } from "./finding.ts";

/** How alike a misquoted line must be; below it the reviewer may mean something else. */
const MIN_SIMILARITY = 0.8;

/** A shorter fragment stands in too many lines to mean one of them. */
const MIN_FRAGMENT_CHARS = 8;

type Side = "new" | "old";
type SideLine = { readonly line: number; readonly text: string; readonly isChanged: boolean };
type Method = Anchor["method"];

export function anchorFinding(finding: Finding, file: ChangedFile): Anchor | null {
  const quote = quotedLines(finding.quote);
  if (quote.length === 0) return null;
  const sides: readonly Side[] = finding.sideHint === "new" ? ["new", "old"] : ["old", "new"];
  for (const method of ["exact", "whitespace", "fuzzy"] as const) {
    for (const side of sides) {
      const candidates = file.hunks.flatMap((hunk) => candidatesIn(hunk, side, quote, method));
      const best = nearestCandidate(candidates, finding.lineHint);
      if (best !== undefined) return toAnchor(best, file, side, method);
    }
  }
  return null;
}

function quotedLines(quote: string): readonly string[] {
  const lines = quote.split("\n").map((line) => line.replace(/\r$/, ""));
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

function sideLines(hunk: Hunk, side: Side): readonly SideLine[] {
  const lines: SideLine[] = [];
  for (const line of walkHunk(hunk)) {
    const number = numberOn(line, side);
    if (number !== null) lines.push({ line: number, text: line.text, isChanged: line.kind !== "context" });
  }
  return lines;
}

function numberOn(line: DiffLine, side: Side): number | null {
  return side === "new" ? line.newLine : line.oldLine;
}

function candidatesIn(
  hunk: Hunk,
  side: Side,
  quote: readonly string[],
  method: Method,
): readonly (readonly SideLine[])[] {
  const lines = sideLines(hunk, side);
  const found: (readonly SideLine[])[] = [];
  for (let start = 0; start + quote.length <= lines.length; start++) {
    const window = lines.slice(start, start + quote.length);
    if (window.every(({ text }, index) => agrees(text, quote[index] ?? "", method, quote.length === 1))) {
      found.push(window);
    }
  }
  return found;
}

function agrees(text: string, quoted: string, method: Method, isSingle: boolean): boolean {
  switch (method) {
    case "exact":
      return text === quoted;
    case "whitespace": {
      const [a, b] = [withoutSpace(text), withoutSpace(quoted)];
      return a === b || (isSingle && b.length >= MIN_FRAGMENT_CHARS && a.includes(b));
    }
    case "fuzzy":
      return similarity(withoutSpace(text), withoutSpace(quoted)) >= MIN_SIMILARITY;
  }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Changed places before unchanged ones, then the one nearest to the hint, then the first. */
function nearestCandidate(
  candidates: readonly (readonly SideLine[])[],
  hint: number | null,
): readonly SideLine[] | undefined {
  const changed = candidates.filter((window) => window.some((line) => line.isChanged));
  const pool = changed.length > 0 ? changed : candidates;
  if (hint === null) return pool[0];
  const distance = (window: readonly SideLine[]): number => Math.abs((window[0]?.line ?? 0) - hint);
  return pool.toSorted((a, b) => distance(a) - distance(b))[0];
}

function toAnchor(window: readonly SideLine[], file: ChangedFile, side: Side, method: Method): Anchor {
  return {
    path: file.path,
    side,
    startLine: window[0]?.line ?? 0,
    endLine: window.at(-1)?.line ?? 0,
    lines: window.map(({ text }) => text),
    method,
    isChanged: window.some((line) => line.isChanged),
  };
}
