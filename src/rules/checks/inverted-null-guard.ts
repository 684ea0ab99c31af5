/** A null check joined with the wrong operator, so the value is used exactly when it is null. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asBinary, binariesIn, chainOf, unwrapped } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NULL = /^(?:null|nil|NULL|nullptr)$/;

type Guard = { readonly name: string; readonly isNull: boolean };

/** `x == null`, `x.nil?`, and `!p` in C. */
function asGuard(node: SyntaxNode, language: string): Guard | null {
  const text = node.text();
  if (language === "ruby") {
    const asked = /^(!?)([a-z_@][\w.]{0,60})\.nil\?$/.exec(text);
    if (asked !== null) return { name: asked[2] ?? "", isNull: asked[1] === "" };
  }
  if (language === "c" || language === "cpp") {
    const negated = /^!([A-Za-z_]\w{0,60})$/.exec(text);
    if (negated !== null) return { name: negated[1] ?? "", isNull: true };
  }
  const binary = asBinary(node);
  if (binary === null || !/^[=!]==?$/.test(binary.operator)) return null;
  const [value, other] = NULL.test(binary.right.text())
    ? [binary.left, binary.right]
    : [binary.right, binary.left];
  if (!NULL.test(other.text()) || !/^\$?[A-Za-z_][\w.>-]{0,60}$/.test(value.text())) return null;
  return { name: value.text(), isNull: binary.operator.startsWith("=") };
}

/** Longer operands aren't searched. */
const MAX_CHARS = 500;

/** True when the operand certainly reads a member of the value. */
function isUsed(operand: SyntaxNode, name: string, language: string): boolean {
  const { start, end } = operand.range();
  if (end.index - start.index > MAX_CHARS || asGuard(operand, language) !== null) return false;
  const text = operand.text();
  const own = escapePattern(name);
  // A nested check or an assignment makes the use safe.
  if (new RegExp(`(?<![\\w$.>])${own}\\s*(?:=(?!=)|[!=]=)|\\bsizeof\\b|\\?|&&|\\|\\|`).test(text))
    return false;
  const member =
    language === "c" || language === "php"
      ? "->"
      : language === "cpp"
        ? "(?:->)"
        : "\\.(?!nil\\?|to_a\\b|to_s\\b|to_i\\b|try\\b|is_a\\?|blank\\?|present\\?|presence\\b|inspect\\b|class\\b|respond_to)";
  return new RegExp(`(?<![\\w$.>])${own}\\s*${member}`).test(text);
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const binary of binariesIn(root, language, /^(?:&&|\|\||and|or)$/)) {
    const isAnd = /^(?:&&|and)$/.test(binary.operator);
    const operands = chainOf(binary).map(unwrapped);
    for (const [index, operand] of operands.entries()) {
      const guard = asGuard(operand, language);
      if (guard === null || guard.isNull !== isAnd) continue;
      const next = operands[index + 1];
      if (next === undefined || !isUsed(next, guard.name, language)) continue;
      yield {
        ...linesOf(operand),
        title: `Inverted null check: ${nameOr(guard.name, "the value")} is used exactly when it is null`,
        detail: `With \`${binary.operator}\`, the right side runs only if \`${guard.name}\` is null.`,
      };
    }
  }
}

export const invertedNullGuard: TreeRule = {
  kind: "tree",
  id: "inverted-null-guard",
  title: "Inverted null check: the value is used exactly when it is null",
  severity: "must-fix",
  category: "correctness",
  why: "The check lets only null through to the code that uses the value, which then crashes.",
  fix: "Use `!= null &&` or `== null ||`.",
  languages: ["go", "c", "cpp", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /\b(?:null|nil|NULL|nullptr)\b|![A-Za-z_]/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad("src/user.go", 4, "package a\n\nfunc active(u *User) bool {\n\treturn u != nil || u.Active\n}\n"),
      bad(
        "src/User.java",
        3,
        "class A {\n  boolean f(String name) {\n    return name == null && name.isEmpty();\n  }\n}\n",
      ),
      bad("src/user.c", 2, "int active(struct user *u) {\n  return !u && u->active;\n}\n"),
      bad(
        "src/user.php",
        3,
        "<?php\nfunction active($user) {\n  return $user === null && $user->active;\n}\n",
      ),
      bad("lib/user.rb", 2, "def active?(user)\n  user.nil? && user.active\nend\n"),
      bad(
        "src/User.cs",
        3,
        "class A {\n  bool F(User user) {\n    return user != null || user.Active;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/user.go",
        "package a\n\nfunc active(u, v *User) bool {\n\treturn u != nil && u.Active || u == nil && v.Active\n}\n",
      ),
      good(
        "src/User.java",
        "class A {\n  boolean f(String name) {\n    return name == null || name.isEmpty() || (name != null || other.name());\n  }\n}\n",
      ),
      good(
        "src/user.c",
        "int active(struct user *u) {\n  return !u || u->active || (!u && (u = next()) && u->active);\n}\n",
      ),
      good(
        "src/User.cs",
        "class A {\n  bool F(User user) {\n    return user == null && user?.Active != true;\n  }\n}\n",
      ),
      good("lib/user.rb", "def active?(user)\n  user.nil? || user.active\nend\n"),
    ],
  },
};
