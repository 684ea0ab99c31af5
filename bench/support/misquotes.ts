/**
 * Ways in which models misquote code while meaning the same place. A person would still find each quote. A way returns null if it can't
 * be applied to a place.
 */
import type { Chance } from "../../test/support/chance.ts";

/** A place in a diff that a reviewer could comment on. */
export type Position = {
  readonly side: "new" | "old";
  /** The lines in order, without diff signs. */
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The adjacent lines in the same hunk on this side; null at the edge. */
  readonly before: string | null;
  readonly after: string | null;
  /** Removed lines directly above added lines, which they replace. */
  readonly replaced: readonly string[];
  /** Whether the file's diff contains the same code a second time. */
  readonly hasTwin: boolean;
};

export type Misquote = {
  readonly quote: string;
  /** The line number given with the quote; null for none. Default: the first line of the place. */
  readonly hint?: number | null;
  /** The lines that the quote refers to, if they aren't the whole place. */
  readonly means?: readonly [start: number, end: number];
};

type Way = (position: Position, chance: Chance) => Misquote | null;

const all = ({ lines }: Position): string => lines.join("\n");
const perLine =
  (change: (line: string, number: number) => string): Way =>
  ({ lines, start }) => ({ quote: lines.map((line, index) => change(line, start + index)).join("\n") });
const wrapped =
  (open: string, close: string): Way =>
  (position) => ({ quote: `${open}${all(position)}${close}` });
const ifLines =
  (least: number, way: Way): Way =>
  (position, chance) =>
    position.lines.length < least ? null : way(position, chance);
/** Returns null if the change makes no difference. */
const changing =
  (change: (text: string) => string): Way =>
  (position) => {
    const quote = change(all(position));
    return quote === all(position) ? null : { quote };
  };
const sign = ({ side }: Position): string => (side === "new" ? "+" : "-");

/** Finds where to break a long line: at a space in the middle third. */
function middleOf(line: string): number | null {
  const text = line.trim();
  if (text.length < 30) return null;
  const at = text.indexOf(" ", Math.floor(text.length / 3));
  return at < 0 || at > (2 * text.length) / 3 ? null : line.indexOf(text) + at;
}

function breakLongest(position: Position, join: (head: string, tail: string) => string): Misquote | null {
  const longest = position.lines.toSorted((a, b) => b.length - a.length)[0] ?? "";
  const at = middleOf(longest);
  if (at === null) return null;
  const broken = join(longest.slice(0, at), longest.slice(at + 1));
  return { quote: position.lines.map((line) => (line === longest ? broken : line)).join("\n") };
}

/** Cuts the last line in the middle, as an abbreviation. */
const cutEnd =
  (mark: string): Way =>
  (position) => {
    const last = position.lines.at(-1) ?? "";
    const at = middleOf(last);
    return at === null
      ? null
      : { quote: [...position.lines.slice(0, -1), last.slice(0, at) + mark].join("\n") };
  };

const cutStart =
  (mark: string): Way =>
  (position) => {
    const [first = "", ...rest] = position.lines;
    const at = middleOf(first);
    return at === null ? null : { quote: [mark + first.slice(at), ...rest].join("\n") };
  };

/** Replaces the lines between the first and the last with a mark. */
const gap = (mark: string): Way =>
  ifLines(3, ({ lines }) => ({ quote: [lines[0], mark, lines.at(-1)].join("\n") }));

const WORD = /[A-Za-z_][A-Za-z0-9_]{4,}/g;

function changeWord(position: Position, chance: Chance, change: (word: string) => string): Misquote | null {
  const text = all(position);
  // Changing a short quote changes its meaning.
  if (text.trim().length < 20) return null;
  const found = chance.of([...text.matchAll(WORD)]);
  if (found === undefined) return null;
  const changed = change(found[0]);
  if (changed === found[0]) return null;
  return { quote: text.slice(0, found.index) + changed + text.slice(found.index + found[0].length) };
}

const otherCase = (word: string): string =>
  word.includes("_")
    ? word.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
    : word.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();

const withHint =
  (move: (position: Position, chance: Chance) => number | null): Way =>
  (position, chance) => ({ quote: all(position), hint: move(position, chance) });

const moved =
  (most: number) =>
  ({ start }: Position, chance: Chance): number =>
    Math.max(1, start + (chance.below(2) === 0 ? -1 : 1) * (1 + chance.below(most)));

