/**
 * Tracks what one attempt of a model has seen, and in which turn: nothing is sent twice, and nothing counts as read that never
 * reached the model. Answers of tools reach it with the next turn; a run that ends before that turn hasn't shown them.
 */

/** Lines of a diff or a file, from 1. */
type Part = { readonly from: number; readonly to: number };

export type Shown = {
  /** The whole diff of this file has reached the model. */
  hasDiff(path: string): boolean;
  /** Files for which `hasDiff` is true. */
  diffs(): readonly string[];
  /** Notes that these lines of its diff are shown now; `total` is the number of lines in the diff. */
  noteDiff(path: string, part: Part & { readonly total: number }): void;
  noteLines(file: string, part: Part): void;
  /** Where the model has seen these lines of a diff: "in the prompt", "in turn 3"; null if they haven't reached it. */
  whereDiff(path: string, part: Part): string | null;
  /** The same for lines of a file; `file` names it with its revision. */
  whereLines(file: string, part: Part): string | null;
};

/** The prompt comes before any turn: a model that calls a tool has read it. */
const PROMPT = -1;

/** `inPrompt`: files whose whole diff is in the prompt. `turn`: the current turn, from 1. */
export function createShown(inPrompt: readonly string[], turn: () => number): Shown {
  const wholeSince = new Map(inPrompt.map((path) => [path, PROMPT]));
  /** The last line up to which a diff was shown without a gap. */
  const shownUntil = new Map<string, number>();
  const diffParts = createParts(turn);
  const lineParts = createParts(turn);
  const hasDiff = (path: string): boolean => (wholeSince.get(path) ?? Infinity) < turn();
  return {
    hasDiff,
    diffs: () => [...wholeSince.keys()].filter(hasDiff),
    noteDiff(path, { from, to, total }) {
      diffParts.note(path, { from, to });
      const before = shownUntil.get(path) ?? 0;
      const now = from <= before + 1 ? Math.max(before, to) : before;
      shownUntil.set(path, now);
      if (now >= total && !wholeSince.has(path)) wholeSince.set(path, turn());
    },
    noteLines: (file, part) => lineParts.note(file, part),
    whereDiff: (path, part) =>
      wholeSince.get(path) === PROMPT ? "in the prompt" : diffParts.where(path, part),
    whereLines: (file, part) => lineParts.where(file, part),
  };
}

function createParts(turn: () => number) {
  const parts = new Map<string, (Part & { readonly turn: number })[]>();
  return {
    note(name: string, part: Part): void {
      parts.set(name, [...(parts.get(name) ?? []), { ...part, turn: turn() }]);
    },
    where(name: string, { from, to }: Part): string | null {
      const found = parts.get(name)?.find((part) => part.turn < turn() && part.from <= from && part.to >= to);
      return found === undefined ? null : `in turn ${found.turn}`;
    },
  };
}
