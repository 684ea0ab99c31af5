/**
 * Decides whether an expression is untrusted input: from a request, a cookie, a socket or the page's URL. It goes by
 * names only, in the expression and in the values assigned to it.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { TreeFacts } from "../file-facts.ts";

const OUTSIDE =
  /\breq(?:uest)?\s*(?:\.|->|\?\.)\s*(?:body|query|params?|cookies?|headers?|get|form|args|json|values|data|files|POST|GET|COOKIES|url|input|all)\b|\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\bphp:\/\/input\b|(?<![\w.$:>])params\[|\bcookies\[|\blocation\s*\.\s*(?:hash|search|href)\b|\bdocument\s*\.\s*(?:cookie|URL|referrer)\b|\bwindow\.name\b|\brecv\(|\bcookie(?:s|_value)?\b/i;

/** A longer expression is code, not a value that is passed on. */
const MAX_NAMES = 40;

/** True when the expression, or a value assigned earlier to a name in it, is untrusted input. */
export function isFromOutside(node: SyntaxNode, facts: TreeFacts): boolean {
  const text = node.text();
  if (OUTSIDE.test(text)) return true;
  const names = [...new Set(text.match(/\$?[A-Za-z_]\w*/g) ?? [])].slice(0, MAX_NAMES);
  return names.some((name) =>
    facts.assignedBefore(node, name).some(({ value }) => OUTSIDE.test(value.text())),
  );
}