export const WAYS: Readonly<Record<string, Way>> = {
  "as it is": (position) => ({ quote: all(position) }),
  "no line given": withHint(() => null),
  "line off by up to 3": withHint(moved(3)),
  "line off by up to 10": withHint(moved(10)),
  "line off by 100": withHint(({ start }) => start + 100),
  "last line given": withHint(({ end }) => end),
  "twin, line off by up to 10": (position, chance) =>
    position.hasTwin ? { quote: all(position), hint: moved(10)(position, chance) } : null,

  "trimmed lines": perLine((line) => line.trim()),
  "whole quote trimmed": changing((text) => text.trim()),
  "tabs as spaces": changing((text) => text.replaceAll("\t", "    ")),
  "spaces as tabs": changing((text) =>
    text.replace(/^(?: {2})+/gm, (indent) => "\t".repeat(indent.length / 2)),
  ),
  "indented more": perLine((line) => `    ${line}`),
  "spaces collapsed": perLine((line) => line.replace(/\s+/g, " ")),
  "spaces around signs dropped": changing((text) => text.replace(/ ([=+<>:-]+) /g, "$1")),
  "spaces after commas": changing((text) => text.replace(/,\s*/g, ", ").replace(/\(\s*/g, "( ")),
  "non-breaking spaces": changing((text) => text.replace(/ /g, "\u00a0")),
  "carriage returns": perLine((line) => `${line}\r`),
  "spaces at the ends": perLine((line) => `${line}  `),

  "in a fence": wrapped("```\n", "\n```"),
  "in a fence with a language": wrapped("```ts\n", "\n```"),
  "in a fence of tildes": wrapped("~~~\n", "\n~~~"),
  "in a diff fence with signs": (position) => ({
    quote: `\`\`\`diff\n${position.lines.map((line) => sign(position) + line).join("\n")}\n\`\`\``,
  }),
  "in backticks": wrapped("`", "`"),
  "each line in backticks": perLine((line) => `\`${line.trim()}\``),
  "in quotation marks": wrapped('"', '"'),
  "as a Markdown quote": perLine((line) => `> ${line}`),

  "joined with spaces": ifLines(2, ({ lines }) => ({ quote: lines.map((line) => line.trim()).join(" ") })),
  "joined with nothing": ifLines(2, ({ lines }) => ({ quote: lines.map((line) => line.trim()).join("") })),
  "literal \\n": ifLines(2, ({ lines }) => ({ quote: lines.join("\\n") })),
  "literal \\n and \\t": ifLines(2, ({ lines }) => ({
    quote: lines.map((line) => line.replaceAll("\t", "\\t")).join("\\n"),
  })),
  "return signs between lines": ifLines(2, ({ lines }) => ({
    quote: lines.map((line) => line.trim()).join(" ⏎ "),
  })),
  "a long line split": (position) => breakLongest(position, (head, tail) => `${head}\n${tail}`),
  "a long line split and indented": (position) =>
    breakLongest(position, (head, tail) => `${head}\n        ${tail}`),
  "blank lines added": ifLines(2, ({ lines }) => ({ quote: lines.join("\n\n") })),
  "blank lines around": (position) => ({ quote: `\n\n${all(position)}\n\n` }),
  "blank lines dropped": ifLines(
    3,
    changing((text) => text.replace(/\n\s*\n/g, "\n")),
  ),

  "end cut with ...": cutEnd("..."),
  "end cut with a space and ...": cutEnd(" ..."),
  "end cut with …": cutEnd("…"),
  "end cut without a mark": (position, chance) =>
    position.lines.length > 3 ? null : cutEnd("")(position, chance),
  "start cut with ...": cutStart("..."),
  "start cut with …": cutStart("… "),
  "cut in the middle of a line": (position) =>
    breakLongest(position, (head, tail) => `${head} ... ${tail.slice(Math.min(8, tail.length - 8))}`),
  "lines as ...": gap("..."),
  "lines as …": gap("  …"),
  "lines as // ...": gap("    // ..."),
  "lines as # ...": gap("# ..."),
  "lines as [...]": gap("[...]"),
  "lines as // ... existing code ...": gap("// ... existing code ..."),
  "lines as /* … */": gap("/* … */"),

  "a middle line forgotten": ifLines(3, ({ lines }, chance) => ({
    quote: lines.toSpliced(1 + chance.below(lines.length - 2), 1).join("\n"),
  })),
  "two middle lines forgotten": ifLines(5, ({ lines }, chance) => ({
    quote: lines.toSpliced(1 + chance.below(lines.length - 3), 2).join("\n"),
  })),
  "removed and added lines together": ({ replaced, lines, side }) =>
    replaced.length === 0 || side === "old" ? null : { quote: [...replaced, ...lines].join("\n") },
  "removed and added lines with signs": ({ replaced, lines, side }) =>
    replaced.length === 0 || side === "old"
      ? null
      : { quote: [...replaced.map((line) => `-${line}`), ...lines.map((line) => `+${line}`)].join("\n") },
  "one line more before": ({ before, lines, start, end }) =>
    before === null || before.trim() === ""
      ? null
      : { quote: [before, ...lines].join("\n"), means: [start - 1, end] },

  "13: ": perLine((line, number) => `${number}: ${line}`),
  "13:": perLine((line, number) => `${number}:${line}`),
  "13→": perLine((line, number) => `${number}→${line}`),
  "   13→": perLine((line, number) => `${String(number).padStart(6)}→${line}`),
  "L13: ": perLine((line, number) => `L${number}: ${line}`),
  "L13 ": perLine((line, number) => `L${number} ${line}`),
  "+13 ": (position) => ({
    quote: position.lines
      .map((line, index) => `${sign(position)}${position.start + index} ${line}`)
      .join("\n"),
  }),
  "13 + ": (position) => ({
    quote: position.lines
      .map((line, index) => `${position.start + index} ${sign(position)} ${line}`)
      .join("\n"),
  }),
  "13 | ": perLine((line, number) => `${number} | ${line}`),
  "13|": perLine((line, number) => `${number}|${line}`),
  "13 tab": perLine((line, number) => `${number}\t${line}`),
  "13 ": perLine((line, number) => `${number} ${line}`),
  "13. ": perLine((line, number) => `${number}. ${line}`),
  "[13] ": perLine((line, number) => `[${number}] ${line}`),
  "Line 13: ": perLine((line, number) => `Line ${number}: ${line}`),
  "the gutter of a diff": (position) => ({
    quote: position.lines
      .map((line, index) => `${position.start + index}${sign(position)}${line}`)
      .join("\n"),
  }),
  signs: (position) => ({ quote: position.lines.map((line) => sign(position) + line).join("\n") }),
  "signs and spaces": (position) => ({
    quote: position.lines.map((line) => `${sign(position)} ${line}`).join("\n"),
  }),
  "signs, trimmed": (position) => ({
    quote: position.lines.map((line) => `${sign(position)} ${line.trim()}`).join("\n"),
  }),
  "a sign before the first line": (position) => ({ quote: sign(position) + all(position) }),
  "the header of the hunk before it": (position) => ({
    quote: `@@ -${position.start},7 +${position.start},9 @@\n${position.lines.map((line) => sign(position) + line).join("\n")}`,
  }),

  "a word in another case": (position, chance) => changeWord(position, chance, otherCase),
  "all in lower case": changing((text) => text.toLowerCase()),
  "a letter missing": (position, chance) =>
    changeWord(position, chance, (word) => word.slice(0, 2) + word.slice(3)),
  "a letter twice": (position, chance) =>
    changeWord(position, chance, (word) => word.slice(0, 3) + word.slice(2)),
  "two letters swapped": (position, chance) =>
    changeWord(
      position,
      chance,
      (word) => word.slice(0, 1) + word.charAt(2) + word.charAt(1) + word.slice(3),
    ),
  "other quotation marks": changing((text) => text.replace(/["'`]/g, (mark) => (mark === '"' ? "'" : '"'))),
  "typographic quotation marks": changing((text) => text.replace(/"/g, "”").replace(/'/g, "’")),
  "quotation marks escaped": changing((text) => text.replace(/"/g, '\\"')),
  "backslashes doubled": changing((text) => text.replace(/\\/g, "\\\\")),
  "HTML entities": changing((text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"),
  ),
  "semicolons and commas at the end dropped": changing((text) => text.replace(/[;,]$/gm, "")),
  "a comment at the end dropped": changing((text) => text.replace(/([\w;)}\]])[ \t]+(?:\/\/|# ).*$/gm, "$1")),
  "decomposed characters": changing((text) => text.normalize("NFD")),
};
