/**
 * Shows the hunks of a file with the whole of a short function around them. The added lines are context on both sides: what
 * changed, and the number of hunks, stay the same.
 */
import { changedPlaces, spanOf } from "../change/changed-places.ts";
import type { ChangedFile, Hunk } from "../change/change.ts";
import type { HunkScope } from "../change/scope.ts";
import type { ShortFunction } from "../context/related-code.ts";

export type WideFile = {
  readonly file: ChangedFile;
  /** One per hunk, for the lines of the wide hunks; empty where none were given. */
  readonly scopes: readonly HunkScope[];
};

/** `functions` may be of any file. No line is shown twice: a function with several hunks is divided among them. */
export function widenHunks(
  file: ChangedFile,
  scopes: readonly HunkScope[],
  functions: readonly ShortFunction[],
): WideFile {
  const its = functions.filter(({ path }) => path === file.path);
  if (its.length === 0) return { file, scopes };
  const hunks: Hunk[] = [];
  const wideScopes: HunkScope[] = [];
  let lastShown = 0;
  for (const [index, hunk] of file.hunks.entries()) {
    const next = file.hunks[index + 1];
    const room = {
      first: lastShown + 1,
      last: next === undefined ? Number.POSITIVE_INFINITY : spanOf(next).newFirst - 1,
    };
    const { before, after } = surroundings(hunk, its, room);
    const scope = scopes[index];
    hunks.push(widen(hunk, before, after));
    if (scope !== undefined)
      wideScopes.push({
        ...scope,
        readings: [...before.map(() => null), ...scope.readings, ...after.map(() => null)],
      });
    lastShown = spanOf(hunk).newLast + after.length;
  }
  return { file: { ...file, hunks }, scopes: wideScopes };
}

type Surroundings = { readonly before: readonly string[]; readonly after: readonly string[] };

/** The lines of the functions that the hunk changes, before and after its own. */
function surroundings(
  hunk: Hunk,
  functions: readonly ShortFunction[],
  room: { readonly first: number; readonly last: number },
): Surroundings {
  const places = changedPlaces(hunk);
  const { newFirst, newLast } = spanOf(hunk);
  const texts = new Map<number, string>();
  for (const { startLine, lines } of functions) {
    const endLine = startLine + lines.length - 1;
    if (!places.some((place) => place >= startLine && place <= endLine)) continue;
    for (const [index, text] of lines.entries()) texts.set(startLine + index, text);
  }
  const before: string[] = [];
  const after: string[] = [];
  for (let line = newFirst - 1; line >= room.first; line--) {
    const text = texts.get(line);
    if (text === undefined) break;
    before.unshift(text);
  }
  for (let line = newLast + 1; line <= room.last; line++) {
    const text = texts.get(line);
    if (text === undefined) break;
    after.push(text);
  }
  return { before, after };
}

function widen(hunk: Hunk, before: readonly string[], after: readonly string[]): Hunk {
  if (before.length + after.length === 0) return hunk;
  const { oldFirst, newFirst } = spanOf(hunk);
  const asContext = (text: string): string => ` ${text}`;
  return {
    oldStart: oldFirst - before.length,
    newStart: newFirst - before.length,
    // Git names the function before the hunk, which is now in it.
    section: before.length > 0 ? "" : hunk.section,
    lines: [...before.map(asContext), ...hunk.lines, ...after.map(asContext)],
  };
}
