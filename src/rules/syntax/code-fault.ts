/**
 * Finds where a change broke the syntax of code. Grammars lag behind their languages and don't know macros, so an error of the parser
 * alone proves nothing: the code must have parsed before, and a bracket must lack its partner, or a token that the parser names.
 */
import type { SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";

/** 1-based. */
export type CodeFault = { readonly line: number; readonly words: string };

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const OPENING: ReadonlySet<string> = new Set(Object.values(PAIRS));

/** Missing tokens that a grammar doesn't invent for syntax that it lacks. */
const NAMED_TOKENS: Partial<Record<SyntaxLanguage, readonly string[]>> = {
  java: [";"],
  csharp: [";"],
  php: [";"],
  ruby: ["end"],
};

/** `before` is null for a new file. */
export function findCodeFault(
  language: SyntaxLanguage,
  before: SyntaxNode | null,
  after: SyntaxNode,
): CodeFault | null {
  if (before !== null && hasError(before)) return null;
  if (!hasError(after)) return null;
  return findLoneBracket(after) ?? findMissing(language, after);
}

function hasError(tree: SyntaxNode): boolean {
  return tree.find({ rule: { kind: "ERROR" } }) !== null || missingIn(tree).length > 0;
}

/** A token that the parser inserted is a node without text. So is the tree of an empty text. */
function missingIn(tree: SyntaxNode): readonly SyntaxNode[] {
  return tree.text() === "" ? [] : tree.findAll({ rule: { regex: "^$" } });
}

/** The parser's own tokens: brackets in strings and comments aren't any. */
function findLoneBracket(tree: SyntaxNode): CodeFault | null {
  const open: { readonly bracket: string; readonly line: number }[] = [];
  const tokens = tree
    .findAll({ rule: { regex: "^[()\\[\\]{}]$" } })
    .filter((node) => !node.isNamed())
    .toSorted((one, other) => one.range().start.index - other.range().start.index);
  for (const token of tokens) {
    const bracket = token.text();
    const line = token.range().start.line + 1;
    if (OPENING.has(bracket)) open.push({ bracket, line });
    else {
      const last = open.pop();
      if (last === undefined) return { line, words: `\`${bracket}\` closes nothing` };
      if (last.bracket !== PAIRS[bracket])
        return { line, words: `\`${bracket}\` closes the \`${last.bracket}\` of line ${last.line}` };
    }
  }
  const [lone] = open.slice(-1);
  return lone === undefined ? null : { line: lone.line, words: `\`${lone.bracket}\` is never closed` };
}

/** Where a person forgets a `;`: at the end of a line, before another statement. A grammar also invents one inside of syntax that it lacks. */
const AFTER_STATEMENT = /^[^\S\n]*(?:\/\/[^\n]*|#[^\n]*)?\n\s*[^\s{([<=.:?]/;

function findMissing(language: SyntaxLanguage, tree: SyntaxNode): CodeFault | null {
  const text = tree.text();
  const start = tree.range().start.index;
  const missing = missingIn(tree).find((node) => {
    if (!NAMED_TOKENS[language]?.includes(node.kind())) return false;
    return node.kind() !== ";" || AFTER_STATEMENT.test(text.slice(node.range().start.index - start));
  });
  if (missing === undefined) return null;
  return { line: missing.range().start.line + 1, words: `\`${missing.kind()}\` is missing` };
}
