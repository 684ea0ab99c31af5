/** The parts of a pack with code: whole files, the functions around a change, and signatures. */
import type { ChangedFile } from "../../change/change.ts";
import { decodeBytes } from "../../change/decode-bytes.ts";
import { removalGaps, walkHunk } from "../../change/walk-hunks.ts";
import { type BlockRange, joinRanges } from "../../../languages/cut-block.ts";
import { type Declaration, enclosingDeclaration, type Outline } from "../../../languages/outline/outline.ts";
import type { RankedFile } from "../rank/ranked-file.ts";
import { fencedBlock, fenceLanguage, type PackBlock, shownPath } from "./block.ts";
import type { PackMask } from "./create-pack-mask.ts";

/** The text of a file as the pack shows it, without the byte-order mark. */
export function textOfBytes(latin1: string): string {
  const text = decodeBytes(latin1);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Every line begins with its number, because answers cite lines. */
export function renderWholeFile(path: string, text: string, mask: PackMask, note = ""): PackBlock {
  const { length } = text.replace(/\n$/, "").split("\n");
  return renderRanges(path, { text, ranges: [{ startLine: 1, endLine: length }] }, mask, note);
}

/** Parts of a file, in its order, with a mark between them. The whole text is masked first: a secret may begin outside of a part. */
function renderRanges(
  path: string,
  { text, ranges }: { readonly text: string; readonly ranges: readonly BlockRange[] },
  mask: PackMask,
  note: string,
): PackBlock {
  const heading = note === "" ? shownPath(path) : `${shownPath(path)} (${note})`;
  const { text: shown, masked } = mask(text);
  const lines = shown.split("\n");
  const parts: string[] = [];
  let next = 1;
  for (const { startLine, endLine } of ranges) {
    if (startLine > next) parts.push(LEFT_OUT);
    parts.push(...lines.slice(startLine - 1, endLine).map((line, index) => `${startLine + index} ${line}`));
    next = endLine + 1;
  }
  if (lines.slice(next - 1).some((line) => line !== "")) parts.push(LEFT_OUT);
  return fencedBlock(2, heading, {
    masked: { text: parts.join("\n"), masked },
    language: fenceLanguage(path),
  });
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
  return renderRanges(
    file.path,
    { text, ranges: joinRanges([...found]) },
    mask,
    "only the functions around the change",
  );
}

/** The parts of a related file that have words of the change. */
export function renderPieces(
  candidate: RankedFile,
  content: { readonly text: string; readonly ranges: readonly BlockRange[] },
  mask: PackMask,
): PackBlock {
  return renderRanges(candidate.path, content, mask, noteOf(candidate, "only the parts about the change"));
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
    .map(
      ({ signature, containers, startLine }) => `${startLine} ${"  ".repeat(containers.length)}${signature}`,
    );
  if (lines.length === 0) return null;
  return fencedBlock(2, `${shownPath(candidate.path)} (${noteOf(candidate, "only signatures")})`, {
    masked: mask(lines.join("\n")),
    language: fenceLanguage(candidate.path),
  });
}

export function renderCandidate(candidate: RankedFile, text: string, mask: PackMask): PackBlock {
  return renderWholeFile(candidate.path, text, mask, noteOf(candidate, ""));
}

function noteOf({ relation }: RankedFile, note: string): string {
  return [relation === "none" ? "" : relation, note].filter((part) => part !== "").join(", ");
}
