/** The declarations of one file with their lines and signatures, read from its syntax tree. */

export type Declaration = {
  readonly name: string;
  /** Names of the surrounding declarations, outermost first: ["Cart"] for a method of Cart. */
  readonly containers: readonly string[];
  readonly kind: "function" | "method" | "class" | "type" | "variable";
  /** Starting at 1; with decorators, attributes and the `export` keyword, without comments before it. */
  readonly startLine: number;
  readonly endLine: number;
  /** The line on which the body begins; null without a body. */
  readonly bodyLine: number | null;
  /** The text without its body, with white space collapsed. */
  readonly signature: string;
  /** Other files can use it under this name. */
  readonly isExported: boolean;
  /** Without `self`. Null for what can't be called, or when the list couldn't be read with certainty. */
  readonly parameters: readonly DeclaredParameter[] | null;
  /** Length and hash of the body with white space collapsed, to compare two versions. Omitted without a body. */
  readonly bodyHash?: string;
};

export type DeclaredParameter = {
  /** "" for a pattern. */
  readonly name: string;
  /** A call may leave it out: it has a default, is optional, or collects the rest. */
  readonly isOptional: boolean;
  /** It collects any number of arguments. */
  readonly isRest: boolean;
  /** The only way to pass it, in Python and Ruby. Omitted: by its position or by its name, as the language has it. */
  readonly by?: "position" | "name";
};

/** In the order of their first lines; an outer declaration precedes those in it. */
export type Outline = readonly Declaration[];

/** The innermost declaration with a body around a line; null at the top level. */
export function enclosingDeclaration(outline: Outline, line: number): Declaration | null {
  let found: Declaration | null = null;
  for (const each of outline) {
    if (each.bodyLine === null || line < each.startLine || line > each.endLine) continue;
    if (found === null || each.endLine - each.startLine <= found.endLine - found.startLine) found = each;
  }
  return found;
}
