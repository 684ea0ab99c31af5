/** `is` with a literal: the result depends on how the interpreter caches constants. */
import { replaceInLine } from "../lines/replace-in-line.ts";
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

const VALUE_KINDS: ReadonlySet<string> = new Set([
  "string",
  "concatenated_string",
  "integer",
  "float",
  "list",
  "dictionary",
  "tuple",
  "set",
]);

export const pythonIsLiteral: TreeRule = {
  kind: "tree",
  id: "python-is-literal",
  title: "Identity comparison: `is` is used with a literal",
  severity: "major",
  category: "correctness",
  why: "`is` compares identity, not equality, so the result depends on the interpreter and on how the value was created.",
  fix: "Use `==` or `!=`.",
  languages: ["python"],
  inTests: false,
  trigger: /\bis\b/,
  *check(root, file) {
    for (const comparison of root.findAll({ rule: { kind: "comparison_operator" } })) {
      const children = comparison.children();
      for (const [index, operator] of children.entries()) {
        if (!/^is(?:\s+not)?$/.test(operator.text()) || operator.isNamed()) continue;
        const sides = [children[index - 1], children[index + 1]];
        if (sides.some((side) => side !== undefined && VALUE_KINDS.has(side.kind())))
          yield {
            ...linesOf(operator),
            ...replaceInLine(file, operator, operator.text() === "is" ? "==" : "!="),
          };
      }
    }
  },
  examples: {
    bad: [
      bad("app/mode.py", 2, 'def is_debug(mode):\n    return mode is "debug"\n'),
      bad("app/count.py", 2, "def has_any(count):\n    return count is not 0\n"),
      bad("app/empty.py", 2, "def is_empty(items):\n    return items is []\n"),
    ],
    good: [
      good(
        "app/none.py",
        "def known(value):\n    return value is not None and value is not True and value is not ...\n",
      ),
      good("app/equal.py", 'def is_debug(mode):\n    return mode == "debug"\n'),
      good("app/sentinel.py", "MISSING = object()\n\ndef known(value):\n    return value is not MISSING\n"),
      good("app/text.py", "def text():\n    return \"mode is 'debug'\"\n"),
    ],
  },
};
