/**
 * What several rules ask about a file again and again: which function stands around a node, and what was assigned to
 * a name before it. Everything is found in one walk and looked up by position, so that a file made to be slow (deep
 * nesting, thousands of comparisons) stays cheap.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionKindsOf } from "./syntax/function-kinds.ts";
import { type Assignment, assignmentsIn } from "./syntax/assignments.ts";

/** The last few assignments tell what a name holds; a name with more is a loop's or hostile. */
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

export type FileFacts = {
  readonly language: string;
  readonly text: string;
  /** Whether a pattern is found anywhere in the file. Each is looked for once. */
  holds(pattern: RegExp): boolean;
  /** Functions around a node, outermost first. */
  functionsAround(node: SyntaxNode): readonly SyntaxNode[];
  outermostFunction(node: SyntaxNode): SyntaxNode | null;
  /** The text of the outermost function around a node, or of the whole file. */
  scopeText(node: SyntaxNode): string;
  /** What was last assigned to a name before a node, inside the outermost function around it, in order. */
  assignedBefore(node: SyntaxNode, name: string): readonly Assignment[];
};

export function factsOf(root: SyntaxNode, language: string): FileFacts {
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

/** The index of the first thing that does not start before a position. */
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
