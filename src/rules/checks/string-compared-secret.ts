/**
 * A computed signature or a configured secret compared with `==`. Repeated password fields, parser tokens and
 * comparisons with literals are ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asCall } from "../syntax/calls.ts";
import { type TreeFacts, factsOf } from "../file-facts.ts";
import { isFromOutside } from "../syntax/outside-input.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** Calls that compute an HMAC. */
const MAKES_HMAC =
  /\bcreateHmac\s*\(|\bhmac\.(?:new|digest|HexDigest|hexdigest)\s*\(|\bhash_hmac\s*\(|\bOpenSSL::HMAC\.|\bhmac\.New\s*\(|\b\w*(?:mac|Mac|MAC)\w*\.Sum\(nil\)|\.doFinal\s*\(|\bHMACSHA\d+\b[^;]{0,80}ComputeHash\s*\(|\bHmacUtils\b/;

/** A secret from the program's environment or settings. */
const OWN_SECRET =
  /(?:\bprocess\.env(?:\.|\[["'])|\bos\.environ(?:\.get\(|\[)["']|\bos\.getenv\(["']|\bos\.Getenv\("|\bENV\[["']|\bgetenv\(["']|\bsettings\.|\bconfig\.)\w*(?:SECRET|TOKEN|API_?KEY|PASSWORD|SIGNATURE|secret|Token|apiKey|ApiKey|password)\w*/;

const COMPARISONS: Readonly<Record<string, string>> = {
  python: "comparison_operator",
  ruby: "binary",
};

/** The operands of an equality operator; null for other operators. */
function sidesOf(node: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | null {
  const [left, operator, right] = node.children();
  if (left === undefined || right === undefined || node.children().length !== 3) return null;
  return /^[=!]==?$/.test(operator?.text() ?? "") ? [left, right] : null;
}

/** `a.equals(b)` of Java and C#. */
function equalsSides(node: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | null {
  const call = asCall(node);
  const object = node.field("object") ?? node.field("function")?.namedChildren()[0] ?? null;
  const [other] = call?.args ?? [];
  return call !== null &&
    /^(?:equals|Equals|equalsIgnoreCase)$/.test(call.name) &&
    object !== null &&
    other !== undefined
    ? [object, other]
    : null;
}

/** True for values that a client could have sent; literals, null and lengths aren't. */
function isValue(node: SyntaxNode): boolean {
  if (
    /^(?:string|number|null|undefined|none|nil|true|false|integer|template_string|unary_expression|null_literal|string_literal|interpreted_string_literal|encapsed_string)$/.test(
      node.kind(),
    )
  )
    return false;
  return !/\b(?:undefined|null|None|nil|length|Length|typeof|len|strlen|size)\b/.test(node.text());
}

/** An operand's text, and the expressions assigned to it in the function. */
function meaningOf(node: SyntaxNode, facts: TreeFacts): string {
  const name = node.text();
  if (!/^\$?[A-Za-z_]\w*$/.test(name) || facts.outermostFunction(node) === null) return name;
  return [name, ...facts.assignedBefore(node, name).map(({ value }) => value.text())].join("\n");
}

function isSecretCheck([left, right]: readonly [SyntaxNode, SyntaxNode], facts: TreeFacts): boolean {
  if (!isValue(left) || !isValue(right)) return false;
  const meanings = [meaningOf(left, facts), meaningOf(right, facts)];
  if (meanings.some((meaning) => MAKES_HMAC.test(meaning))) return true;
  const [first = "", second = ""] = meanings;
  return (
    (OWN_SECRET.test(first) && isFromOutside(right, facts)) ||
    (OWN_SECRET.test(second) && isFromOutside(left, facts))
  );
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const isMethod = language === "java" || language === "csharp";
  const facts = factsOf(root, language);
  if (!MAKES_HMAC.test(facts.text) && !OWN_SECRET.test(facts.text)) return;
  for (const node of root.findAll({ rule: { kind: COMPARISONS[language] ?? "binary_expression" } })) {
    const sides = sidesOf(node);
    if (sides !== null && isSecretCheck(sides, facts)) yield { line: linesOf(node).line };
  }
  if (!isMethod) return;
  const kind = language === "java" ? "method_invocation" : "invocation_expression";
  for (const node of root.findAll({ rule: { kind } })) {
    const sides = equalsSides(node);
    if (sides !== null && isSecretCheck(sides, facts)) yield { line: linesOf(node).line };
  }
}

export const stringComparedSecret: TreeRule = {
  kind: "tree",
  id: "string-compared-secret",
  title: "Timing attack: secret is not compared in constant time",
  severity: "must-fix",
  category: "security",
  why: "A regular comparison stops at the first different byte, so its duration tells an attacker how much of a guess was correct.",
  fix: "Use a constant-time comparison: `crypto.timingSafeEqual`, `hmac.compare_digest`, `hmac.Equal`, `hash_equals`, `MessageDigest.isEqual`, `secure_compare`.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "ruby", "php"],
  trigger: /[=!]=|quals\(/,
  check: (root, file) => check(root, file.language),
};
