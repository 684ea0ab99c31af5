/**
 * Tells whether an expression is written as something that comes from outside the program: a request, a cookie, a
 * socket, a page's address. It looks at names only, in the expression and in what was assigned to the name it is.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import type { FileFacts } from "../file-facts.ts";

const OUTSIDE =
  /\breq(?:uest)?\s*(?:\.|->|\?\.)\s*(?:body|query|params?|cookies?|headers?|get|form|args|json|values|data|files|POST|GET|COOKIES|url|input|all)\b|\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\bphp:\/\/input\b|(?<![\w.$:>])params\[|\bcookies\[|\blocation\s*\.\s*(?:hash|search|href)\b|\bdocument\s*\.\s*(?:cookie|URL|referrer)\b|\bwindow\.name\b|\brecv\(|\bcookie(?:s|_value)?\b/i;

/** A longer expression is code of its own, not a value that is handed over. */
const MAX_NAMES = 40;

/** True when the expression, or something assigned to a name in it before, is written as input from outside. */
export function isFromOutside(node: SyntaxNode, facts: FileFacts): boolean {
  const text = node.text();
  if (OUTSIDE.test(text)) return true;
  const names = [...new Set(text.match(/\$?[A-Za-z_]\w*/g) ?? [])].slice(0, MAX_NAMES);
  return names.some((name) =>
    facts.assignedBefore(node, name).some(({ value }) => OUTSIDE.test(value.text())),
  );
}
