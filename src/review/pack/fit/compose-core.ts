/** The part of a pack that must fit: the description of the change, its files and its diff. */
import type { CountTokens } from "../../../tokenizer/tokenizer.ts";
import type { Change, ChangedFile } from "../../change/change.ts";
import type { PackReason } from "../context-pack.ts";
import { filterChangedFile, type PackFilters } from "../filters/filter-file.ts";
import { type PackBlock, plainBlock } from "../render/block.ts";
import type { PackMask } from "../render/create-pack-mask.ts";
import {
  renderChange,
  renderChangedFiles,
  renderDescription,
  renderPackedDiff,
} from "../render/render-change.ts";
import { OMITTED_TOKENS } from "../render/render-omitted.ts";

export type PlannedFile = {
  readonly file: ChangedFile;
  /** Why neither its hunks nor its code are shown; null when they are. */
  readonly reason: PackReason | null;
};

export type PackCore = {
  /** In the order of the change. */
  readonly planned: readonly PlannedFile[];
  /** Up to the diff, with the heading of the code that follows. */
  readonly blocks: readonly PackBlock[];
  readonly relatedHeading: PackBlock;
  /** Includes the space that the list of omissions may need. */
  readonly tokens: number;
};

export function composeCore(
  change: Change,
  filters: PackFilters,
  { mask, countTokens }: { readonly mask: PackMask; readonly countTokens: CountTokens },
): PackCore {
  const planned = change.files.map((file) => ({ file, reason: filterChangedFile(file, filters) }));
  const shown = planned.filter(({ file, reason }) => reason === null && file.hunks.length > 0);
  const blocks = [
    renderChange(change),
    renderDescription(change, mask),
    renderChangedFiles(planned, mask),
    plainBlock(
      "Diff",
      "The hunks of every changed file that may be shown. Lines have their number after the change, removed lines that before it.",
    ),
    ...shown.map(({ file }) => renderPackedDiff(file, mask)),
    plainBlock(
      "Full changed code",
      "Changed files after the change, with line numbers. The diff already has all of every new file.",
    ),
  ];
  const relatedHeading = plainBlock(
    "Related code",
    "Files that the change doesn't touch, closest first, with line numbers.",
  );
  const tokens = [...blocks, relatedHeading].reduce(
    (sum, { text }) => sum + countTokens(text),
    OMITTED_TOKENS,
  );
  return { planned, blocks, relatedHeading, tokens };
}

/** Whether the diff doesn't already show the whole file at the head. */
export function hasMoreThanDiff({ file, reason }: PlannedFile): boolean {
  return reason === null && file.hunks.length > 0 && file.status !== "deleted" && file.status !== "added";
}
