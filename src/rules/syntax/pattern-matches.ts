/** Runs pattern rules: ast-grep finds the code, and templates name it. It decides nothing that a rule's data doesn't say. */
import type { RuleObject, SyntaxNode } from "../../syntax/syntax.ts";
import {
  type FileView,
  linesOf,
  nameOr,
  type CodePattern,
  type PatternRule,
  type RuleMatch,
} from "../rule.ts";

export function* patternMatches(
  { patterns }: PatternRule,
  root: SyntaxNode,
  file: FileView,
): Iterable<RuleMatch> {
  for (const { match } of findPatterns(patterns, root, file)) yield match;
}

/** The code that matches, for a rule that checks it further. */
export function* findPatterns(
  patterns: readonly CodePattern[],
  root: SyntaxNode,
  file: FileView,
): Iterable<{ readonly node: SyntaxNode; readonly match: RuleMatch }> {
  for (const pattern of patterns) {
    // A pattern's languages are a narrower type than the file's.
    const languages: readonly string[] | undefined = pattern.languages;
    if (languages !== undefined && !languages.includes(file.language)) continue;
    for (const node of nodesOf(pattern, root)) yield { node, match: toMatch(node, pattern, file) };
  }
}

function nodesOf({ rule, constraints = {} }: CodePattern, root: SyntaxNode): readonly SyntaxNode[] {
  const inner = withoutAround(rule);
  // To look around a node, the parser reads every node above it, which is quadratic in deep nesting. Reading them here counts as work.
  if (inner !== rule) for (const candidate of root.findAll({ rule: inner })) candidate.ancestors();
  return root.findAll({ rule, constraints });
}

/** The rule without what it says about the code around a node. It matches the same nodes and others. */
function withoutAround(rule: RuleObject): RuleObject {
  const kept = Object.entries(rule).flatMap(([key, part]): [string, unknown][] => {
    if (/^(?:inside|follows|precedes)$/.test(key)) return [];
    if (key === "not") return withoutAround(part as RuleObject) === part ? [[key, part]] : [];
    if (key !== "any" && key !== "all") return [[key, part]];
    // ast-grep's type for these two.
    const parts = part as readonly RuleObject[];
    const inner = parts.map(withoutAround);
    return [[key, inner.every((one, at) => one === parts[at]) ? parts : inner]];
  });
  const isSame = kept.length === Object.keys(rule).length && kept.every(([key, part]) => rule[key] === part);
  return isSame ? rule : Object.fromEntries(kept);
}

function toMatch(node: SyntaxNode, pattern: CodePattern, file: FileView): RuleMatch {
  const { title, detail, severity, missingIn } = pattern;
  const named = (name: string | undefined): SyntaxNode =>
    (name === undefined ? null : node.getMatch(name)) ?? node;
  const reported = named(pattern.at);
  return {
    line: linesOf(reported).line,
    ...(missingIn !== undefined && { missingIn: linesOf(named(missingIn)) }),
    ...(title !== undefined && { title: fill(title, node) }),
    ...(detail !== undefined && { detail: fill(detail, node) }),
    ...(severity !== undefined && { severity }),
    ...(pattern.replacement !== undefined && replaceAlone(reported, pattern.replacement, file)),
  };
}

/** A meta-variable in a template, and the words in its place when its text isn't a plain name. */
const PLACE = /\{([A-Z_]+)(?:\|([^{}]*))?\}/g;

function fill(template: string, node: SyntaxNode): string {
  return template.replace(PLACE, (_place, name: string, otherwise: string | undefined) => {
    const text = node.getMatch(name)?.text() ?? "";
    return otherwise === undefined ? text : nameOr(text, otherwise);
  });
}

function replaceAlone(node: SyntaxNode, replacement: string, file: FileView): { suggestion?: string } {
  const { start, end } = node.range();
  const line = file.lines?.[start.line] ?? "";
  const isAlone = start.line === end.line && line.trim() === node.text();
  return isAlone ? { suggestion: line.replace(node.text(), replacement) } : {};
}
