/** Renders the changed files of a pull request, with each comment under its line. */
import type { DiffLine, FileDiff } from "../diff.ts";
import type { ReviewComment } from "../world.ts";
import { escapeHtml } from "./html.ts";

/** A comment on lines, as the page shows it. */
export type ShownComment = {
  readonly comment: ReviewComment;
  /** At the current head. Null if the comment is outdated. */
  readonly line: number | null;
  readonly startLine: number | null;
};

export type RenderComment = (shown: ShownComment, replaced: readonly string[]) => string;

function isOn({ comment, line: wanted }: ShownComment, line: DiffLine): boolean {
  return comment.side === "RIGHT"
    ? line.mark !== "-" && line.newLine === wanted
    : line.mark !== "+" && line.oldLine === wanted;
}

/** The lines of the new side that a suggestion in the comment replaces. */
function replacedBy({ line, startLine }: ShownComment, file: FileDiff): readonly string[] {
  if (line === null) return [];
  return file.hunks
    .flatMap(({ lines }) => lines)
    .filter(({ mark, newLine }) => mark !== "-" && newLine >= (startLine ?? line) && newLine <= line)
    .map(({ text }) => text.slice(1));
}

function renderLine(line: DiffLine): string {
  const kind = line.mark === "+" ? "added" : line.mark === "-" ? "removed" : "";
  const oldNumber = line.mark === "+" ? "" : line.oldLine;
  const newNumber = line.mark === "-" ? "" : line.newLine;
  return `<tr class="${kind}"><td class="number">${oldNumber}</td><td class="number">${newNumber}</td><td>${escapeHtml(line.text)}</td></tr>`;
}

export function renderFile(
  file: FileDiff,
  comments: readonly ShownComment[],
  renderComment: RenderComment,
): string {
  const rows = file.hunks.flatMap((hunk) => [
    `<tr class="hunk"><td colspan="3">${escapeHtml(hunk.header)}</td></tr>`,
    ...hunk.lines.flatMap((line) => [
      renderLine(line),
      ...comments
        .filter((shown) => isOn(shown, line))
        .map(
          (shown) =>
            `<tr class="comment"><td colspan="3">${renderComment(shown, replacedBy(shown, file))}</td></tr>`,
        ),
    ]),
  ]);
  const table =
    rows.length === 0 ? '<p class="check">No text.</p>' : `<table class="diff">${rows.join("")}</table>`;
  return `<section class="box"><header><code>${escapeHtml(file.path)}</code></header>${table}</section>`;
}
