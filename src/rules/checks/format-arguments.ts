/** Format strings whose placeholders and arguments don't match. Only literal formats with plain arguments are counted. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { count } from "../../base/count.ts";
import { type Call, asCall, callsIn } from "../syntax/calls.ts";
import { cCallsIn } from "../syntax/c-declarations.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The position of the format in the arguments, by the name of the call. */
const FORMATS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  go: {
    "fmt.Printf": 0,
    "fmt.Sprintf": 0,
    "fmt.Errorf": 0,
    "fmt.Fprintf": 1,
    "log.Printf": 0,
    "log.Fatalf": 0,
    "log.Panicf": 0,
    "errors.Errorf": 0,
    "errors.Wrapf": 1,
    "t.Errorf": 0,
    "t.Fatalf": 0,
    "t.Logf": 0,
  },
  java: { "String.format": 0, "System.out.printf": 0, "System.err.printf": 0, "System.out.format": 0 },
  csharp: { "string.Format": 0, "String.Format": 0, "Console.WriteLine": 0, "Console.Write": 0 },
  php: { sprintf: 0, printf: 0, fprintf: 1 },
  ruby: { format: 0, sprintf: 0, printf: 0 },
  c: { printf: 0, fprintf: 1, sprintf: 1, snprintf: 2, dprintf: 1 },
  cpp: { printf: 0, fprintf: 1, sprintf: 1, snprintf: 2 },
};

type Counted = { readonly wanted: number; readonly isExact: boolean };

/** How many arguments a format takes; null when positions are named or can't be counted. */
function countPlaceholders(format: string, language: string): Counted | null {
  if (language === "csharp") {
    const indexes = [...format.replaceAll(/\{\{|\}\}/g, "").matchAll(/\{(\d+)[^{}]*\}/g)].map(([, index]) =>
      Number(index),
    );
    return { wanted: indexes.length === 0 ? 0 : Math.max(...indexes) + 1, isExact: false };
  }
  const text = format.replaceAll("%%", "");
  // Positions, and names as in Ruby's `%{name}`.
  if (/%\[|%\d+\$|%[-+ #0-9.]*[<{]/.test(text)) return null;
  const found =
    text.match(/%[-+ #0,'(]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|z|j|t|L|q)?[a-zA-Z%]/g) ?? [];
  if (text.split("%").length - 1 !== found.length) return null;
  const taking = language === "java" ? found.filter((one) => !one.endsWith("n")) : found;
  const stars = taking.join("").split("*").length - 1;
  return { wanted: taking.length + stars, isExact: true };
}

const TEXT = /^(?:interpreted_string_literal|raw_string_literal|string_literal|string|encapsed_string)$/;

function formatCallsIn(root: SyntaxNode, language: string): readonly Call[] {
  const known = Object.keys(FORMATS[language] ?? {});
  const last = new Set(known.map((name) => name.replace(/^.*\./, "")));
  if (language === "c" || language === "cpp")
    return cCallsIn(root, last).map(({ node, name, args }) => ({ node, name, args, receiver: "" }));
  return callsIn(root, language, (name) => last.has(name));
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const call of formatCallsIn(root, language)) {
    const written = call.receiver === "" ? call.name : `${call.receiver}.${call.name}`;
    const at = FORMATS[language]?.[written];
    const format = at === undefined ? undefined : call.args[at];
    if (at === undefined || format === undefined || !TEXT.test(format.kind())) continue;
    // Interpolation, spread arguments, arrays of arguments and a block can hold any number of values.
    const values = call.args.slice(at + 1);
    if (hasHoles(format, language) || values.some(isSpread) || isArray(values, language)) continue;
    if (/\.\.\./.test(call.node.text().slice(-6))) continue;
    const counted = countPlaceholders(format.text(), language);
    if (counted === null || counted.wanted === values.length) continue;
    if (
      values.length > counted.wanted &&
      (!counted.isExact || (counted.wanted === 0 && language === "csharp"))
    )
      continue;
    if (counted.wanted === 0 && values.length === 0) continue;
    if (language === "csharp" && values.length === 0 && !call.name.endsWith("Format")) continue;
    const placeholders = count(counted.wanted, "placeholder");
    yield {
      ...linesOf(call.node),
      title: `Format mismatch: ${nameOr(written, "the call")} has ${placeholders} but ${count(values.length, "argument")}`,
      // Java and PHP ignore arguments that no placeholder uses.
      ...(values.length > counted.wanted && language !== "go" ? { severity: "medium" as const } : {}),
    };
  }
}

function hasHoles(format: SyntaxNode, language: string): boolean {
  if (format.kind() === "string" && language === "ruby")
    return format.namedChildren().some((child) => child.kind() === "interpolation");
  return (
    format.kind() === "encapsed_string" &&
    format.namedChildren().some((child) => !/string_content|escape_sequence/.test(child.kind()))
  );
}

function isSpread(node: SyntaxNode): boolean {
  return /spread|variadic|splat/.test(node.kind()) || asSpreadText(node.text());
}

function asSpreadText(text: string): boolean {
  return (
    text.startsWith("...") || text.startsWith("*") || text.endsWith("...") || text.includes("__VA_ARGS__")
  );
}

/** One argument of unknown type can be the whole array of arguments; a multi-value call of Go gives several. */
function isArray(values: readonly SyntaxNode[], language: string): boolean {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return false;
  if (language === "go") return asCall(only) !== null;
  return (
    (language === "java" || language === "csharp") &&
    !/_literal$|^method_invocation$|^invocation_expression$/.test(only.kind())
  );
}

export const formatArguments: TreeRule = {
  kind: "tree",
  id: "format-arguments",
  title: "Format mismatch: the placeholders don't match the arguments",
  severity: "must-fix",
  category: "correctness",
  why: "With too few arguments the call throws, prints a placeholder, or reads unrelated memory. Surplus arguments are missing from the text.",
  fix: "Give every placeholder its argument, and remove the rest.",
  languages: ["go", "java", "csharp", "php", "ruby", "c", "cpp"],
  trigger:
    /\b(?:[A-Za-z]*[Pp]rintf|Errorf|Fatalf|Panicf|Wrapf|Logf|[Ff]ormat|WriteLine|Write)\s*\(|\bformat\b/,
  check: (root, { language }) => check(root, language),
};
