/**
 * What a C or C++ function declares by name: its parameters and locals, with how they are declared. It reads
 * declarators only and never resolves typedefs or macros.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type CDeclaration = {
  readonly name: string;
  /** The type as written, without stars: "const char" of `const char *p`. */
  readonly type: string;
  /** Stars, plus one for an array parameter, which is a pointer. */
  readonly stars: number;
  /** True for `char b[10]` as a local; parameters are never arrays. */
  readonly isArray: boolean;
  readonly isParameter: boolean;
  readonly value: SyntaxNode | null;
};

/** Every parameter and local of a function definition, in order. */
function declarationsIn(definition: SyntaxNode): readonly CDeclaration[] {
  const found: CDeclaration[] = [];
  for (const node of definition.findAll({
    rule: { any: [{ kind: "declaration" }, { kind: "parameter_declaration" }] },
  })) {
    for (const child of node.namedChildren()) {
      const declared = /declarator$|^identifier$/.test(child.kind()) ? readDeclarator(child, node) : null;
      if (declared !== null) found.push(declared);
    }
  }
  return found;
}

/** A function definition as rules ask about it. */
export type CFunction = {
  readonly start: number;
  readonly text: string;
  /** The text without white space, to look for calls in. */
  readonly squeezed: string;
  /** The callers of a static function stand in the same file and may have checked what they pass. */
  readonly isStatic: boolean;
  /** The one declaration of a name; null when there is none, or several that may shadow one another. */
  declarationOf(name: string): CDeclaration | null;
};

/** Looks up the function around a node; null at the top of a file. Each function is read once, however often asked. */
export function createFunctionLookup(): (node: SyntaxNode) => CFunction | null {
  const known = new Map<number, CFunction>();
  return (node) => {
    const definition = node.ancestors().find((ancestor) => ancestor.kind() === "function_definition");
    if (definition === undefined) return null;
    const start = definition.range().start.index;
    const found = known.get(start) ?? readFunction(definition, start);
    known.set(start, found);
    return found;
  };
}

/** Longer than the head of any function up to its name. */
const MAX_HEAD_CHARS = 200;

function readFunction(definition: SyntaxNode, start: number): CFunction {
  const byName = Map.groupBy(declarationsIn(definition), ({ name }) => name);
  const text = definition.text();
  return {
    start,
    text,
    isStatic: /\bstatic\b/.test(text.slice(0, MAX_HEAD_CHARS).split("{", 1)[0] ?? ""),
    squeezed: text.replaceAll(/\s+/g, ""),
    declarationOf(name) {
      const found = byName.get(name) ?? [];
      return found.length === 1 ? (found[0] ?? null) : null;
    },
  };
}

function readDeclarator(declarator: SyntaxNode, declaration: SyntaxNode): CDeclaration | null {
  const isParameter = declaration.kind() === "parameter_declaration";
  const value = declarator.kind() === "init_declarator" ? declarator.field("value") : null;
  let node: SyntaxNode | null =
    declarator.kind() === "init_declarator" ? declarator.field("declarator") : declarator;
  let stars = 0;
  let isArray = false;
  while (node !== null && node.kind() !== "identifier") {
    if (node.kind() === "pointer_declarator") stars += 1;
    else if (node.kind() === "array_declarator") isArray = true;
    else return null;
    node = node.field("declarator");
  }
  if (node === null) return null;
  const type = declaration
    .text()
    .slice(0, declarator.range().start.index - declaration.range().start.index)
    .trim();
  return {
    name: node.text(),
    type,
    stars: stars + (isParameter && isArray ? 1 : 0),
    isArray: isArray && !isParameter,
    isParameter,
    value,
  };
}

export type CCall = {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly args: readonly SyntaxNode[];
};

/** More calls of such names in one file are generated or made to be slow; the rest is not looked at. */
const MAX_CALLS = 500;

/** Calls of plain functions by name, `std::` allowed; methods that happen to have the name are left out. */
export function cCallsIn(root: SyntaxNode, names: ReadonlySet<string>): readonly CCall[] {
  const calls: CCall[] = [];
  for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
    const callee = node.field("function");
    if (callee?.kind() !== "identifier" && callee?.kind() !== "qualified_identifier") continue;
    const name = callee.text().replace(/^(?:std)?::/, "");
    if (!names.has(name)) continue;
    if (calls.length === MAX_CALLS) break;
    const args = (node.field("arguments")?.namedChildren() ?? []).filter((arg) => arg.kind() !== "comment");
    calls.push({ node, name, args });
  }
  return calls;
}
