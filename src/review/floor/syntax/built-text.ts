/**
 * Splits an expression that builds a string into its literal text and its placeholders ("holes"), whether it
 * concatenates, interpolates or formats. It never follows a value through calls or files.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { asCall, type Call } from "./calls.ts";

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "hole"; readonly node: SyntaxNode };

const STRING_KINDS: ReadonlySet<string> = new Set([
  "string",
  "template_string",
  "interpreted_string_literal",
  "raw_string_literal",
  "string_literal",
  "verbatim_string_literal",
  "interpolated_string_expression",
  "encapsed_string",
  "heredoc",
  "heredoc_body",
  "nowdoc",
  "subshell",
  "shell_command_expression",
]);

const CONTENT_KINDS: ReadonlySet<string> = new Set([
  "string_fragment",
  "multiline_string_fragment",
  "string_content",
  "string_literal_content",
  "raw_string_content",
  "interpreted_string_literal_content",
  "raw_string_literal_content",
  "heredoc_content",
  "nowdoc_string",
  "nowdoc_body",
  "escape_sequence",
  "escape_interpolation",
]);

const DELIMITER_KINDS: ReadonlySet<string> = new Set([
  "string_start",
  "string_end",
  "raw_string_start",
  "raw_string_end",
  "interpolation_start",
  "interpolation_quote",
  "interpolation_brace",
  "heredoc_start",
  "heredoc_end",
  "heredoc_beginning",
]);

const CONCAT_OPERATORS: ReadonlySet<string> = new Set(["+", "."]);

/** Deeper than any hand-written expression; a generated one isn't worth the stack. */
const MAX_DEPTH = 60;

/** The pieces of a string expression in order; an expression without a string is one hole. */
export function piecesOf(node: SyntaxNode): readonly Piece[] {
  const pieces: Piece[] = [];
  collect(node, pieces, 0);
  return pieces;
}

/** The literal text, with `hole` in place of each hole. */
export function textOf(pieces: readonly Piece[], hole = "\u0000"): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : hole)).join("");
}

function collect(node: SyntaxNode, into: Piece[], depth: number): void {
  const kind = node.kind();
  if (depth > MAX_DEPTH) {
    into.push({ kind: "hole", node });
  } else if (STRING_KINDS.has(kind)) {
    collectString(node, into, depth);
  } else if (kind === "concatenated_string" || kind === "chained_string") {
    for (const part of node.namedChildren()) collect(part, into, depth + 1);
  } else if (kind === "parenthesized_expression" || kind === "parenthesized_statements") {
    const inner = node.namedChildren();
    if (inner.length === 1 && inner[0] !== undefined) collect(inner[0], into, depth + 1);
    else into.push({ kind: "hole", node });
  } else if (kind === "binary_expression" || kind === "binary_operator" || kind === "binary") {
    collectBinary(node, into, depth);
  } else if (kind === "heredoc_beginning") {
    const body = heredocBody(node);
    if (body === null) into.push({ kind: "hole", node });
    else collectString(body, into, depth);
  } else {
    const call = asCall(node);
    if (call === null || !collectFormat(call, into, depth)) into.push({ kind: "hole", node });
  }
}

