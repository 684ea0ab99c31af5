/** Blocking calls in an async function, outside of `spawn_blocking`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { isRustTest } from "../syntax/rust-test.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const BLOCKING = /^(?:(?:std::)?thread::sleep|(?:reqwest::)?blocking::\w+(?:::\w+)*)$/;

/** The nearest function or block decides: a closure passed to another thread may block. */
function isAsync(node: SyntaxNode): boolean {
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (around.kind() === "closure_expression")
      return (
        /^(?:move\s+)?async\b/.test(around.text().slice(0, 20)) ||
        /^\s*async\b/.test(around.field("body")?.text().slice(0, 20) ?? "")
      );
    if (around.kind() === "async_block") return true;
    if (around.kind() === "function_item")
      return /\basync\s+(?:unsafe\s+)?fn\b/.test(around.text().slice(0, 300).split("{", 1)[0] ?? "");
  }
  return false;
}

export const rustBlockingAsync: TreeRule = {
  kind: "tree",
  id: "rust-blocking-async",
  title: "Blocking call in an async function: it stops the whole thread",
  severity: "major",
  category: "performance",
  why: "The executor's thread can't run other tasks while the call blocks. A few such calls at once stop the whole program.",
  fix: "Use the async variant, such as `tokio::time::sleep`, or move the call into `spawn_blocking`.",
  languages: ["rust"],
  trigger: /thread::sleep|\bblocking::/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
      const callee = node.field("function");
      if (callee?.kind() !== "scoped_identifier") continue;
      const name = callee.text();
      if (!BLOCKING.test(name) || !isAsync(node) || isRustTest(node)) continue;
      yield {
        line: linesOf(node).line,
        title: `Blocking call in an async function: ${nameOr(name, "it")} stops the whole thread`,
      };
    }
  },
};
