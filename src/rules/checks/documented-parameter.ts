/**
 * A documented parameter that the function doesn't have: it was renamed or removed, and its comment stayed. Functions whose parameters
 * can't all be read are left out.
 */
import { nearest } from "../../base/nearest.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionKindsOf } from "../syntax/function-kinds.ts";
import { parameterNames } from "../syntax/parameter-names.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Documented = { readonly name: string; readonly line: number };

/** Comments before a function, and the text at the start of a Python function. */
const COMMENT_KINDS: Readonly<Record<string, string>> = {
  javascript: "comment",
  typescript: "comment",
  tsx: "comment",
  java: "block_comment",
  php: "comment",
};

/** Such a comment describes something else than the function below it. */
const OTHER_SUBJECT =
  /@(?:callback|typedef|overload|method|function|name|event|memberof|inheritdoc)\b|\{@inherit/i;

const TYPE = String.raw`(?:\{(?:[^{}]|\{[^{}]{0,200}\}){0,300}\}\s+)?`;
const TAGS: Readonly<Record<string, RegExp>> = {
  // Without a type or a hyphen, the first word can belong to a sentence.
  script: new RegExp(
    String.raw`@param\s+(?:${TYPE.slice(0, -1)}\[?([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s+-\s)`,
    "g",
  ),
  java: /@param\s+([A-Za-z_]\w*)/g,
  php: /@param\s+[\w\\|?[\]<>, ]{0,80}?&?(?:\.\.\.)?\$(\w+)/g,
  python: /^\s*:param\s+(?:[\w.[\]]{1,40}\s+)?\*{0,2}(\w+)\s*:/gm,
};

const MAX_COMMENT_CHARS = 8_000;

function documentedIn(node: SyntaxNode, language: string): readonly Documented[] {
  const { start, end } = node.range();
  if (end.index - start.index > MAX_COMMENT_CHARS) return [];
  const text = node.text();
  const tag = TAGS[language] ?? TAGS["script"];
  if (tag === undefined || OTHER_SUBJECT.test(text)) return [];
  return [...text.matchAll(tag)].flatMap(({ 0: whole, 1: one, 2: other, index }) => {
    const name = one ?? other;
    if (name === undefined) return [];
    const before = text.slice(0, index + whole.length).split("\n").length - 1;
    return [{ name, line: start.line + 1 + before }];
  });
}

/** The function below a comment: directly, exported, or as the value of a variable. */
function functionAfter(comment: SyntaxNode, kinds: readonly string[]): SyntaxNode | null {
  let node = comment.next();
  while (node !== null && !node.isNamed()) node = node.next();
  if (node === null || node.range().start.line - comment.range().end.line > 1) return null;
  const exported = node.kind() === "export_statement" ? (node.field("declaration") ?? node) : node;
  if (kinds.includes(exported.kind())) return exported;
  if (exported.kind() !== "lexical_declaration") return null;
  const [declarator, second] = exported.namedChildren();
  const value = second === undefined ? declarator?.field("value") : null;
  return value !== null && value !== undefined && kinds.includes(value.kind()) ? value : null;
}

type Described = { readonly documented: readonly Documented[]; readonly described: SyntaxNode };

function* describedFunctions(root: SyntaxNode, language: string): Iterable<Described> {
  const kinds = functionKindsOf(language);
  const comments = COMMENT_KINDS[language];
  if (comments !== undefined)
    for (const comment of root.findAll({ rule: { kind: comments, regex: "@param" } })) {
      const described = functionAfter(comment, kinds);
      if (described !== null) yield { described, documented: documentedIn(comment, language) };
    }
  if (language !== "python") return;
  for (const described of root.findAll({ rule: { kind: "function_definition" } })) {
    const [first] = described.field("body")?.namedChildren() ?? [];
    const text = first?.kind() === "expression_statement" ? first.namedChildren()[0] : undefined;
    if (text?.kind() === "string") yield { described, documented: documentedIn(text, language) };
  }
}

/** A function that reads parameters without naming them. */
const UNNAMED = /\b(?:arguments|func_get_args?)\b/;

/** A longer function isn't read. */
const MAX_FUNCTION_CHARS = 20_000;

function readsUnnamed(described: SyntaxNode): boolean {
  const { start, end } = described.range();
  return end.index - start.index > MAX_FUNCTION_CHARS || UNNAMED.test(described.text());
}

export const documentedParameter: TreeRule = {
  kind: "tree",
  id: "documented-parameter",
  title: "Outdated documentation: the function has no such parameter",
  severity: "minor",
  category: "documentation",
  why: "Callers read about a parameter that doesn't exist, and not about the one that does.",
  fix: "Rename or remove it in the comment.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "java", "php", "python"],
  // Either side can be what changed.
  trigger: /@param\b|:param\b|[(,]\s*\$?\w+|^\s*[$\w.]+\s*[:,)?=]/m,
  needs: /@param\b|:param\b/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { described, documented } of describedFunctions(root, language)) {
      const names = documented.length === 0 ? null : parameterNames(described);
      if (names === null) continue;
      const unknown = documented.filter(({ name }) => !names.includes(name));
      const [first] = unknown;
      if (first === undefined || readsUnnamed(described)) continue;
      // A comment that shares no name with the function was written for another one, or in another form.
      if (unknown.length === documented.length && documented.length > 1) continue;
      const undocumented = names.filter((name) => !documented.some((one) => one.name === name));
      const meant = undocumented.length === 1 ? undocumented[0] : nearest(first.name, undocumented);
      const list = described.field("parameters") ?? described.field("parameter");
      const signature = linesOf(list ?? described);
      yield {
        line: first.line,
        also: Array.from({ length: signature.endLine - signature.line + 1 }, (_, at) => signature.line + at),
        title: `Outdated documentation: there is no parameter ${nameOr(first.name, "of this name")}`,
        ...(meant !== undefined && meant !== null && { detail: `The comment doesn't mention \`${meant}\`.` }),
      };
    }
  },
};
