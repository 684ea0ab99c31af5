/**
 * Decides whether an expression's value is certainly harmless inside a string: a number, a constant, a quoted value, or
 * one that the program chose itself. It reads only the surrounding function; when in doubt, the value isn't known.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { asCall } from "./calls.ts";
import type { FileFacts } from "../file-facts.ts";

const LITERAL_KIND =
  /^(number|integer|float|int_literal|float_literal|integer_literal|real_literal|decimal_integer_literal|decimal_floating_point_literal|true|false|boolean|boolean_literal|null|null_literal|nil|none|None|undefined|string|string_literal|interpreted_string_literal|raw_string_literal|verbatim_string_literal|encapsed_string|simple_symbol)$/;

const CONSTANT_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** Calls that return a number or an escaped text. */
const SAFE_CALL =
  /^(parseInt|parseFloat|Number|BigInt|int|float|len|intval|floatval|absint|Integer|Float|to_i|to_f|Itoa|FormatInt|ParseInt|valueOf|abs|round|floor|ceil|max|min|size|count|length|time|now|getTime|mktime|gm?date|strftime|toISOString|getpid|cwd|gettempdir|tmpdir|mkdtemp|mktemp|hexdigest|digest|md5|sha1|uuid4|randomUUID|nextval|implode|join|repeat|fill)$|quote|escape|sanitize|esc_|saniti[sz]e|placeholder|ident|literal/i;

const NUMBER_TYPE =
  "(?:number|bigint|boolean|bool|int|integer|long|short|byte|float|double|decimal|Integer|Long|Short|Double|Float|Boolean|Guid|DateTime|u?int(?:8|16|32|64)?|float(?:32|64))";

/** A value assigned from such a call was escaped on purpose. */
const QUOTING = /^[^(\n]{0,60}(?:quote|escape|esc_|sanitize)\w{0,30}\s*\(/i;

/** Deep enough for any chain of conditionals people write. */
const MAX_DEPTH = 8;

export function isKnownValue(node: SyntaxNode, facts: FileFacts, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const kind = node.kind();
  if (LITERAL_KIND.test(kind)) return node.namedChildren().every((child) => !isHoleKind(child.kind()));
  if (kind === "class_constant_access_expression" || kind === "cast_expression")
    return isConstantOrNumberCast(node);
  if (/^(ternary_expression|conditional_expression|conditional)$/.test(kind))
    return branchesOf(node).every((branch) => isKnownValue(branch, facts, depth + 1));
  if (/^(parenthesized_expression|await_expression|non_null_expression|as_expression)$/.test(kind)) {
    const inner = node.namedChildren()[0];
    return inner !== undefined && isKnownValue(inner, facts, depth + 1);
  }
  if (/^(binary_expression|binary_operator|binary)$/.test(kind)) {
    if (/^[-*/%]$/.test(node.children()[1]?.text() ?? "")) return true;
    return node.namedChildren().every((child) => isKnownValue(child, facts, depth + 1));
  }
  const call = asCall(node);
  if (call !== null)
    return SAFE_CALL.test(call.name) || (call.args.length === 0 && SAFE_CALL.test(call.receiver));
  const text = node.text();
  const last = /(?<![\w$])([\w$]+)$/.exec(text)?.[1] ?? "";
  if (CONSTANT_NAME.test(last) && !/^(ARGV|ENV|GET|POST)$|^_(GET|POST|REQUEST|COOKIE)/.test(last))
    return true;
  if (/^(length|Length|Count|size|__dirname|__filename|__DIR__|__FILE__|execPath|executable|pid)$/.test(last))
    return true;
  return /^\$?[A-Za-z_]\w*$/.test(text) && isKnownName(text, facts.scopeText(node));
}

function isHoleKind(kind: string): boolean {
  return (
    kind === "interpolation" ||
    kind === "template_substitution" ||
    kind === "variable_name" ||
    kind.endsWith("expression")
  );
}

function isConstantOrNumberCast(node: SyntaxNode): boolean {
  if (node.kind() === "class_constant_access_expression") return true;
  return /^\(\s*(int|integer|float|double|bool|boolean|long)\s*\)/i.test(node.text());
}

function branchesOf(node: SyntaxNode): readonly SyntaxNode[] {
  const [first, second, third] = node.namedChildren();
  if (first === undefined || second === undefined || third === undefined) return [node];
  const isPython = node.children()[1]?.text() === "if";
  return isPython ? [first, third] : [second, third];
}

/** True for a name that is typed as a number, or that is only assigned literals and safe calls. */
function isKnownName(name: string, scope: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  const typed = new RegExp(
    `(?:${escaped}\\??\\s*:\\s*|${escaped}\\s+)${NUMBER_TYPE}\\b|\\b${NUMBER_TYPE}\\??\\s+${escaped}\\b`,
  );
  if (typed.test(scope)) return true;
  const assignments = [
    ...scope.matchAll(
      new RegExp(`(?<![\\w$.])${escaped}\\s*(?::\\s*[\\w.]{1,40}\\s*)?:?=(?![=>])\\s*([^\\n]{0,200})`, "g"),
    ),
  ];
  if (assignments.some(([, value]) => QUOTING.test(value ?? ""))) return true;
  if (assignments.length > 0) return assignments.every(([, value]) => isSafeText(value ?? ""));
  const loop = new RegExp(
    `\\b(?:for|foreach)\\b[^\\n]{0,60}${escaped}\\s+(?:in|of)\\s*[[(]([^\\])]{0,400})[\\])]`,
  ).exec(scope);
  return loop !== null && /^(?:"[^"]*"|'[^']*'|[\d\s,])+$/.test(loop[1] ?? "");
}

function isSafeText(value: string): boolean {
  if (/^(?:"[^"$#{]*"|'[^']*'|`[^`$]*`|-?\d[\d._]*)\s*(?:[;,)]|#.*|\/\/.*)?$/.test(value.trim())) return true;
  if (/^[^?\n]{1,100}\?\s*(?:"[\w ]*"|'[\w ]*'|\d+)\s*:\s*(?:"[\w ]*"|'[\w ]*'|\d+)\s*;?$/.test(value.trim()))
    return true;
  const callee = /^(?:await\s+)?(?:[\w$]+(?:\.|::|->))*([\w$]+)\(/.exec(value);
  return callee !== null && SAFE_CALL.test(callee[1] ?? "");
}
