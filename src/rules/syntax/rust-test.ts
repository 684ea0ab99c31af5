/** Whether Rust code is a test: tests are usually in the file that they test. */
import type { RuleObject, SyntaxNode } from "../../syntax/syntax.ts";
import { anyKind } from "./pattern-parts.ts";

/** For `inside`: a function or module with an attribute such as `#[test]`, `#[tokio::test]` or `#[cfg(test)]`. */
export const RUST_TEST: RuleObject = {
  ...anyKind("mod_item function_item"),
  follows: { kind: "attribute_item", regex: "\\btest\\b", stopBy: { not: { kind: "attribute_item" } } },
  stopBy: "end",
};

export function isRustTest(node: SyntaxNode): boolean {
  return node.matches({ rule: { inside: RUST_TEST } });
}
