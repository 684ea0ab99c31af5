/**
 * Grows a rule's own bad example into inputs that are made to be slow: repeated, nested, on one line, with the start of
 * what the rule looks for a thousand times over. Generated from the example, so that a new rule is covered by its own.
 */
import { languageOf } from "../../src/review/analysis/languages.ts";
import type { BadExample, ExampleFile, GoodExample } from "../../src/review/floor/rule.ts";

export type HostileExample = { readonly name: string; readonly example: GoodExample };

/** What opens and closes a level of nesting. */
type Level = readonly [open: string, close: string];

const SCRIPT: readonly Level[] = [
  ["{ if (a) {", "}}"],
  ["try { if (a) {", "}} catch (e) {}"],
  ["async function f() {", "}"],
  ["x = [{ a: (", ")}]"],
];
const C: readonly Level[] = [
  ["{ if (a) {", "}}"],
  ["void f(char *p) {", "}"],
];

const LEVELS: Readonly<Record<string, readonly Level[]>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  rust: [
    ["{ if a {", "}}"],
    ["fn f() {", "}"],
  ],
  go: [
    ["if a {", "}"],
    ["for { func() {", "}() }"],
  ],
  java: [
    ["if (a) {", "}"],
    ["class A { void f() {", "}}"],
  ],
  c: C,
  cpp: C,
  csharp: [
    ["if (a) {", "}"],
    ["try {", "} catch (Exception e) { }"],
    ["void F() {", "}"],
  ],
  php: [
    ["if ($a) {", "}"],
    ["function f() {", "}"],
  ],
  ruby: [
    ["if a\n", "\nend"],
    ["def f\n", "\nend"],
    ["begin\n", "\nrescue\nend"],
  ],
  bash: [
    ["if a; then\n", "\nfi"],
    ["( ", " )"],
  ],
};

/** A line up to this long is read; a longer one is cut, and no rule reads it. */
const LONG_LINE_CHARS = 3_900;

/** Enough to meet each construct of an example, few enough to keep the number of inputs small. */
const MAX_LINES_TRIED = 12;

export function* hostileExamples(example: BadExample, chars: number): Generator<HostileExample> {
  const [file] = example.files;
  if (file === undefined || file.after === null) {
    yield* hostileChanges(example, chars);
    return;
  }
  for (const [name, text] of hostileTexts(file.path, file.after, chars)) {
    yield { name, example: { ...example, files: [{ ...file, after: text }, ...example.files.slice(1)] } };
  }
  yield* hostileChanges(example, chars);
}

function* hostileTexts(path: string, text: string, chars: number): Generator<readonly [string, string]> {
  const language = languageOf(path);
  const body = text.endsWith("\n") ? text : `${text}\n`;
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  yield ["repeated", repeat(body, chars)];
  yield ["on long lines", linesOf(`${line} `, chars)];
  yield ["on one line", `${body}${repeat(`${line} `, chars)}`];
  for (const [open, close] of LEVELS[language] ?? []) {
    const depth = Math.floor(chars / 2 / (open.length + close.length));
    const inner = repeat(body, chars / 2);
    yield [`deep inside ${open.trim()}`, `${open.repeat(depth)}\n${inner}${close.repeat(depth)}\n`];
    const levels = Math.floor(chars / (open.length + close.length + body.length));
    yield [
      `at each level of ${open.trim()}`,
      `${`${open}\n${body}`.repeat(levels)}${close.repeat(levels)}\n`,
    ];
  }
  if (language === "python") yield ["indented ever deeper", indented(body, chars)];
  yield* selfNested(body, chars);
  yield* beginnings(body, chars);
}

/** The example inside itself, opened up after each of its lines: functions in functions, calls in calls. */
function* selfNested(body: string, chars: number): Generator<readonly [string, string]> {
  const lines = body.split("\n");
  const depth = Math.floor(chars / body.length);
  for (let at = 1; at < Math.min(lines.length - 1, MAX_LINES_TRIED); at++) {
    const [head, tail] = [lines.slice(0, at).join("\n"), lines.slice(at).join("\n")];
    yield [`inside itself after line ${at}`, `${`${head}\n`.repeat(depth)}${tail.repeat(depth)}`];
  }
}

/** Each line's beginning, cut at each word, over and over: what a pattern starts to match and never finishes. */
function* beginnings(body: string, chars: number): Generator<readonly [string, string]> {
  for (const line of body.split("\n").slice(0, MAX_LINES_TRIED)) {
    const words = line.match(/\s*[\w$]+|\s*[^\w\s]/g) ?? [];
    for (const count of new Set([1, 2, 3, Math.ceil(words.length / 2), words.length - 1])) {
      const start = words.slice(0, count).join("");
      if (start.trim() === "" || count > words.length) continue;
      yield [`beginning ${start.trim()}`, `${body}${linesOf(start, chars)}`];
      yield [`beginning ${start.trim()} and space`, `${body}${linesOf(start + " ".repeat(50), chars)}`];
    }
  }
}

/** The same file and its description many times over. */
function* hostileChanges(example: BadExample, chars: number): Generator<HostileExample> {
  const { files, description } = example;
  const size = files.reduce((sum, { after, before }) => sum + (after ?? before ?? "").length, 0);
  const copies = Math.max(1, Math.min(500, Math.floor(chars / Math.max(size, 1))));
  if (files.length > 0 && files.every(({ before }) => before === undefined || before === null)) {
    const many = Array.from({ length: copies }, (_, index) => files.map((file) => copyOf(file, index)));
    yield { name: "in many files", example: { ...example, files: many.flat() } };
  }
  const { title = "", body = "", commits = [] } = description ?? {};
  for (const text of new Set([title, body, ...commits].filter((each) => each !== ""))) {
    const commit = Array.from({ length: Math.floor(chars / text.length / 2) }, () => text);
    yield {
      name: "in many commits",
      example: { ...example, description: { ...description, commits: commit } },
    };
    for (const [name, grown] of [
      ["in a long title", repeat(`${text} `, chars)],
      ["in many lines of the description", repeat(`${text}\n`, chars)],
      ["in an open comment", repeat(`<!-- ${text} `, chars)],
    ] as const) {
      const given = name === "in a long title" ? { title: grown } : { body: grown };
      yield { name, example: { ...example, description: { ...description, ...given } } };
    }
  }
}

function copyOf(file: ExampleFile, index: number): ExampleFile {
  const slash = file.path.lastIndexOf("/") + 1;
  return { ...file, path: `${file.path.slice(0, slash)}d${index}/${file.path.slice(slash)}` };
}

function repeat(text: string, chars: number): string {
  return text.repeat(Math.max(1, Math.floor(chars / text.length)));
}

/** Lines as long as may be, filled with the text. */
function linesOf(text: string, chars: number): string {
  const line = `${repeat(text, LONG_LINE_CHARS).trimEnd()}\n`;
  return repeat(line, chars);
}

function indented(body: string, chars: number): string {
  let text = "";
  for (let depth = 0; text.length < chars; depth++) {
    const space = " ".repeat(depth);
    text += `${body.replaceAll(/^(?=.)/gm, space)}${space}if a:\n`;
  }
  return text;
}
