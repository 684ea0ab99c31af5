/** Two comparisons of one value that can't both hold, or of which one always holds. Only literals and names of constants count. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asBinary, binariesIn, chainOf, isLiteral, isRepeatable } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Comparison = { readonly value: string; readonly operator: string; readonly limit: SyntaxNode };

const FLIPPED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** A name that is a constant by the conventions of its language. Variables may well be equal to each other. */
function isConstant(text: string, language: string, value: string): boolean {
  if (text.length > 80) return false;
  if (/^(?:\w+(?:\.|::|->))*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(text)) return !/^(?:NULL|[A-Z])$/.test(text);
  switch (language) {
    case "go":
      return /^[A-Z]\w*[a-z]\w*$/.test(text);
    case "rust":
      return /^(?:\w+::)*[A-Z]\w*::[A-Z]\w*$/.test(text);
    case "cpp":
      return /^(?:\w+::)*(?:[A-Z]\w*::[A-Za-z]\w*|k[A-Z]\w*)$/.test(text);
    case "csharp":
    case "java": {
      const [, type = ""] = /^(?:\w+\.)*([A-Z]\w*)\.[A-Z]\w*$/.exec(text) ?? [];
      return type !== "" && type.toLowerCase().endsWith((/\w+$/.exec(value)?.[0] ?? "?").toLowerCase());
    }
    default:
      return false;
  }
}

function asComparison(node: SyntaxNode, language: string): Comparison | null {
  const binary = asBinary(node);
  if (binary === null || !/^(?:===?|!==?|<=?|>=?)$/.test(binary.operator)) return null;
  const operator = binary.operator.replace("===", "==").replace("!==", "!=");
  if (/^[!=]=$/.test(operator) && isConstant(binary.right.text(), language, binary.left.text()))
    return { value: binary.left.text(), operator, limit: binary.right };
  if (isLiteral(binary.right)) return { value: binary.left.text(), operator, limit: binary.right };
  if (!isLiteral(binary.left)) return null;
  return { value: binary.right.text(), operator: FLIPPED[operator] ?? operator, limit: binary.left };
}

/** True when two comparisons of the same value exclude each other. */
function exclude(one: Comparison, other: Comparison): boolean {
  const [a, b] = [one.limit.text(), other.limit.text()];
  if (one.operator === "==" && other.operator === "==") return areDistinct(one.limit, other.limit);
  const [low, high] = [Number(a), Number(b)];
  if (a === "" || b === "" || Number.isNaN(low) || Number.isNaN(high)) return false;
  if (one.operator.startsWith(">") && other.operator.startsWith("<"))
    return low > high || (low === high && isOpen(one, other));
  if (one.operator.startsWith("<") && other.operator.startsWith(">")) return exclude(other, one);
  return false;
}

function isOpen(one: Comparison, other: Comparison): boolean {
  return one.operator.length + other.operator.length < 4;
}

/** Literals of one kind with different texts. Escapes and number formats can write one value in two ways. */
function areDistinct(one: SyntaxNode, other: SyntaxNode): boolean {
  const [a, b] = [one.text(), other.text()];
  if (!isLiteral(one) && !isLiteral(other)) return a !== b;
  if (one.kind() !== other.kind() || a === b || /[\\_xX]/.test(a + b)) return false;
  return [/^-?\d+$/, /^(["'])[^"']*\1$/, /^:\w+$/].some((form) => form.test(a) && form.test(b));
}

const OPPOSITE: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const binary of binariesIn(root, language, /^(?:&&|\|\||and|or)$/)) {
    const isAnd = /^(?:&&|and)$/.test(binary.operator);
    const comparisons: Comparison[] = [];
    for (const operand of chainOf(binary)) {
      const read = asComparison(operand, language);
      if (read === null || !isRepeatable(read.value)) continue;
      // `a || b` always holds when the opposites of both exclude each other.
      const one = isAnd ? read : { ...read, operator: OPPOSITE[read.operator] ?? "" };
      const clash = comparisons.find((other) => other.value === one.value && exclude(one, other));
      comparisons.push(one);
      if (clash === undefined) continue;
      yield {
        ...linesOf(operand),
        title: `Constant condition: the check of ${nameOr(read.value, "one value")} is always ${isAnd ? "false" : "true"}`,
        detail: `\`${read.value}\` is compared with \`${clash.limit.text()}\` and with \`${one.limit.text()}\` in the same condition.`,
      };
      break;
    }
  }
}

export const contradictoryCondition: TreeRule = {
  kind: "tree",
  id: "contradictory-condition",
  title: "Constant condition: it's always true or always false",
  severity: "must-fix",
  category: "correctness",
  why: "The two comparisons decide the result for every value, so the code behind the condition always or never runs.",
  fix: "Swap `&&` and `||`, or correct the compared value.",
  languages: ["javascript", "typescript", "tsx", "go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /&&|\|\||\b(?:and|or)\b/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/state.go",
        4,
        'package a\n\nfunc check(state string) bool {\n\tif state != "open" || state != "closed" {\n\t\treturn false\n\t}\n\treturn true\n}\n',
      ),
      bad(
        "src/State.java",
        3,
        "class State {\n  boolean ok(int code) {\n    return code == 200 && code == 204;\n  }\n}\n",
      ),
      bad(
        "src/role.go",
        4,
        "package a\n\nfunc (m Member) IsReadOnly() bool {\n\treturn m.Role != RoleOwner || m.Role != RoleEditor\n}\n",
      ),
      bad(
        "src/mode.cpp",
        2,
        "bool isOff(Mode mode) {\n  return mode != Mode::On || mode != Mode::Idle;\n}\n",
      ),
      bad("src/kind.c", 2, "int is_both(int kind) {\n  return kind == KIND_FILE && kind == KIND_LINK;\n}\n"),
      bad("src/range.c", 2, "int invalid(int percent) {\n  return percent < 0 && percent > 100;\n}\n"),
      bad("src/range.rs", 2, "fn all(age: u8) -> bool {\n    age >= 18 || age < 65\n}\n"),
      bad(
        "src/access.ts",
        2,
        'export function canView(member: Member) {\n  return member.role !== "guest" || member.role !== "blocked";\n}\n',
      ),
      bad("lib/state.rb", 2, "def bad?(state)\n  state != :open || state != :closed\nend\n"),
      bad("src/state.php", 3, "<?php\nfunction bad($kind) {\n  return $kind !== 'a' || $kind !== 'b';\n}\n"),
    ],
    good: [
      good(
        "src/variables.go",
        "package a\n\nfunc differs(a, b, c string, box Box) bool {\n\treturn a != b || a != c || a != box.Min || a != box.Max\n}\n",
      ),
      good("src/box.cpp", "bool differs(int x, Box b) {\n  return x != b.left || x != b.right;\n}\n"),
      good(
        "src/state.go",
        'package a\n\nfunc check(state string) bool {\n\treturn state != "open" && state != "closed" || state == ""\n}\n',
      ),
      good(
        "src/State.java",
        "class State {\n  boolean ok(int code) {\n    return code >= 200 && code < 300 || code == 304 || code == 0;\n  }\n}\n",
      ),
      good(
        "src/access.js",
        'export const isOpen = (a) => a.kind !== "x" && a.kind !== "y" || a.next() !== 1 || a.next() !== 2;\n',
      ),
      good("src/range.c", "int invalid(int a, int b) {\n  return a < 0 || a > 100 || b != 1 || a != 1;\n}\n"),
      good("lib/read.rb", "def f(io)\n  io.read == 1 && io.read == 2\nend\n"),
    ],
  },
};
