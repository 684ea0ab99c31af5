/** Whether Rust code is a test: tests are usually in the file that they test. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** True inside a function or module with an attribute such as `#[test]`, `#[tokio::test]` or `#[cfg(test)]`. */
export function isRustTest(node: SyntaxNode): boolean {
  return node.ancestors().some((around) => {
    if (around.kind() !== "mod_item" && around.kind() !== "function_item") return false;
    for (let before = around.prev(); before?.kind() === "attribute_item"; before = before.prev()) {
      if (/\btest\b/.test(before.text())) return true;
    }
    return false;
  });
}
