/**
 * Tracks what one attempt of a model has seen, and in which turn: nothing is sent twice, and nothing counts as read that never
 * reached the model. Answers of tools reach it with the next turn; a run that ends before that turn hasn't shown them.
 */
import type { ChangedFile } from "../review/change/change.ts";
import type { FilePart } from "../review/change/scope.ts";
import type { Prompt } from "../review/prompt/prompt.ts";

/** Lines of a diff or a file, from 1. */
type Part = { readonly from: number; readonly to: number };

export type Shown = {
  /** The whole diff of this file has reached the model. */
  hasDiff(path: string): boolean;
  /** The numbers of the hunks that have reached the model completely. */
  hunks(file: Pick<ChangedFile, "path" | "hunks">): readonly number[];
  /** Files for which `hasDiff` is true. */
  diffs(): readonly string[];
  /** The hunks of other files that have reached the model. */
  parts(): readonly FilePart[];
  /** Notes that these lines of its diff are shown now; `hunkLines` has the number of lines of each hunk. */
  noteDiff(path: string, part: Part & { readonly hunkLines: readonly number[] }): void;
  noteLines(file: string, part: Part): void;
  /** Where the model has seen these lines of a diff: "in the prompt", "in turn 3"; null if they haven't reached it. */
  whereDiff(path: string, part: Part): string | null;
  /** The same for lines of a file; `file` names it with its revision. */
  whereLines(file: string, part: Part): string | null;
  /** Notes a finding that is recorded now without a line, by its title. */
  noteUnplaced(title: string): void;
  /** Such findings of this turn. The model hasn't read the answers that say so. */
  unplaced(): readonly string[];
};

/** A model that calls a tool has read the prompt. `turn`: the current turn, from 1. */
export function createShown(
  { shownPaths, shownParts }: Pick<Prompt, "shownPaths" | "shownParts">,
  turn: () => number,
): Shown {
  const inPrompt = new Set(shownPaths);
  const partsInPrompt = new Map(shownParts.map(({ path, hunks }) => [path, hunks]));
  const hunkLines = new Map<string, readonly number[]>();
  const diffParts = createParts(turn);
  const lineParts = createParts(turn);
  const unplaced: { readonly title: string; readonly turn: number }[] = [];
  const seenHunks = (path: string): readonly number[] => {
    let end = 0;
    const inTurns = (hunkLines.get(path) ?? []).flatMap((lines, index) => {
      const part = { from: end + 1, to: (end += lines) };
      return diffParts.covers(path, part) ? [index + 1] : [];
    });
    return [...new Set([...(partsInPrompt.get(path) ?? []), ...inTurns])].toSorted((a, b) => a - b);
  };
  const hasDiff = (path: string): boolean => {
    if (inPrompt.has(path)) return true;
    const total = hunkLines.get(path)?.length;
    // A file without hunks is shown with its name.
    return total === 0 ? diffParts.covers(path, { from: 1, to: 0 }) : seenHunks(path).length === total;
  };
  return {
    hasDiff,
    hunks: ({ path, hunks }) => (hasDiff(path) ? hunks.map((_, index) => index + 1) : seenHunks(path)),
    diffs: () => [...new Set([...inPrompt, ...hunkLines.keys()])].filter(hasDiff),
    parts: () =>
      [...new Set([...partsInPrompt.keys(), ...hunkLines.keys()])]
        .filter((path) => !hasDiff(path))
        .map((path) => ({ path, hunks: seenHunks(path) }))
        .filter(({ hunks }) => hunks.length > 0),
    noteDiff(path, { from, to, hunkLines: lines }) {
      diffParts.note(path, { from, to });
      hunkLines.set(path, lines);
    },
    noteUnplaced: (title) => void unplaced.push({ title, turn: turn() }),
    unplaced: () => unplaced.filter((each) => each.turn === turn()).map(({ title }) => title),
    noteLines: (file, part) => lineParts.note(file, part),
    whereDiff: (path, part) => (inPrompt.has(path) ? "in the prompt" : diffParts.where(path, part)),
    whereLines: (file, part) => lineParts.where(file, part),
  };
}

function createParts(turn: () => number) {
  const parts = new Map<string, (Part & { readonly turn: number })[]>();
  const seen = (name: string) => (parts.get(name) ?? []).filter((part) => part.turn < turn());
  return {
    note(name: string, part: Part): void {
      parts.set(name, [...(parts.get(name) ?? []), { ...part, turn: turn() }]);
    },
    where(name: string, { from, to }: Part): string | null {
      const found = seen(name).find((part) => part.from <= from && part.to >= to);
      return found === undefined ? null : `in turn ${found.turn}`;
    },
    /** Whether several parts together have these lines. */
    covers(name: string, { from, to }: Part): boolean {
      const before = seen(name).toSorted((a, b) => a.from - b.from);
      let next = from;
      for (const part of before) if (part.from <= next) next = Math.max(next, part.to + 1);
      return before.length > 0 && next > to;
    },
  };
}
