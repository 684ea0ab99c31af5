/** Ways in which models damage a suggestion. The affected line or bracket depends only on the edit, so that runs are repeatable. */
import { createHash } from "node:crypto";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import { textKindAt } from "../../src/syntax/judge-edit.ts";
import type { RealEdit } from "./real-edits.ts";

export type Damage = {
  readonly name: string;
  /** The expected result: refused, or cleaned back to the edit. */
  readonly expects: "refused" | "cleaned";
  /** Returns null if this edit can't be damaged in this way. */
  readonly spoil: (edit: RealEdit) => string | null;
};

const WORDS = [
  "... existing code ...",
  "rest of the function unchanged",
  "...",
  "… rest of the code …",
  "existing code",
  "... (unchanged)",
  "remaining code stays the same",
  "... other methods ...",
  "same as before",
  "[rest of the implementation]",
  "... rest of implementation ...",
  "(rest of the method is unchanged)",
  "... keep existing code ...",
  "existing implementation continues here",
  "...rest of your code...",
  "unchanged code omitted for brevity",
  "… previous code …",
  "... same as above ...",
  "other code remains the same",
  "the rest stays as it was",
];

const SENTENCES = [
  "Use a constant here instead of repeating the literal.",
  "Check that the value is not null before you use it",
  "You should close the connection when the request fails.",
  "Replace this with a call to the helper and remove the duplicated branch.",
  "Consider moving the validation out of the loop.",
  "This should return early if the list is empty.",
  "Remove the unused import.",
  "Wrap the call in a try block and log the error before returning.",
  "Add a null check before accessing the property.",
  "The loop variable is captured by reference, so copy it first.",
  "We need to handle the case where the response is empty",
  "Change the comparison to be strict and add a test for it.",
  "Make sure to release the lock in a finally block.",
  "I would extract this into a separate function",
  "It is safer to use a prepared statement here.",
  "Please rename the variable to something more descriptive",
];

/** Comment markers by language; the default is `#`. */
const COMMENTS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  html: ["<!-- ", " -->"],
  css: ["/* ", " */"],
  ...Object.fromEntries(
    ["javascript", "typescript", "tsx", "go", "java", "rust", "c", "cpp", "csharp", "php", "kotlin"].map(
      (language) => [language, ["// ", ""] as const],
    ),
  ),
};

export const DAMAGES: readonly Damage[] = [
  {
    name: "placeholder in the middle",
    expects: "refused",
    spoil: (edit) => inMiddle(edit, placeholder(edit)),
  },
  { name: "placeholder at the end", expects: "refused", spoil: (edit) => atEnd(edit, placeholder(edit)) },
  {
    name: "bare ellipsis in the middle",
    expects: "refused",
    spoil: (edit) => (isWithinText(edit) ? null : inMiddle(edit, pick(edit, "bare", ["...", "…"]))),
  },
  {
    name: "bare ellipsis at the end",
    expects: "refused",
    spoil: (edit) => (isWithinText(edit) ? null : atEnd(edit, "...")),
  },
  {
    name: "prose",
    expects: "refused",
    spoil: (edit) => (isWithinText(edit) ? null : indentOf(edit.current) + pick(edit, "prose", SENTENCES)),
  },
  {
    name: "prose above the code",
    expects: "refused",
    spoil: (edit) =>
      isWithinText(edit)
        ? null
        : lines(edit, [indentOf(edit.current) + pick(edit, "above", SENTENCES), ...edit.replacement]),
  },
  { name: "last line cut", expects: "refused", spoil: (edit) => cut(edit, "") },
  { name: "last line cut with dots", expects: "refused", spoil: (edit) => cut(edit, "...") },
  { name: "bracket dropped", expects: "refused", spoil: dropBracket },
  { name: "fence", expects: "cleaned", spoil: (edit) => fenced(edit, edit.replacement) },
  {
    name: "plus signs",
    expects: "cleaned",
    spoil: (edit) =>
      lines(
        edit,
        edit.replacement.map((line) => `+${line}`),
      ),
  },
  { name: "whole diff", expects: "cleaned", spoil: wholeDiff },
  {
    name: "whole diff in a fence",
    expects: "cleaned",
    spoil: (edit) => fenced(edit, wholeDiff(edit).split("\n")),
  },
  { name: "line numbers", expects: "cleaned", spoil: numbered },
];

const syntax = createAstGrepSyntax();

