/**
 * Facts about a file that several rules need: the function around a node, and the assignments to a name before it. One
 * walk collects them and lookups go by position, so a file made to be slow (deep nesting, thousands of comparisons)
 * stays cheap.
 */
import type { SyntaxNode } from "../syntax/syntax.ts";
import { functionKindsOf } from "./syntax/function-kinds.ts";
import { type Assignment, assignmentsIn } from "./syntax/assignments.ts";

/** The last few assignments show a name's value; a name with more is a loop variable or hostile. */
const MAX_ASSIGNMENTS = 20;

type Placed = Assignment & { readonly start: number };

/** A function, and the one around it. */
type Span = {
  readonly node: SyntaxNode;
  readonly start: number;
  readonly end: number;
  readonly around: Span | null;
  readonly outermost: Span | null;
};

export type TreeFacts = {
  readonly language: string;
  readonly text: string;
  /** True when the file matches a pattern. Each pattern is tested once. */
  holds(pattern: RegExp): boolean;
  /** Functions around a node, outermost first. */
  functionsAround(node: SyntaxNode): readonly SyntaxNode[];
  outermostFunction(node: SyntaxNode): SyntaxNode | null;
  /** The text of the outermost function around a node, or of the whole file. */
  scopeText(node: SyntaxNode): string;
  /** The last assignments to a name before a node, inside the outermost function around it, in order. */
  assignedBefore(node: SyntaxNode, name: string): readonly Assignment[];
};

export function factsOf(root: SyntaxNode, language: string): TreeFacts {
  const text = root.text();
  const held = new Map<RegExp, boolean>();
  let functions: readonly Span[] | null = null;
  let byName: ReadonlyMap<string, readonly Placed[]> | null = null;

  const innermost = (node: SyntaxNode): Span | null => {
    functions ??= functionSpans(root, language);
    const { start, end } = node.range();
    let span = functions[firstFrom(functions, start.index + 1) - 1] ?? null;
    while (span !== null && span.end < end.index) span = span.around;
    return span;
  };
  const outermost = (node: SyntaxNode): Span | null => {
    const span = innermost(node);
    return span?.outermost ?? span;
  };

  return {
    language,
    text,
    holds(pattern) {
      const isHeld = held.get(pattern) ?? pattern.test(text);
      held.set(pattern, isHeld);
      return isHeld;
    },
    functionsAround(node) {
      const nodes: SyntaxNode[] = [];
      for (let span = innermost(node); span !== null; span = span.around) nodes.push(span.node);
      return nodes.reverse();
    },
    outermostFunction: (node) => outermost(node)?.node ?? null,
    scopeText: (node) => outermost(node)?.node.text() ?? text,
    assignedBefore(node, name) {
      byName ??= Map.groupBy(placedAssignments(root, language), (assignment) => assignment.name);
      const start = outermost(node)?.start ?? 0;
      const until = node.range().start.index;
      const named = byName.get(name) ?? [];
      const before = firstFrom(named, until);
      return named.slice(Math.max(0, before - MAX_ASSIGNMENTS), before).filter((one) => one.start >= start);
    },
  };
}

function placedAssignments(root: SyntaxNode, language: string): readonly Placed[] {
  return assignmentsIn(root, language)
    .map(({ name, node, value }) => ({ name, node, value, start: value.range().start.index }))
    .toSorted((one, other) => one.start - other.start);
}

/** The index of the first entry that starts at or after a position. */
function firstFrom(placed: readonly { readonly start: number }[], position: number): number {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.start ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function functionSpans(root: SyntaxNode, language: string): readonly Span[] {
  const kinds = functionKindsOf(language);
  if (kinds.length === 0) return [];
  const found = root
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })
    .map((node) => ({ node, start: node.range().start.index, end: node.range().end.index }))
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const spans: Span[] = [];
  for (const one of found) {
    let around = spans.at(-1) ?? null;
    while (around !== null && around.end < one.end) around = around.around;
    spans.push({ ...one, around, outermost: around?.outermost ?? around });
  }
  return spans;
}
