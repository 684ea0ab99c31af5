/** The parts of a pack with code: whole files, the functions around a change, and signatures. */
import type { ChangedFile } from "../../change/change.ts";
import { decodeBytes } from "../../change/decode-bytes.ts";
import { removalGaps, walkHunk } from "../../change/walk-hunks.ts";
import { type BlockRange, joinRanges } from "../../../languages/cut-block.ts";
import { type Declaration, enclosingDeclaration, type Outline } from "../../../languages/outline/outline.ts";
import { describeRelatedCode } from "../../context/describe-related.ts";
import type { RelatedCode } from "../../context/related-code.ts";
import type { RankedFile } from "../rank/ranked-file.ts";
import { fencedBlock, fenceLanguage, type PackBlock, shownPath } from "./block.ts";
import type { PackMask } from "./create-pack-mask.ts";

/** A related file with the places in it that have to do with changed declarations. */
export type PlacedFile = RankedFile & { readonly places: readonly RelatedCode[] };

/** The text of a file as the pack shows it, without the byte-order mark. */
export function textOfBytes(latin1: string): string {
  const text = decodeBytes(latin1);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Every line begins with its number, because answers cite lines. */
export function renderWholeFile(path: string, text: string, mask: PackMask, about = NOTHING): PackBlock {
  const { length } = text.replace(/\n$/, "").split("\n");
  return renderRanges(path, { text, ranges: [{ startLine: 1, endLine: length }] }, mask, about);
}

/** Remarks about a file: in its heading, and between the heading and the code. */
type About = { readonly note: string; readonly notes: readonly string[] };

const NOTHING: About = { note: "", notes: [] };

/** Parts of a file, in its order, with a mark between them. The whole text is masked first: a secret may begin outside of a part. */
function renderRanges(
  path: string,
  { text, ranges }: { readonly text: string; readonly ranges: readonly BlockRange[] },
  mask: PackMask,
  { note, notes }: About,
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
  const block = fencedBlock(2, heading, {
    masked: { text: parts.join("\n"), masked },
    language: fenceLanguage(path),
    notes,
  });
  return { ...block, shown: ranges.map(({ startLine, endLine }) => ({ path, startLine, endLine })) };
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
  const about = { ...NOTHING, note: "only the functions around the change" };
  return renderRanges(file.path, { text, ranges: joinRanges([...found]) }, mask, about);
}

/** The parts of a related file that have to do with the change. */
export function renderPieces(
  candidate: PlacedFile,
  content: { readonly text: string; readonly ranges: readonly BlockRange[] },
  mask: PackMask,
): PackBlock {
  return renderRanges(candidate.path, content, mask, aboutFile(candidate, "only the parts about the change"));
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
export function renderSignatures(candidate: PlacedFile, outline: Outline, mask: PackMask): PackBlock | null {
  const { path } = candidate;
  const declared = outline.filter(
    ({ kind, isExported, containers }) => kind !== "variable" || (isExported && containers.length === 0),
  );
  if (declared.length === 0) return null;
  const lines = declared.map(
    ({ signature, containers, startLine }) => `${startLine} ${"  ".repeat(containers.length)}${signature}`,
  );
  const { note, notes } = aboutFile(candidate, "only signatures");
  const block = fencedBlock(2, `${shownPath(path)} (${note})`, {
    masked: mask(lines.join("\n")),
    language: fenceLanguage(path),
    notes,
  });
  return { ...block, shown: declared.map(({ startLine }) => ({ path, startLine, endLine: startLine })) };
}

export function renderCandidate(candidate: PlacedFile, text: string, mask: PackMask): PackBlock {
  return renderWholeFile(candidate.path, text, mask, aboutFile(candidate, ""));
}

function aboutFile({ relation, places }: PlacedFile, note: string): About {
  return {
    note: [relation === "none" ? "" : relation, note].filter((part) => part !== "").join(", "),
    notes: places.map(describePlace),
  };
}

/** "lines 4-9: uses `parseOrder`, changed in src/orders.ts:40; certain". */
function describePlace(place: RelatedCode): string {
  const last = place.startLine + place.text.split("\n").length - 1;
  const lines = last === place.startLine ? `line ${last}` : `lines ${place.startLine}-${last}`;
  const name = (text: string): string => `\`${shownPath(text.replaceAll("`", "'"))}\``;
  return `${lines}: ${describeRelatedCode(place, { name, path: shownPath })}`;
}
