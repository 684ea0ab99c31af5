/** The parts of a pack with code: whole files, the functions around a change, and signatures. */
import type { ChangedFile } from "../../change/change.ts";
import { decodeBytes } from "../../change/decode-bytes.ts";
import { removalGaps, walkHunk } from "../../change/walk-hunks.ts";
import { type Declaration, enclosingDeclaration, type Outline } from "../../../languages/outline/outline.ts";
import type { RankedFile } from "../rank/ranked-file.ts";
import { fencedBlock, fenceLanguage, type PackBlock, shownPath } from "./block.ts";
import type { PackMask } from "./create-pack-mask.ts";

/** The text of a file as the pack shows it, without the byte-order mark. */
export function textOfBytes(latin1: string): string {
  const text = decodeBytes(latin1);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

export function renderWholeFile(path: string, text: string, mask: PackMask, note = ""): PackBlock {
  const heading = note === "" ? shownPath(path) : `${shownPath(path)} (${note})`;
  return fencedBlock(2, heading, { masked: mask(text), language: fenceLanguage(path) });
}

/** Null when no change is in a function. */
export function renderEnclosingFunctions(
  file: ChangedFile,
  { text, outline }: { readonly text: string; readonly outline: Outline },
  mask: PackMask,
): PackBlock | null {
  const found = new Set<Declaration>();
  for (const line of changedLines(file)) {
    const around = enclosingDeclaration(outline, line);
    if (around !== null) found.add(around);
  }
  if (found.size === 0) return null;
  const lines = text.split("\n");
  const parts: string[] = [];
  let next = 1;
  for (const { startLine, endLine } of [...found].toSorted((a, b) => a.startLine - b.startLine)) {
    const from = Math.max(startLine, next);
    if (from > endLine) continue;
    if (from > next) parts.push(LEFT_OUT);
    parts.push(lines.slice(from - 1, endLine).join("\n"));
    next = endLine + 1;
  }
  if (next <= lines.length) parts.push(LEFT_OUT);
  return renderWholeFile(file.path, parts.join("\n"), mask, "only the functions around the change");
}

const LEFT_OUT = "[… lines left out]";

/** Changed lines at the head, and lines next to removed ones. */
function* changedLines(file: ChangedFile): Generator<number> {
  for (const hunk of file.hunks) {
    for (const { kind, newLine } of walkHunk(hunk)) if (kind === "added" && newLine !== null) yield newLine;
  }
  yield* removalGaps(file);
}

/** Null when the file declares nothing. */
export function renderSignatures(candidate: RankedFile, outline: Outline, mask: PackMask): PackBlock | null {
  const lines = outline
    .filter(
      ({ kind, isExported, containers }) => kind !== "variable" || (isExported && containers.length === 0),
    )
    .map(({ signature, containers }) => `${"  ".repeat(containers.length)}${signature}`);
  if (lines.length === 0) return null;
  return renderWholeFile(candidate.path, lines.join("\n"), mask, noteOf(candidate, "only signatures"));
}

export function renderCandidate(candidate: RankedFile, text: string, mask: PackMask): PackBlock {
  return renderWholeFile(candidate.path, text, mask, noteOf(candidate, ""));
}

function noteOf({ relation }: RankedFile, note: string): string {
  return [relation === "none" ? "" : relation, note].filter((part) => part !== "").join(", ");
}
