/**
 * The parameters and locals that a C or C++ function declares. It reads declarators only and never resolves typedefs or
 * macros.
 */
import { nearestAncestor } from "./ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type CDeclaration = {
  readonly name: string;
  /** The type as written, without stars: "const char" for `const char *p`. */
  readonly type: string;
  /** Stars, plus one for an array parameter, which is a pointer. */
  readonly stars: number;
  /** True for `char b[10]` as a local; parameters are never arrays. */
  readonly isArray: boolean;
  readonly isParameter: boolean;
  readonly value: SyntaxNode | null;
};

type PlacedDeclaration = CDeclaration & { readonly at: number };

/** Every parameter, local and global of a file, by name and in order. */
function declarationsByName(root: SyntaxNode): ReadonlyMap<string, readonly PlacedDeclaration[]> {
  const found: PlacedDeclaration[] = [];
  for (const node of root.findAll({
    rule: { any: [{ kind: "declaration" }, { kind: "parameter_declaration" }] },
  })) {
    const at = node.range().start.index;
    for (const child of node.namedChildren()) {
      const declared = /declarator$|^identifier$/.test(child.kind()) ? readDeclarator(child, node) : null;
      if (declared !== null) found.push({ ...declared, at });
    }
  }
  return Map.groupBy(found, ({ name }) => name);
}

/** A function definition. Its text is read only when needed. */
export type CFunction = {
  /** The text without white space, up to a position in the file or complete, to search for calls. */
  squeezed(until?: number): string;
  /** True when it takes any number of arguments, or handles those of a function that does. */
  isVariadic(): boolean;
  /** The callers of a static function are in the same file and may have checked the arguments. */
  isStatic(): boolean;
  /** The only declaration of a name; null when there is none, or several that may shadow each other. */
  declarationOf(name: string): CDeclaration | null;
};

/** Looks up the function around a node; null at the top level. Each function is read once. */
export function createFunctionLookup(root: SyntaxNode): (node: SyntaxNode) => CFunction | null {
  const known = new Map<number, CFunction>();
  let declared: ReturnType<typeof declarationsByName> | null = null;
  return (node) => {
    const definition = nearestAncestor(node, (ancestor) => ancestor.kind() === "function_definition");
    if (definition === null) return null;
    declared ??= declarationsByName(root);
    const start = definition.range().start.index;
    const found = known.get(start) ?? readFunction(definition, declared);
    known.set(start, found);
    return found;
  };
}

/** Longer than any function's head up to its name. */
const MAX_HEAD_CHARS = 200;

function readFunction(
  definition: SyntaxNode,
  declared: ReadonlyMap<string, readonly PlacedDeclaration[]>,
): CFunction {
  const { start, end } = definition.range();
  let read: string | null = null;
  const text = (): string => (read ??= definition.text());
  let whole: string | null = null;
  // Calls arrive in text order, so each piece of the text is measured once.
  let [measured, length] = [0, 0];
  return {
    squeezed(until) {
      whole ??= withoutSpace(text());
      if (until === undefined) return whole;
      const offset = until - start.index;
      if (offset < measured) [measured, length] = [0, 0];
      length += withoutSpace(text().slice(measured, offset)).length;
      measured = offset;
      return whole.slice(0, length);
    },
    isVariadic: () => /\bva_(?:list|start)\b|\.\.\./.test(text()),
    isStatic: () => /\bstatic\b/.test(text().slice(0, MAX_HEAD_CHARS).split("{", 1)[0] ?? ""),
    declarationOf(name) {
      let found: CDeclaration | null = null;
      for (const one of declared.get(name) ?? []) {
        if (one.at < start.index) continue;
        if (one.at >= end.index) break;
        if (found !== null) return null;
        found = one;
      }
      return found;
    },
  };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
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

/** Calls of plain functions by name, with or without `std::`. Methods with the same name are skipped. */
export function cCallsIn(root: SyntaxNode, names: ReadonlySet<string>): readonly CCall[] {
  const calls: CCall[] = [];
  for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
    const callee = node.field("function");
    if (callee?.kind() !== "identifier" && callee?.kind() !== "qualified_identifier") continue;
    const name = callee.text().replace(/^(?:std)?::/, "");
    if (!names.has(name)) continue;
    const args = (node.field("arguments")?.namedChildren() ?? []).filter((arg) => arg.kind() !== "comment");
    calls.push({ node, name, args });
  }
  return calls;
}
