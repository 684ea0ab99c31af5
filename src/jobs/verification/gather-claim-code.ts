/** Reads the code that claims about one file are about: the functions around them at the head, and what the change does there. */
import { languageOf } from "../../languages/language-of.ts";
import { enclosingDeclaration, type Outline } from "../../languages/outline/outline.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { type DiffLine, walkHunk } from "../../review/change/walk-hunks.ts";
import type { Anchor } from "../../review/findings/finding.ts";
import type { ClaimCode } from "../../review/prompt/verification-prompt.ts";
import { splitLines } from "../../tools/resolve-paths.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { readTexts } from "../gathering/read-texts.ts";

/** A longer function is shown around the claim; the verifier can read the rest. */
const MAX_FUNCTION_LINES = 200;

/** Around a claim that is in no function, half before it and half after it. */
const LINES_AROUND = 60;

/** Lines of the diff before and after a claim. */
const DIFF_LINES_AROUND = 60;

/** Of code and diff each. About 8,000 tokens, which four claims in a long file can need. */
const MAX_CHARS = 30_000;

const MAX_OUTLINE_MS = 2_000;

export type GatheredClaimCode = {
  readonly code: readonly ClaimCode[];
  readonly diff: readonly DiffLine[];
};

/** `anchors`: of the claims; null for one about the whole file. */
export async function gatherClaimCode(
  file: ChangedFile | null,
  anchors: readonly (Anchor | null)[],
  { change, degradations }: Pick<PreparedReview, "change" | "degradations">,
  { repository, reader }: Pick<ReviewDeps, "repository" | "reader">,
): Promise<GatheredClaimCode> {
  if (file === null) return { code: [], diff: [] };
  const diff = cutChars(diffAround(file, anchors), ({ text }) => text);
  const read = await degradations.optional("code around findings", async () => {
    const text = (await readTexts([file], change, repository)).get(file.path);
    if (text === undefined) return [];
    const language = languageOf(file.path);
    const reading = await reader.ask("outline-files", { files: [{ language, text }] }, MAX_OUTLINE_MS);
    const outline = reading.kind === "read" ? (reading.value[0] ?? []) : [];
    return codeAround(splitLines(text), anchors, outline);
  });
  return { code: read ?? [], diff };
}

function codeAround(
  lines: readonly string[],
  anchors: readonly (Anchor | null)[],
  outline: Outline,
): readonly ClaimCode[] {
  const ranges = anchors
    .flatMap((anchor) => (anchor?.side === "new" ? [rangeAround(anchor, outline, lines.length)] : []))
    .toSorted((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  let chars = 0;
  return joined.flatMap(({ from, to }) => {
    const kept = cutChars(lines.slice(from - 1, to), (line) => line, MAX_CHARS - chars);
    chars += kept.reduce((sum, line) => sum + line.length + 1, 0);
    return kept.length === 0 ? [] : [{ startLine: from, lines: kept }];
  });
}

function rangeAround({ startLine, endLine }: Anchor, outline: Outline, total: number) {
  const around = enclosingDeclaration(outline, startLine);
  if (around !== null && around.endLine - around.startLine < MAX_FUNCTION_LINES && around.endLine >= endLine)
    return { from: around.startLine, to: Math.min(around.endLine, total) };
  const half = LINES_AROUND / 2;
  return { from: Math.max(1, startLine - half), to: Math.min(total, endLine + half) };
}

/** Every line of the file's diff when a claim is about the whole file. */
function diffAround({ hunks }: ChangedFile, anchors: readonly (Anchor | null)[]): readonly DiffLine[] {
  const isNear = ({ oldLine, newLine }: DiffLine): boolean =>
    anchors.some((anchor) => {
      if (anchor === null) return true;
      const line = anchor.side === "new" ? newLine : oldLine;
      return (
        line !== null &&
        line >= anchor.startLine - DIFF_LINES_AROUND &&
        line <= anchor.endLine + DIFF_LINES_AROUND
      );
    });
  // A removed line has no number at the head: it belongs to the lines next to it.
  return hunks.flatMap((hunk) => {
    const lines = walkHunk(hunk);
    const near = lines.map(isNear);
    const first = near.indexOf(true);
    return first === -1 ? [] : lines.slice(first, near.lastIndexOf(true) + 1);
  });
}

/** The first items within the limit. */
function cutChars<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  maxChars = MAX_CHARS,
): readonly Item[] {
  let chars = 0;
  const tooMany = items.findIndex((item) => (chars += textOf(item).length + 1) > maxChars);
  return tooMany === -1 ? items : items.slice(0, tooMany);
}
