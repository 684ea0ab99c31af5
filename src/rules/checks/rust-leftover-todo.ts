/** `todo!()` in production code. `unimplemented!()` is often deliberate and is ignored. */
import { createAncestorTest } from "../syntax/ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** `#[test]`, `#[cfg(test)]` and similar attributes on an item. */
function isTestOnly(item: SyntaxNode): boolean {
  let before = item.prev();
  while (before !== null && /^(?:attribute_item|line_comment|block_comment)$/.test(before.kind())) {
    if (/\btest\b|\bbench\b|\bcfg\b/.test(before.text())) return true;
    before = before.prev();
  }
  return false;
}

export const rustLeftoverTodo: TreeRule = {
  kind: "tree",
  id: "rust-leftover-todo",
  title: "Leftover `todo!()` in production code",
  severity: "major",
  category: "correctness",
  why: "The macro compiles anywhere and panics at run time, so the gap shows up only when this code is reached.",
  fix: "Implement the missing code, or return an error for the unsupported case.",
  languages: ["rust"],
  trigger: /\btodo!/,
  *check(root, file): Iterable<RuleMatch> {
    if (/(?:^|\/)(?:examples|benches|docs?|fixtures|templates?)\//.test(file.path)) return;
    const found = root.findAll({ rule: { kind: "macro_invocation", regex: "^todo!" } });
    const isInTest = createAncestorTest(isTestOnly);
    for (const node of found) {
      if (!isInTest(node)) yield { line: node.range().start.line + 1 };
    }
  },
};
