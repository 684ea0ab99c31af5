/** How the outline of one language is read: which nodes can declare something, and what each of them declares. */
import type { RuleObject, SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration, DeclaredParameter } from "./outline.ts";

export type OutlineReader = {
  readonly grammar: SyntaxLanguage;
  /** ast-grep rules for the nodes that `read` gets, in the order of the text. A kind that the grammar doesn't have is an error. */
  readonly wanted: readonly RuleObject[];
  /** Names that the file exports apart from their declarations; null when only the declaration decides. */
  readExports?(root: SyntaxNode): ReadonlySet<string> | null;
  read(node: SyntaxNode, at: OutlinePlace): OutlinePart | null;
};

/** Where a node is. */
export type OutlinePlace = {
  /** The innermost declaration or container around it; null at the top level. */
  readonly around: OutlineFrame | null;
  readonly exports: ReadonlySet<string> | null;
};

export type OutlineFrame = {
  readonly kind: Declaration["kind"] | "container";
  readonly isExported: boolean;
  /** Members that follow are private: Ruby's `private`, C++'s `private:`. */
  isSectionHidden: boolean;
};

export type OutlinePart =
  | FoundDeclaration
  /** A namespace, a module, an `impl`: only its name counts. */
  | { readonly kind: "container"; readonly name: string; readonly isExported: boolean }
  | { readonly kind: "section"; readonly isHidden: boolean };

export type FoundDeclaration = {
  readonly name: string;
  readonly kind: Declaration["kind"];
  /** The node with decorators and `export`. Omitted: the node itself. */
  readonly whole?: SyntaxNode;
  readonly body?: SyntaxNode | null;
  /** The signature ends before it: the value of a variable. Omitted: the body. */
  readonly value?: SyntaxNode | null;
  readonly isExported: boolean;
  /** Omitted: it can't be called. */
  readonly parameters?: readonly DeclaredParameter[] | null;
  /** The receiver's type in Go, the class of `Cart::add` in C++. Omitted: the surrounding declarations. */
  readonly owner?: readonly string[];
};

export function ofKinds(...kinds: readonly string[]): readonly RuleObject[] {
  return kinds.map((kind) => ({ kind }));
}

export function parameter(
  name: string | undefined,
  marks: {
    readonly isOptional?: boolean;
    readonly isRest?: boolean;
    readonly by?: DeclaredParameter["by"];
  } = {},
): DeclaredParameter {
  const { isOptional = false, isRest = false, by } = marks;
  return {
    name: name ?? "",
    isOptional: isOptional || isRest,
    isRest,
    ...(by === undefined ? {} : { by }),
  };
}

/** Reads each parameter of a list; null when the parser didn't understand a part of it. */
export function readParameters(
  list: SyntaxNode | null,
  read: (node: SyntaxNode) => readonly DeclaredParameter[],
): readonly DeclaredParameter[] | null {
  if (list === null) return null;
  const parameters: DeclaredParameter[] = [];
  for (const node of list.namedChildren()) {
    const kind = node.kind();
    if (kind === "ERROR") return null;
    if (!kind.includes("comment")) parameters.push(...read(node));
  }
  return parameters;
}

/** The text of a named field, "" without one. */
export function fieldText(node: SyntaxNode, field: string): string {
  return node.field(field)?.text() ?? "";
}

/** True when one of the node's direct children is this keyword or has this text, such as `private` in a list of modifiers. */
export function hasModifier(node: SyntaxNode, modifier: RegExp): boolean {
  return node.children().some((child) => /modifier/.test(child.kind()) && modifier.test(child.text()));
}
