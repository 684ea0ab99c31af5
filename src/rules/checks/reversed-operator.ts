/** `x =+ y` where `x += y` was meant. */
import { bad, good, nameOr, type LineRule } from "../rule.ts";

const REVERSED = /^\s*([$@\w.[\]'">-]{1,60}) =([-+]) [\w$@("]/;

export const reversedOperator: LineRule = {
  kind: "line",
  id: "reversed-operator",
  title: "Reversed operator: `=+` replaces the value",
  severity: "must-fix",
  category: "correctness",
  why: "The sign belongs to the value, so the statement replaces the variable instead of adding to it.",
  fix: "Write `+=` or `-=`. If the sign is meant, put the space before it.",
  languages: [
    "javascript",
    "typescript",
    "tsx",
    "python",
    "go",
    "java",
    "csharp",
    "ruby",
    "php",
    "rust",
    "c",
    "cpp",
  ],
  inTests: true,
  check({ line, text }) {
    const found = REVERSED.exec(text);
    if (found === null) return null;
    return {
      line,
      title: `Reversed operator: \`=${found[2]}\` replaces ${nameOr(found[1] ?? "", "the value")}`,
    };
  },
  examples: {
    bad: [
      bad("a.rb", 2, "rows.each do |row|\n  sum =+ row.amount\nend\n"),
      bad("A.cs", 3, "class A {\n  void Add(int n) {\n    total =- n;\n  }\n}\n"),
    ],
    good: [
      good("a.rb", "sum += row.amount\nlow = -1\n"),
      good("a.js", "total = +value;\ntotal =-1;\n"),
      good("a.py", "text = 'a =+ b'\n"),
    ],
  },
};
