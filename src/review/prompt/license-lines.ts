/** Finds the license at the top of a new file. Every file of a repository has the same one, and a reviewer learns nothing from it. */
import type { ChangedFile } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";

/** A shorter header costs no more than the note about it. */
const MIN_LINES = 4;

/** The longest licenses that files begin with have about 40 lines. More text isn't a license. */
const MAX_LINES = 60;

const LICENSE = /\b(?:copyright|licen[cs]ed?|SPDX-License-Identifier)\b/i;

/** Comments that change what tools or compilers do. A header with one is shown. */
const DIRECTIVE =
  /@ts-|@jsx|@flow|\+build|\b(?:eslint|prettier|biome-|oxlint|go:|nolint|noqa|nosec|mypy|pyright|type:|pylint|rubocop|phpcs|checkstyle|SuppressWarnings|pragma|kodiai)/i;

/** The number of lines; 0 if the file isn't new or doesn't begin with a comment about its license. */
export function licenseLines({ status, hunks }: Pick<ChangedFile, "status" | "hunks">): number {
  const [hunk] = hunks;
  if (status !== "added" || hunk === undefined) return 0;
  const lines = walkHunk({ ...hunk, lines: hunk.lines.slice(0, MAX_LINES + 1) }).map(({ text }) =>
    text.trim(),
  );
  const count = lines[0]?.startsWith("/*") === true ? blockLines(lines) : commentLines(lines);
  const header = lines.slice(0, count).join("\n");
  const isLicense =
    count >= MIN_LINES && count <= MAX_LINES && LICENSE.test(header) && !DIRECTIVE.test(header);
  return isLicense ? count : 0;
}

/** Nothing may follow the end of the comment on its line. */
function blockLines(lines: readonly string[]): number {
  const end = lines.findIndex((line) => line.includes("*/"));
  return lines[end]?.indexOf("*/") === (lines[end]?.length ?? 0) - 2 ? end + 1 : 0;
}

/** Lines that all begin with the same mark. */
function commentLines(lines: readonly string[]): number {
  const mark = /^(?:\/\/|#(?!!)|--|;)/.exec(lines[0] ?? "")?.[0];
  if (mark === undefined) return 0;
  const end = lines.findIndex((line) => !line.startsWith(mark));
  return end === -1 ? lines.length : end;
}
