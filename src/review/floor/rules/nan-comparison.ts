/** Comparisons with NaN, the only value that isn't equal to itself. */
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

const NAN =
  /^(?:NaN|Number\.NaN|math\.nan|np\.nan|numpy\.nan|np\.NaN|float\(\s*["'][nN]a[nN]["']\s*\)|math\.NaN\(\)|(?:Double|Float|double|float)\.NaN|(?:std::)?f(?:32|64)::NAN|(?:f32|f64)::consts::NAN)$/;

const KINDS: Readonly<Record<string, string>> = { python: "comparison_operator" };

export const nanComparison: TreeRule = {
  kind: "tree",
  id: "nan-comparison",
  title: "Comparison with NaN has a constant result",
  severity: "major",
  category: "correctness",
  why: "NaN isn't equal to anything, including itself, so the result is the same for every value.",
  fix: "Use the language's NaN check: `Number.isNaN(x)`, `math.isnan(x)`, `math.IsNaN(x)`, `Double.isNaN(x)`, `x.is_nan()`.",
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "rust"],
  inTests: false,
  trigger: /nan/i,
  *check(root, file) {
    for (const comparison of root.findAll({ rule: { kind: KINDS[file.language] ?? "binary_expression" } })) {
      const children = comparison.children();
      const [left, operator, right] = children;
      if (children.length !== 3 || left === undefined || right === undefined) continue;
      if (!/^(?:[=!]==?|[<>]=?)$/.test(operator?.text() ?? "")) continue;
      if (NAN.test(left.text()) || NAN.test(right.text())) yield { line: linesOf(comparison).line };
    }
  },
  examples: {
    bad: [
      bad("src/number.ts", 1, "export const isMissing = (value: number) => value === NaN;\n"),
      bad("src/number.js", 1, "module.exports = (value) => Number.NaN != value;\n"),
      bad("app/number.py", 2, 'def is_missing(value):\n    return value == float("nan")\n'),
      bad(
        "number.go",
        6,
        'package number\n\nimport "math"\n\nfunc isMissing(value float64) bool {\n\treturn value == math.NaN()\n}\n',
      ),
      bad(
        "src/Number.java",
        2,
        "class Number {\n  boolean isMissing(double value) { return value == Double.NaN; }\n}\n",
      ),
      bad(
        "Number.cs",
        2,
        "class Number {\n  bool IsMissing(double value) { return value == double.NaN; }\n}\n",
      ),
      bad("src/number.rs", 2, "fn is_missing(value: f64) -> bool {\n    value == f64::NAN\n}\n"),
    ],
    good: [
      good(
        "src/number.ts",
        "export const isMissing = (value: number) => Number.isNaN(value) || Object.is(value, NaN);\n",
      ),
      good("src/default.ts", 'export const parse = (text: string) => (text === "" ? NaN : Number(text));\n'),
      good("app/number.py", "def is_missing(value):\n    return math.isnan(value) or value is math.nan\n"),
      good(
        "number.go",
        'package number\n\nimport "math"\n\nfunc isMissing(value float64) bool {\n\treturn math.IsNaN(value)\n}\n',
      ),
      good("src/name.ts", 'export const isNaNName = (name: string) => name === "NaN";\n'),
    ],
  },
};
