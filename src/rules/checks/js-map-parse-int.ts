/** `map(parseInt)`: the index of the element becomes the radix. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

export const jsMapParseInt: TreeRule = {
  kind: "tree",
  id: "js-map-parse-int",
  title: "Wrong radix: `parseInt` gets the index of the element",
  severity: "must-fix",
  category: "correctness",
  why: "`map` passes the element and its index, so the second element is parsed with radix 1, which gives NaN, and the third as a binary number.",
  fix: "Use `map(Number)` or `map((text) => Number.parseInt(text, 10))`.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /parseInt\s*[,)]/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { name, node, args } of callsIn(root, language, (each) =>
      /^(?:map|flatMap|from)$/.test(each),
    )) {
      const callback = args[name === "from" ? 1 : 0]?.text() ?? "";
      if (/^(?:Number\.|window\.)?parseInt$/.test(callback)) yield linesOf(node);
    }
  },
  examples: {
    bad: [
      bad("src/version.ts", 1, 'export const parts = (text: string) => text.split(".").map(parseInt);\n'),
      bad("src/list.js", 1, "export const all = (texts) => Array.from(texts, Number.parseInt);\n"),
    ],
    good: [
      good("src/version.ts", 'export const parts = (text: string) => text.split(".").map(Number);\n'),
      good("src/list.js", "export const all = (texts) => texts.map((text) => parseInt(text, 10));\n"),
      good(
        "src/float.js",
        "export const all = (texts) => texts.map(parseFloat).concat(run(texts, parseInt));\n",
      ),
    ],
  },
};
