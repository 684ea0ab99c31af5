/** Indexes that reach the length of a collection: `i <= length` with `items[i]` in the loop, and `items[length]`. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { binariesIn } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The collection whose length an expression is, in the first or second group. */
const LENGTH =
  /^(?:(?:len|count|sizeof|ARRAY_SIZE|ARRAY_LEN)\(\s*([$\w.>-]{1,60}?)\s*\)|([$\w.>-]{1,60}?)(?:\.|->)(?:length|size|Length|Count|len|count)(?:\(\))?)$/;

const LOOP =
  /^(?:for_statement|while_statement|do_statement|for_expression|while_expression|while|for|do_block|block)$/;

/** A longer loop isn't searched. */
const MAX_LOOP_CHARS = 6_000;

/** A longer function isn't searched for what a name stands for. */
const MAX_SCOPE_CHARS = 20_000;

/** The collections whose length the bound is: written there, assigned to the name, or created with that size. */
function collectionsOf(bound: SyntaxNode, language: string): readonly string[] {
  const found = LENGTH.exec(bound.text());
  const written = found?.[1] ?? found?.[2];
  if (written !== undefined) return [written];
  const name = bound.text();
  if (!/^(?:\$?[A-Za-z_]\w{0,40}|\d{1,6})$/.test(name) || name === "0") return [];
  const scope = functionAround(bound);
  const text = scope === null || lengthOf(scope) > MAX_SCOPE_CHARS ? "" : scope.text();
  const own = escapePattern(name);
  const assigned = new RegExp(
    `(?<![\\w$])${own}\\s*(?::\\s*\\w{1,20}\\s*)?:?=\\s*(?:(?:len|count)\\(\\s*([$\\w.]{1,60})\\s*\\)|([$\\w.]{1,60}?)\\.(?:len\\(\\)|length\\(\\)|size\\(\\)|length|Length|Count))(?:\\.min\\(|\\s*[;\\n])`,
    "g",
  );
  const named = /^\d/.test(name)
    ? []
    : [...text.matchAll(assigned)].map(([, one, other]) => one ?? other ?? "");
  return [...named, ...sizedWith(own, text, language)];
}

function lengthOf(node: SyntaxNode): number {
  return node.range().end.index - node.range().start.index;
}

/** Local arrays that are created with a size. */
const SIZED: Readonly<Record<string, (size: string) => RegExp>> = {
  c: (size) => new RegExp(`^[ \\t]*(?:static |const |unsigned )*\\w+[ *]+(\\w+)\\[\\s*${size}\\s*\\]`, "gm"),
  cpp: (size) =>
    new RegExp(`^[ \\t]*(?:static |const |unsigned )*\\w+[ *]+(\\w+)\\[\\s*${size}\\s*\\]`, "gm"),
  java: (size) => new RegExp(`(\\w+)\\s*=\\s*new\\s+\\w+\\[\\s*${size}\\s*\\]`, "g"),
  csharp: (size) => new RegExp(`(\\w+)\\s*=\\s*new\\s+\\w+\\[\\s*${size}\\s*\\]`, "g"),
  go: (size) => new RegExp(`(\\w+)\\s*:?=\\s*make\\(\\[\\]\\w+,\\s*${size}\\s*\\)`, "g"),
  rust: (size) =>
    new RegExp(`let\\s+(?:mut\\s+)?(\\w+)\\s*=\\s*vec!\\[[^\\];]{1,20};\\s*${size}\\s*\\]`, "g"),
};

function sizedWith(size: string, text: string, language: string): readonly string[] {
  const pattern = SIZED[language]?.(size);
  return pattern === undefined ? [] : [...text.matchAll(pattern)].map(([, name]) => name ?? "");
}

/** True when the loop reads or writes the collection at the counter and has no other check of the counter. */
function isIndexed(loop: SyntaxNode, collection: string, counter: string, condition: SyntaxNode): boolean {
  const { start, end } = loop.range();
  if (end.index - start.index > MAX_LOOP_CHARS) return false;
  const from = condition.range().end.index - start.index;
  const text = loop.text().slice(from);
  const [items, i] = [escapePattern(collection), escapePattern(counter)];
  if (new RegExp(`(?<![\\w$])${i}\\s*(?:[=!]=|<(?!<)|>(?!>)|-=|\\+=)|(?<![\\w$])--?${i}\\b`).test(text))
    return false;
  return new RegExp(
    `(?<![\\w$.>])${items}\\s*(?:\\[\\s*${i}\\s*\\]|\\.(?:get|charAt|at|elementAt|ElementAt)\\(\\s*${i}\\s*\\))`,
  ).test(text);
}

