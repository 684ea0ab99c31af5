/** Two strings or boxed numbers compared with `==`. Types are those that the file declares for the two names. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { binariesIn } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const TYPES = "(String|Integer|Long|Short|Double|Float|BigDecimal|BigInteger)";

/** The type that the function, or else the class, declares for a name; null when it's another type or unclear. */
function typeOf(name: string, scope: string, file: string): string | null {
  const declared = new RegExp(
    `(?<![\\w<>\\[\\].])([\\w<>\\[\\].]{1,60})\\s{1,40}${escapePattern(name)}\\s{0,40}[=;,):]`,
    "g",
  );
  for (const text of [scope, file]) {
    const types = new Set(
      [...text.matchAll(declared)]
        .map(([, type]) => type ?? "")
        .filter((type) => !/^(?:return|new|else|case)$/.test(type)),
    );
    if (types.size === 0) continue;
    const [only = ""] = types;
    return types.size === 1 && new RegExp(`^${TYPES}$`).test(only) ? only : null;
  }
  return null;
}

/** The whole condition that a comparison is part of. */
function wholeOf(node: SyntaxNode): SyntaxNode {
  let whole = node;
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (!/^(?:binary_expression|parenthesized_expression|unary_expression)$/.test(around.kind())) break;
    whole = around;
  }
  return whole;
}

/** A longer file isn't searched for declarations. */
const MAX_CHARS = 60_000;

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const { start, end } = root.range();
  if (end.index - start.index > MAX_CHARS) return;
  const file = root.text();
  for (const { node, left, right } of binariesIn(root, "java", /^[!=]=$/)) {
    const names = [left, right].map((side) => side.text().replace(/^this\./, ""));
    if (names.some((name) => /^(?:null|this|true|false|["'\d-].*)$/s.test(name))) continue;
    const around = functionAround(node);
    const scope = around?.text() ?? "";
    // `a == b || a.equals(b)` is a shortcut before the real comparison.
    if (/\bequals\(|\bcompareTo\(/.test(wholeOf(node).text()) || around?.field("name")?.text() === "equals")
      continue;
    const [first = "", second = ""] = names;
    const types = names.map((name) => (/^[a-z]\w*$/.test(name) ? typeOf(name, scope, file) : null));
    // A boxed number compared with a plain one is unboxed; a string is always an object.
    const type = types.includes("String") ? "String" : types[0] === types[1] ? types[0] : null;
    if (type === null || type === undefined || /^[A-Z_]+$/.test(second.replace(/^.*\./, ""))) continue;
    yield {
      ...linesOf(node),
      title: `${type === "String" ? "Strings" : "Boxed numbers"} compared by reference instead of \`equals\`: ${nameOr(first, "a value")} and ${nameOr(second, "another")}`,
    };
  }
}

export const javaObjectIdentity: TreeRule = {
  kind: "tree",
  id: "java-object-identity",
  title: "Strings or boxed numbers compared by reference instead of `equals`",
  severity: "must-fix",
  category: "correctness",
  why: "`==` compares references. Equal texts, and equal numbers above 127, are usually different objects, so the comparison fails.",
  fix: "Use `equals`, or `Objects.equals` when one side can be null.",
  languages: ["java"],
  trigger: /[!=]=/,
  check,
};
