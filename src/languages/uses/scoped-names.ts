/** Which declaration a name refers to at a place of a file: the one with the innermost scope around it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

type Scoped<Value> = { readonly start: number; readonly end: number; readonly value: Value };

export type ScopedNames<Value> = {
  /** Declares a name for the code within a node. */
  declare(name: string, scope: SyntaxNode, value: Value): void;
  /** Undefined: not declared around this place. */
  find(name: string, place: SyntaxNode): Value | undefined;
  /** True when a declaration for exactly this scope exists. */
  isDeclaredIn(name: string, scope: SyntaxNode): boolean;
  names(): readonly string[];
};

/** A name that is declared more often in one file is data. */
const MAX_PER_NAME = 500;

export function createScopedNames<Value>(): ScopedNames<Value> {
  const byName = new Map<string, Scoped<Value>[]>();
  return {
    declare(name, scope, value) {
      const { start, end } = scope.range();
      const list = byName.get(name) ?? [];
      if (list.length < MAX_PER_NAME) list.push({ start: start.index, end: end.index, value });
      byName.set(name, list);
    },
    find(name, place) {
      const at = place.range().start.index;
      let best: Scoped<Value> | undefined;
      for (const each of byName.get(name) ?? []) {
        if (at < each.start || at >= each.end) continue;
        // Of equal scopes the last declaration counts.
        if (best === undefined || each.end - each.start <= best.end - best.start) best = each;
      }
      return best?.value;
    },
    isDeclaredIn(name, scope) {
      const { start, end } = scope.range();
      return (byName.get(name) ?? []).some((each) => each.start === start.index && each.end === end.index);
    },
    names: () => [...byName.keys()],
  };
}

/** Code isn't nested more deeply; hostile text is. */
const MAX_STEPS = 100;

/** The innermost node of one of the kinds around a node; the root when there is none. */
export function scopeAround(node: SyntaxNode, kinds: ReadonlySet<string>): SyntaxNode {
  let around = node;
  let step = 0;
  for (let parent = node.parent(); parent !== null && step < MAX_STEPS; parent = parent.parent(), step++) {
    around = parent;
    if (kinds.has(parent.kind())) return parent;
  }
  return around;
}