function matchFor(node: SyntaxNode, collection: string, counter: string): RuleMatch {
  return {
    ...linesOf(node),
    title: `Off by one: ${nameOr(counter, "the index")} reaches the length of ${nameOr(collection, "the collection")}`,
  };
}

function* loops(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const { node, operator, left, right } of binariesIn(root, language, /^(?:<=|>=)$/)) {
    const [counter, bound] = operator === "<=" ? [left, right] : [right, left];
    if (!/^\$?\w+$/.test(counter.text())) continue;
    const loop = nearestAncestor(node, (around) => LOOP.test(around.kind()));
    if (loop === null || loop.kind() === "block" || !isLoopCondition(node, loop)) continue;
    const name = counter.text();
    const collections = [...collectionsOf(bound, language), ...globalsSizedWith(bound, root, language)];
    const collection = collections.find((one) => isIndexed(loop, one, name, node));
    if (collection !== undefined) yield matchFor(node, collection, name);
  }
}

/** Arrays of a C file whose size is a macro or constant: `static double cells[ROWS][COLUMNS];` */
function globalsSizedWith(bound: SyntaxNode, root: SyntaxNode, language: string): readonly string[] {
  if ((language !== "c" && language !== "cpp") || !/^[A-Z][A-Z0-9_]{1,40}$/.test(bound.text())) return [];
  return sizedWith(escapePattern(bound.text()), root.text(), language);
}

function isLoopCondition(node: SyntaxNode, loop: SyntaxNode): boolean {
  const body = loop.field("body");
  return body !== null && node.range().end.index <= body.range().start.index;
}

/** `for i in 0..=items.len()` of Rust; `for i in 0..items.length` and `(0..items.length).each` of Ruby. */
function* ranges(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const isRuby = language === "ruby";
  for (const node of root.findAll({ rule: { kind: isRuby ? "range" : "range_expression" } })) {
    const found = (isRuby ? /^\w+\.\.([^.].*)$/s : /^\w+\.\.=(.+)$/s).exec(node.text().slice(0, 100));
    const last = node.namedChildren().at(-1);
    if (found === null || last === undefined) continue;
    const loop = nearestAncestor(node, (around) => /^(?:for_expression|for|call)$/.test(around.kind()));
    const counter = /^for\s+(\w+)\s+in\b|\.\.[^)]*\)\.each\s*(?:do|\{)\s*\|\s*(\w+)\s*\|/.exec(
      loop?.text().slice(0, 200) ?? "",
    );
    const name = counter?.[1] ?? counter?.[2];
    if (loop === null || name === undefined) continue;
    const collection = collectionsOf(last, language).find((one) => isIndexed(loop, one, name, node));
    if (collection !== undefined) yield matchFor(node, collection, name);
  }
}

const INDEXES: Readonly<Record<string, string>> = {
  go: "index_expression",
  rust: "index_expression",
  c: "subscript_expression",
  cpp: "subscript_expression",
  java: "array_access",
  csharp: "element_access_expression",
};

/** `items[items.length]`. PHP and Ruby append that way. */
function* atLength(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kind = INDEXES[language];
  if (kind === undefined) return;
  for (const node of root.findAll({ rule: { kind } })) {
    const found = /^([\w.>-]{1,60})\[([^[\]]{1,80})\]$/.exec(node.text().slice(0, 160));
    const length = LENGTH.exec(found?.[2]?.trim() ?? "");
    const collection = length?.[1] ?? length?.[2];
    if (found === null || collection === undefined || collection !== found[1]) continue;
    yield matchFor(node, collection, "the index");
  }
}

export const offByOneBound: TreeRule = {
  kind: "tree",
  id: "off-by-one-bound",
  title: "Off by one: the index reaches the length of the collection",
  severity: "must-fix",
  category: "correctness",
  why: "The last valid index is the length minus one, so the last access is outside the collection: it panics, throws, or reads other memory.",
  fix: "Use `<` instead of `<=`, or end at the length minus one.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /<=|>=|\.\.|\[[^\]\n]*(?:len|length|size|Length|Count|sizeof|count)\b/,
  *check(root, { language }) {
    yield* loops(root, language);
    if (language === "rust" || language === "ruby") yield* ranges(root, language);
    yield* atLength(root, language);
  },
};