function collectString(node: SyntaxNode, into: Piece[], depth: number): void {
  const children = node.namedChildren();
  if (children.length === 0) {
    into.push({ kind: "text", text: node.text().replace(/^[a-zA-Z@$]{0,3}["'`]{1,3}|["'`]{1,3}$/g, "") });
    return;
  }
  for (const child of children) {
    const kind = child.kind();
    if (DELIMITER_KINDS.has(kind)) continue;
    if (kind === "heredoc_body") {
      collectString(child, into, depth + 1);
    } else if (CONTENT_KINDS.has(kind)) {
      into.push({ kind: "text", text: child.text() });
    } else if (kind === "template_substitution" || kind === "interpolation") {
      const inner = child.namedChildren().find((part) => !DELIMITER_KINDS.has(part.kind()));
      if (inner !== undefined) collect(inner, into, depth + 1);
    } else {
      into.push({ kind: "hole", node: child });
    }
  }
}

function collectBinary(node: SyntaxNode, into: Piece[], depth: number): void {
  const left = node.field("left");
  const right = node.field("right");
  const operator = node.children()[1]?.text() ?? "";
  if (left !== null && right !== null && CONCAT_OPERATORS.has(operator)) {
    collect(left, into, depth + 1);
    collect(right, into, depth + 1);
  } else if (left !== null && right !== null && operator === "%" && isString(left)) {
    const values = /^(tuple|array)$/.test(right.kind()) ? right.namedChildren() : [right];
    fill(left, values, PERCENT_HOLE, into);
  } else {
    into.push({ kind: "hole", node });
  }
}

/** The body of a Ruby heredoc follows the statement that opens it. */
function heredocBody(beginning: SyntaxNode): SyntaxNode | null {
  for (let ancestor = beginning.parent(); ancestor !== null; ancestor = ancestor.parent()) {
    for (let next = ancestor.next(); next !== null; next = next.next()) {
      if (next.kind() === "heredoc_body") return next;
    }
  }
  return null;
}

function isString(node: SyntaxNode): boolean {
  return STRING_KINDS.has(node.kind()) || node.kind() === "concatenated_string";
}

/** A verb that can only print a number leaves no hole. */
const PERCENT_HOLE = /%(?:\(\w+\)|\[\d+\]|\d+\$)?[-+ #0]{0,3}[\d*]{0,4}(?:\.\d{1,4})?([a-zA-Z%])/g;
const BRACE_HOLE = /\{([^{}]{0,60})\}/g;
const NUMBER_VERBS: ReadonlySet<string> = new Set([
  "d",
  "i",
  "u",
  "f",
  "F",
  "e",
  "g",
  "x",
  "X",
  "o",
  "b",
  "c",
  "t",
  "%",
]);

function collectFormat(call: Call, into: Piece[], depth: number): boolean {
  const object = call.node.field("object") ?? call.node.field("receiver") ?? attributeObject(call.node);
  if ((call.name === "format" || call.name === "formatted") && object !== null && isString(object)) {
    fill(object, call.args, call.name === "format" ? BRACE_HOLE : PERCENT_HOLE, into);
    return true;
  }
  const [first, ...rest] = call.args;
  const isFormat =
    /^(Sprintf|sprintf|Format)$/.test(call.name) ||
    (call.name === "format" && /^(String|Kernel|)$/.test(call.receiver));
  if (isFormat && first !== undefined && isString(first)) {
    fill(first, rest, call.name === "Format" ? BRACE_HOLE : PERCENT_HOLE, into);
    return true;
  }
  if (/^(concat|Concat)$/.test(call.name) && /^[sS]tring$/.test(call.receiver)) {
    for (const arg of call.args) collect(arg, into, depth + 1);
    return true;
  }
  return false;
}

function attributeObject(call: SyntaxNode): SyntaxNode | null {
  const callee = call.field("function");
  return callee?.kind() === "attribute" ? callee.field("object") : null;
}

/** Splits a format string at its holes and inserts the values; a hole without a value gets the first one. */
function fill(format: SyntaxNode, values: readonly SyntaxNode[], hole: RegExp, into: Piece[]): void {
  const source = textOf(piecesOf(format), "");
  let last = 0;
  let used = 0;
  for (const match of source.matchAll(hole)) {
    const isBrace = hole === BRACE_HOLE;
    into.push({ kind: "text", text: source.slice(last, match.index) });
    last = match.index + match[0].length;
    const key = match[1] ?? "";
    if (!isBrace && NUMBER_VERBS.has(key)) {
      if (key !== "%") used++;
      into.push({ kind: "text", text: "0" });
      continue;
    }
    const value = (isBrace ? valueFor(key, used, values) : values[used]) ?? values[0];
    used++;
    if (value !== undefined) into.push({ kind: "hole", node: value });
  }
  into.push({ kind: "text", text: source.slice(last) });
}

function valueFor(key: string, position: number, values: readonly SyntaxNode[]): SyntaxNode | undefined {
  const name = /^\w*/.exec(key)?.[0] ?? "";
  if (name === "") return values[position];
  if (/^\d+$/.test(name)) return values[Number(name)];
  const keyword = values.find(
    (value) => value.kind() === "keyword_argument" && value.field("name")?.text() === name,
  );
  return keyword?.field("value") ?? undefined;
}