/** Any words are valid in a comment or a string, so text there can't be damaged. */
function isTextAt(edit: RealEdit, text: string, line: number, column?: number): boolean {
  const { language } = edit;
  const tree = syntax.supports(language) ? syntax.parse(language, text) : null;
  return (
    tree !== null && syntax.supports(language) && textKindAt({ language, text, tree }, line, column) !== null
  );
}

function isWithinText(edit: RealEdit): boolean {
  const first = edit.current.findIndex((line) => line.trim() !== "");
  return isTextAt(edit, edit.text, edit.startLine - 1 + Math.max(0, first));
}

function edited({ text, startLine, current, replacement }: RealEdit): string {
  return text
    .split("\n")
    .toSpliced(startLine - 1, current.length, ...replacement)
    .join("\n");
}

function hashOf({ name }: RealEdit, salt: string): number {
  return createHash("sha256").update(`${salt} ${name}`).digest().readUInt32BE();
}

function pick<Item>(edit: RealEdit, salt: string, from: readonly [Item, ...Item[]] | readonly Item[]): Item {
  const item = from[hashOf(edit, salt) % from.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

function indentOf(all: readonly string[]): string {
  return /^[ \t]*/.exec(all.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
}

function placeholder(edit: RealEdit): string {
  const [open, close] = COMMENTS[edit.language] ?? ["# ", ""];
  return `${open}${pick(edit, "words", WORDS)}${close}`;
}

/** An edit that deletes leaves nothing. */
function lines({ replacement }: RealEdit, spoilt: readonly string[]): string | null {
  return replacement.length === 0 ? null : spoilt.join("\n");
}

/** Replaces the lines in the middle if there are three or more. */
function inMiddle(edit: RealEdit, line: string): string | null {
  const { replacement } = edit;
  const start = Math.ceil(replacement.length / 3);
  const dropped = Math.floor(replacement.length / 3);
  const spoilt = replacement.toSpliced(start, dropped, indentOf(replacement.slice(start - 1)) + line);
  return lines(edit, spoilt);
}

function atEnd(edit: RealEdit, line: string): string | null {
  return lines(edit, [...edit.replacement, indentOf(edit.replacement.slice(-1)) + line]);
}

/** Cuts the last line with text in half. */
function cut(edit: RealEdit, end: string): string | null {
  const index = edit.replacement.findLastIndex((line) => line.trim().length >= 6);
  const line = edit.replacement[index];
  if (line === undefined) return null;
  const indent = indentOf([line]);
  const half = line
    .trim()
    .slice(0, Math.ceil(line.trim().length / 2))
    .trimEnd();
  if (isTextAt(edit, edited(edit), edit.startLine - 1 + index, indent.length + half.length - 1)) return null;
  return [...edit.replacement.slice(0, index), `${indent}${half}${end}`].join("\n");
}

function dropBracket(edit: RealEdit): string | null {
  const text = edit.replacement.join("\n");
  const whole = edited(edit);
  const brackets = [...text.matchAll(/[()[\]{}]/g)]
    .map(({ index }) => index)
    .filter((at) => {
      const above = text.slice(0, at).split("\n");
      return !isTextAt(edit, whole, edit.startLine - 2 + above.length, above.at(-1)?.length);
    });
  if (brackets.length === 0) return null;
  const at = pick(edit, "bracket", brackets);
  return text.slice(0, at) + text.slice(at + 1);
}

function fenced(edit: RealEdit, inside: readonly string[]): string | null {
  const [open, close] = pick(edit, "fence", [
    ["```suggestion", "```"],
    [`\`\`\`${edit.language}`, "```"],
    ["```", "```"],
    ["~~~", "~~~"],
  ]);
  return lines(edit, [open ?? "", ...inside, close ?? ""]);
}

function wholeDiff({ current, replacement }: RealEdit): string {
  return [...current.map((line) => `-${line}`), ...replacement.map((line) => `+${line}`)].join("\n");
}

function numbered(edit: RealEdit): string | null {
  const form = pick(edit, "numbers", [
    (number: number) => `${number}: `,
    (number: number) => `${number}\t`,
    (number: number) => `${number}→`,
    (number: number) => `${String(number).padStart(5)}       |+`,
  ]);
  return lines(
    edit,
    edit.replacement.map((line, index) => `${form(edit.startLine + index)}${line}`),
  );
}
