/** Binary expressions of every language in one shape, and whether two pieces of code are the same. It knows no types. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type Binary = {
  readonly node: SyntaxNode;
  readonly operator: string;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
};

/** Every binary expression of a tree whose operator passes. */
export function binariesIn(root: SyntaxNode, language: string, operators: RegExp): readonly Binary[] {
  const kind = language === "ruby" ? "binary" : "binary_expression";
  const found: Binary[] = [];
  for (const node of root.findAll({ rule: { kind } })) {
    const binary = asBinary(node);
    if (binary !== null && operators.test(binary.operator)) found.push(binary);
  }
  return found;
}

export function asBinary(node: SyntaxNode): Binary | null {
  if (node.kind() !== "binary_expression" && node.kind() !== "binary") return null;
  const parts = node.children();
  const [left, operator, right] = parts;
  if (parts.length !== 3 || left === undefined || operator === undefined || right === undefined) return null;
  return { node, operator: operator.text(), left, right };
}

/** The expression inside parentheses. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (/^(?:parenthesized_expression|parenthesized_statements|condition_clause)$/.test(inner.kind())) {
    const parts = inner.namedChildren();
    const [only] = parts;
    if (only === undefined || parts.length !== 1) return inner;
    inner = only;
  }
  return inner;
}

/** A longer chain is a table or generated code. */
const MAX_OPERANDS = 50;

/** The operands of `a && b && c` in order, for the outermost expression of the chain; otherwise none. */
export function chainOf({ node, operator }: Binary): readonly SyntaxNode[] {
  const parent = node.parent();
  if (parent !== null && asBinary(parent)?.operator === operator) return [];
  const operands: SyntaxNode[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = unwrapped(next);
    const binary = asBinary(inner);
    if (binary !== null && binary.operator === operator) open.push(binary.right, binary.left);
    else if (operands.push(inner) > MAX_OPERANDS) return [];
  }
  return operands;
}

/** A reader doesn't see that longer code is the same, and comparing it is slow. */
const MAX_COMPARED_CHARS = 2_000;

export function isSameCode(one: SyntaxNode, other: SyntaxNode): boolean {
  const length = lengthOf(one);
  return length === lengthOf(other) && length <= MAX_COMPARED_CHARS && one.text() === other.text();
}

function lengthOf(node: SyntaxNode): number {
  const { start, end } = node.range();
  return end.index - start.index;
}

/** Calls that only read: they give the same result when repeated. */
const READING_CALL =
  /(?:\.|->|::|\b)(?:(?:get|is|has|Get|Is|Has)[A-Z]\w*|(?:get|is|has)_\w+|len|size|length|Len|Size|Length|Count|count|cap|name|Name|type|Type|nil\?|empty\?)\((?:[\w.$>[\]-]{0,60})\)/g;

/** `"td".equals(name)`: the same each time, too. */
const EQUALS_CALL =
  /\.(?:equals(?:IgnoreCase)?|startsWith|endsWith|contains|Equals|StartsWith|EndsWith|Contains)\((?:[\w.$[\]]{0,60}|"[^"()]{0,60}")\)/g;

/** True when evaluating the code twice certainly gives the same value: names, members, indexes, and calls that only read. */
export function isRepeatable(text: string): boolean {
  return !/\w\s*[({]|\+\+|--|<-|[^=!<>]=(?![=~])|\b(?:await|yield|new|volatile|rand\w*|next|read|pop|shift|errno)\b/.test(
    text.replaceAll(EQUALS_CALL, "").replaceAll(READING_CALL, "x"),
  );
}

/** A number, text, character or boolean. */
export function isLiteral(node: SyntaxNode): boolean {
  return (
    /^(?:number|integer|float|string|char|true|false|nil|null|symbol|simple_symbol|boolean|encapsed_string)$|_literal$/.test(
      node.kind(),
    ) ||
    (/^(?:unary_expression|prefix_unary_expression|unary|unary_op_expression)$/.test(node.kind()) &&
      /^-\s*[\d.]+$/.test(node.text()))
  );
}
