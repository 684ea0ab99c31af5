/**
 * Grows a rule's bad example into slow inputs: repeated, nested, on one line, with a thousand starts of the pattern that the rule looks
 * for. The inputs are generated from the example, so that a new rule is covered automatically.
 */
import { languageOf } from "../../src/languages/language-of.ts";
import type { FloorRule } from "../../src/rules/rule.ts";
import type { BadExample, ExampleFile, GoodExample } from "./rule-examples.ts";

export type HostileExample = { readonly name: string; readonly example: GoodExample };

/** Text that opens and closes a level of nesting. */
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

/** Together with a line of an example, just below the limit: a longer line is cut, and no rule reads it. */
const LONG_LINE_CHARS = 3_800;

/** Delimiters of text blocks that grammars don't parse. */
const COMMENTS: Readonly<Record<string, Level>> = {
  python: ['"""', '"""'],
  ruby: ["=begin", "=end"],
  bash: [": <<'END'", "END"],
};

/** Enough for the words of a few lines. */
const MAX_LONG_PLACES = 30;

/** Enough for the constructs of an example, and few enough to limit the number of inputs. */
const MAX_LINES_NESTED = 5;

export function* hostileExamples(
  kind: FloorRule["kind"],
  example: BadExample,
  chars: number,
): Generator<HostileExample> {
  const [file] = example.files;
  if (file !== undefined && file.after !== null) {
    for (const [name, text] of hostileTexts(file.path, file.after, chars)) {
      yield { name, example: { ...example, files: [{ ...file, after: text }, ...example.files.slice(1)] } };
    }
  }
  if (kind === "change") yield* hostileChanges(example, chars);
}

function* hostileTexts(path: string, text: string, chars: number): Generator<readonly [string, string]> {
  const language = languageOf(path);
  const body = text.endsWith("\n") ? text : `${text}\n`;
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  yield ["repeated", repeat(body, chars)];
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
  yield ["with a long word", lengthened(body, /[A-Za-z_]\w*/g, "a")];
  yield ["with a long gap", lengthened(body, / +/g, " ")];
  const [open, close] = COMMENTS[language] ?? ["/*", "*/"];
  yield ["beginnings in a comment", `${body}${open}\n${beginnings(body, chars)}${close}\n`];
  if (LEVELS[language] === undefined && language !== "python")
    yield ["beginnings", `${body}${beginnings(body, chars)}`];
}

/** Nests the example in itself after each of its lines: functions in functions, calls in calls. */
function* selfNested(body: string, chars: number): Generator<readonly [string, string]> {
  const lines = body.split("\n");
  const depth = Math.floor(chars / body.length);
  for (let at = 1; at < Math.min(lines.length - 1, MAX_LINES_NESTED); at++) {
    const [head, tail] = [lines.slice(0, at).join("\n"), lines.slice(at).join("\n")];
    yield [`inside itself after line ${at}`, `${`${head}\n`.repeat(depth)}${tail.repeat(depth)}`];
  }
}

/** Long lines that repeat the start of each example line, so that a pattern starts to match again and again. */
function beginnings(body: string, chars: number): string {
  const starts = beginningsOf(body).flatMap((start) => [start, `${start}${" ".repeat(50)}`]);
  return starts.map((start) => `${repeat(start, lineChars(starts.length, chars))}\n`).join("");
}

/** One copy of the example per match of the pattern, each with another match made long. The parser still accepts it. */
function lengthened(body: string, pattern: RegExp, filling: string): string {
  const places = [...body.matchAll(pattern)]
    .slice(0, MAX_LONG_PLACES)
    .map(({ 0: found, index }) => index + found.length);
  return places
    .map((at) => `${body.slice(0, at)}${filling.repeat(LONG_LINE_CHARS)}${body.slice(at)}`)
    .join("");
}

function beginningsOf(body: string): readonly string[] {
  const starts = body.split("\n").flatMap((line) => {
    const words = line.match(/\s*[\w$]+|\s*[^\w\s]/g) ?? [];
    return words.map((_, index) => words.slice(0, index + 1).join(""));
  });
  return [...new Set(starts)];
}

/** Line lengths that reach at least twice the target size and are still read. */
function lineChars(lines: number, chars: number): number {
  return Math.min(LONG_LINE_CHARS, Math.max(1_000, Math.floor((2 * chars) / lines)));
}

/** Repeats the file and its description many times. */
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

function indented(body: string, chars: number): string {
  let text = "";
  for (let depth = 0; text.length < chars; depth++) {
    const space = " ".repeat(depth);
    text += `${body.replaceAll(/^(?=.)/gm, space)}${space}if a:\n`;
  }
  return text;
}
