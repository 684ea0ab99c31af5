/**
 * What several rules ask about a file again and again: which function stands around a node, and what was assigned to
 * a name before it. Everything is found in one walk and looked up by position, so that a file made to be slow (deep
 * nesting, thousands of comparisons) stays cheap.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionKindsOf } from "./function-kinds.ts";
import { type Assignment, assignmentsIn } from "./assignments.ts";

/** The last few assignments tell what a name holds; a name with more is a loop's or hostile. */
const MAX_ASSIGNMENTS = 20;

type Placed = Assignment & { readonly at: number };

type Span = { readonly node: SyntaxNode; readonly start: number; readonly end: number };

export type FileFacts = {
  readonly language: string;
  readonly text: string;
  /** Functions around a node, outermost first. */
  functionsAround(node: SyntaxNode): readonly SyntaxNode[];
  /** The text of the outermost function around a node, or of the whole file. */
  scopeText(node: SyntaxNode): string;
  /** What was last assigned to a name before a node, inside the outermost function around it, in order. */
  assignedBefore(node: SyntaxNode, name: string): readonly Assignment[];
};

export function factsOf(root: SyntaxNode, language: string): FileFacts {
  const text = root.text();
  let functions: readonly Span[] | null = null;
  let byName: ReadonlyMap<string, readonly Placed[]> | null = null;

  const around = (node: SyntaxNode): readonly Span[] => {
    functions ??= functionSpans(root, language);
    const { start, end } = node.range();
    return functions.filter((span) => span.start <= start.index && end.index <= span.end);
  };

  return {
    language,
    text,
    functionsAround: (node) => around(node).map((span) => span.node),
    scopeText: (node) => around(node)[0]?.node.text() ?? text,
    assignedBefore(node, name) {
      byName ??= Map.groupBy(placedAssignments(root, language), (assignment) => assignment.name);
      const start = around(node)[0]?.start ?? 0;
      const until = node.range().start.index;
      const named = byName.get(name) ?? [];
      const found = named.slice(0, firstFrom(named, until)).slice(-MAX_ASSIGNMENTS);
      return found.filter(({ at }) => at >= start);
    },
  };
}

function placedAssignments(root: SyntaxNode, language: string): readonly Placed[] {
  return assignmentsIn(root, language)
    .map(({ name, node, value }) => ({ name, node, value, at: value.range().start.index }))
    .toSorted((one, other) => one.at - other.at);
}

/** The index of the first assignment that does not stand before a position. */
function firstFrom(placed: readonly Placed[], position: number): number {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.at ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function functionSpans(root: SyntaxNode, language: string): readonly Span[] {
  const kinds = functionKindsOf(language);
  if (kinds.length === 0) return [];
  return root
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })
    .map((node) => ({ node, start: node.range().start.index, end: node.range().end.index }))
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
}
