/** Comparisons of a length with zero that are always true or never true. */
import { bad, good, type LineRule } from "../rule.ts";

/** `x.length >= 0` and `x.length < 0`, with the length as a member or a call. The group is the operator. */
const MEMBER = /[\w)\]]\??\.(?:length|Length|Count|size|len|count)(?:\(\))?\s*(>=|<)\s*0(?![\w.])/;
const CALL = /(?<![\w.>$:])(?:len|count|strlen|sizeof|mb_strlen)\([^()]{1,80}\)\s*(>=|<)\s*0(?![\w.])/;
const REVERSED =
  /(?<![\w.])0\s*(<=|>)\s*[\w.$>()[\]-]{1,60}\.(?:length|Length|Count|size\(\)|len\(\)|length\(\))(?![\w(.])/;

export const impossibleLength: LineRule = {
  kind: "line",
  id: "impossible-length",
  title: "A length is never below 0, so the comparison decides nothing",
  severity: "must-fix",
  category: "correctness",
  why: "The condition has the same result for an empty and a filled list, so the case it was written for is never handled.",
  fix: "Compare with `> 0` for not empty, or `=== 0` for empty.",
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "ruby", "php", "rust"],
  inTests: true,
  check({ line, text }) {
    if (/^\s*(?:#|\/\/|\*|\/\*)/.test(text)) return null;
    const operator = (MEMBER.exec(text) ?? CALL.exec(text) ?? REVERSED.exec(text))?.[1];
    if (operator === undefined) return null;
    const isTrue = operator === ">=" || operator === "<=";
    return {
      line,
      title: isTrue
        ? "A length is always at least 0, so this condition is always true"
        : "A length is never below 0, so this condition is never true",
    };
  },
  examples: {
    bad: [
      bad("a.ts", 1, "if (rows.length >= 0) show(rows);\n"),
      bad("a.py", 1, "if len(rows) >= 0:\n    show(rows)\n"),
      bad("A.cs", 2, "class A {\n  bool Any(List<int> rows) => rows.Count < 0;\n}\n"),
      bad("a.php", 2, "<?php\nif (count($rows) >= 0) { show($rows); }\n"),
    ],
    good: [
      good("a.ts", "if (rows.length > 0) show(rows);\nfor (let i = rows.length; i >= 0; i--) show(i);\n"),
      good("a.py", "if len(rows) >= 0.5 * total or size(a) < 0:\n    show(rows)\n"),
      good("a.rb", "show(rows) if rows.length - used < 0\n"),
      good("A.cs", "class A {\n  bool Any(Grid grid) => grid.CountDelta < 0;\n}\n"),
    ],
  },
};
