/**
 * Tells whether throwing an error away looks meant: the guarded code is a clean-up or a probe whose failure is the
 * answer, or somebody wrote a comment beside it. It judges the look of the code, not what it does.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";

/** Work whose failure changes nothing: closing, removing, notifying, formatting for display. */
const CLEAN_UP =
  /(?:close|destroy|unlink|remove|delete|rm|rmdir|rmtree|kill|terminate|abort|cancel|dispose|release|disconnect|unsubscribe|detach|shutdown|shutDown|stop|end|quit|cleanup|clean_up|unref|focus|blur|scroll\w{0,20}|log|warn|print|println|debug|flush|join|wait|sleep|revoke|reset|clear|unwatch|setItem|removeItem|postMessage|chmod|chown|mkdir|utime|interrupt)\w{0,12}!?\s*\(/i;

/** A way out of the guarded block: what follows it is the fallback. */
const LEAVES = /\b(?:return|break|continue|yield|throw|raise|resolve|import|require|exit|fail|assert)\b/i;

/** More than this in the block is work, whatever else it ends with. */
const MAX_PROBE_STATEMENTS = 2;

/** `handler`: the catch, except or rescue clause; `guarded`: the statements it guards. */
export function isMeantToFail(guarded: readonly SyntaxNode[], handler: SyntaxNode): boolean {
  const text = guarded.map((node) => node.text()).join("\n");
  if (LEAVES.test(text) || CLEAN_UP.test(text)) return true;
  if (guarded.length <= MAX_PROBE_STATEMENTS && guarded.every(isAssignment)) return true;
  const whole = handler.parent();
  return whole === null || hasCommentAt(whole) || hasCommentAt(handler) || hasCommentInside(handler);
}

function isAssignment(node: SyntaxNode): boolean {
  const inner = node.kind() === "expression_statement" ? node.namedChildren()[0] : node;
  return inner !== undefined && /assignment|declaration|operator_assignment/.test(inner.kind());
}

/** Grammars name their comments differently; a mark inside a string only keeps the rule silent. */
function hasCommentInside(handler: SyntaxNode): boolean {
  return /\/\/|\/\*|#/.test(handler.text());
}

function hasCommentAt(node: SyntaxNode): boolean {
  const before = node.prev();
  const after = node.next();
  if (before !== null && before.kind().includes("comment")) return true;
  return (
    after !== null && after.kind().includes("comment") && after.range().start.line === node.range().end.line
  );
}
