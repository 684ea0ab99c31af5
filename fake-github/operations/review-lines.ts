/** Checks the positions of a review's comments: each must be on lines of the diff. Refuses with GitHub's texts. */
import {
  comparisonOf,
  type DiffPlace,
  diffOf,
  type FileDiff,
  placeAtPosition,
  placeInDiff,
} from "../diff.ts";
import { numberIn, textIn } from "../call.ts";
import type { JsonObject } from "../json.ts";
import { baseOf } from "../present/pull-request.ts";
import { unprocessable } from "../refusal.ts";
import type { PullRequest, ReviewComment, Side } from "../world.ts";

export type PlacedComment = Pick<
  ReviewComment,
  "path" | "side" | "line" | "startSide" | "startLine" | "position" | "diffHunk" | "body"
>;

const THREAD = "Pull request review thread";
const OUTSIDE_DIFF = `${THREAD} line must be part of the diff and ${THREAD} diff hunk can't be blank`;
const START_OUTSIDE = `${THREAD} start line must be part of the same hunk as the line.`;
const START_NOT_BEFORE = `${THREAD} start line must precede the end line.`;
const BAD_PATH = "Path could not be resolved";

function sideOf(value: string | null): Side {
  return value === "LEFT" ? "LEFT" : "RIGHT";
}

function hunkUpTo({ hunk, index }: DiffPlace): string {
  return [hunk.header, ...hunk.lines.slice(0, index + 1).map(({ text }) => text)].join("\n");
}

function placeComment(files: readonly FileDiff[], comment: JsonObject): PlacedComment {
  const path = textIn(comment, "path") ?? "";
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw unprocessable(BAD_PATH);
  const side = sideOf(textIn(comment, "side"));
  const line = numberIn(comment, "line");
  const position = numberIn(comment, "position");
  const place = line === null ? placeAtPosition(file, position ?? -1) : placeInDiff(file, side, line);
  const shown = place?.hunk.lines[place.index];
  if (place === null || shown === undefined) throw unprocessable(OUTSIDE_DIFF);
  const startLine = numberIn(comment, "start_line");
  const startSide = startLine === null ? null : sideOf(textIn(comment, "start_side") ?? side);
  if (startLine !== null && startSide !== null) {
    const start = placeInDiff(file, startSide, startLine);
    if (start === null || start.hunk !== place.hunk) throw unprocessable(START_OUTSIDE);
    if (start.index >= place.index) throw unprocessable(START_NOT_BEFORE);
  }
  const shownSide: Side = line === null && shown.mark === "-" ? "LEFT" : side;
  return {
    path,
    side: shownSide,
    line: line ?? (shownSide === "LEFT" ? shown.oldLine : shown.newLine),
    startSide,
    startLine,
    position: shown.position,
    diffHunk: hunkUpTo(place),
    body: textIn(comment, "body") ?? "",
  };
}

/** Throws 422 for the first comment that is elsewhere: GitHub accepts a review as a whole or not at all. */
export async function placeComments(
  pullRequest: PullRequest,
  commit: string,
  comments: readonly JsonObject[],
): Promise<readonly PlacedComment[]> {
  if (comments.length === 0) return [];
  const files = await diffOf(pullRequest.repository.directory, await baseOf(pullRequest), commit);
  return comments.map((comment) => placeComment(files, comment));
}

/** Whether the pull request currently has this commit. */
export async function hasCommit(pullRequest: PullRequest, commit: string): Promise<boolean> {
  const base = await baseOf(pullRequest);
  const { commits } = await comparisonOf(pullRequest.repository.directory, base, pullRequest.head);
  return commits.includes(commit);
}
