/**
 * Decides whether an error is ignored on purpose: the guarded code is a cleanup or a probe whose failure is the answer,
 * or there is a comment. It goes by the look of the code, not by its effect.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** Work whose failure changes nothing: closing, removing, notifying, formatting for display. */
const CLEAN_UP =
  /(?:close|destroy|unlink|remove|delete|rm|rmdir|rmtree|kill|terminate|abort|cancel|dispose|release|disconnect|unsubscribe|detach|shutdown|shutDown|stop|end|quit|cleanup|clean_up|unref|focus|blur|scroll\w{0,20}|log|warn|print|println|debug|flush|join|wait|sleep|revoke|reset|clear|unwatch|setItem|removeItem|postMessage|chmod|chown|mkdir|utime|interrupt)\w{0,12}!?\s*\(/i;

/** Probes: reflection, parsing of optional input, waiting for a key. */
const PROBE =
  /\bnew URL\(|\bGet(?:Method|Property|Field|Type)\(|\bCreateDelegate\(|\bClass\.forName\(|\bgetDeclared\w+\(|\bSystem\.in\.read\(|\bdlopen\(/;

/** Leaves the guarded block, so the code after it is the fallback. */
const LEAVES = /\b(?:return|break|continue|yield|throw|raise|resolve|import|require|exit|fail|assert)\b/i;

/** A longer block is real work, not a probe. */
const MAX_PROBE_STATEMENTS = 2;

/** `handler`: the catch, except or rescue clause; `guarded`: the statements it guards. */
export function isMeantToFail(guarded: readonly SyntaxNode[], handler: SyntaxNode): boolean {
  const text = guarded.map((node) => node.text()).join("\n");
  if (LEAVES.test(text) || CLEAN_UP.test(text) || PROBE.test(text)) return true;
  if (guarded.length <= MAX_PROBE_STATEMENTS && guarded.every(isAssignment)) return true;
  const whole = handler.parent();
  return whole === null || hasCommentAt(whole) || hasCommentAt(handler) || hasCommentInside(handler);
}

function isAssignment(node: SyntaxNode): boolean {
  const inner = node.kind() === "expression_statement" ? node.namedChildren()[0] : node;
  return inner !== undefined && /assignment|declaration|operator_assignment/.test(inner.kind());
}

/** Checks the text, because grammars name comments differently. A marker inside a string only suppresses a finding. */
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
