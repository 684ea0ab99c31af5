/** `sort()` without a comparator on values that are visibly numbers. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { factsOf } from "../file-facts.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NUMBER = /^-?[\d._]+$/;
const TO_NUMBERS =
  /\.map\(\s*(?:Number|parseInt|parseFloat)\s*\)$|\.map\(\s*\(?\w{1,30}\)?\s*=>\s*(?:Number|parseInt|parseFloat)\([^()]{1,60}\)\s*\)$/;

/** True when the expression is certainly an array of numbers. */
function isNumbers(node: SyntaxNode, root: SyntaxNode): boolean {
  switch (node.kind()) {
    case "array": {
      const parts = node.namedChildren();
      const [only] = parts;
      if (parts.length === 1 && only?.kind() === "spread_element") {
        const [spread] = only.namedChildren();
        return spread !== undefined && isNumbers(spread, root);
      }
      return parts.length > 1 && parts.every((part) => NUMBER.test(part.text()));
    }
    case "identifier":
    case "member_expression":
      return isDeclaredAsNumbers(node.text(), root) || isMadeOfNumbers(node, root);
    case "call_expression": {
      if (TO_NUMBERS.test(node.text().slice(-200))) return true;
      const callee = node.field("function");
      const before = callee?.field("object");
      return (
        /^(?:slice|filter|concat)$/.test(callee?.field("property")?.text() ?? "") &&
        before !== null &&
        before !== undefined &&
        isNumbers(before, root)
      );
    }
    default:
      return false;
  }
}

/** A parameter, variable or field with the type `number[]`, and none of the same name with another. */
function isDeclaredAsNumbers(text: string, root: SyntaxNode): boolean {
  const name = /^(?:this\.#?)?([A-Za-z_$][\w$]{0,60})$/.exec(text)?.[1];
  if (name === undefined) return false;
  const types = [
    ...root
      .text()
      .matchAll(
        new RegExp(`(?<![\\w$.])#?${name.replaceAll("$", "\\$")}[?!]?\\s*:\\s*([^=;,){}\\n]{1,80})`, "g"),
      ),
  ].map((found) => found[1]?.trim() ?? "");
  return (
    types.length > 0 &&
    types.every((type) =>
      /^(?:readonly\s+)?(?:number\[\]|Array<number>|ReadonlyArray<number>|Set<number>)$/.test(type),
    )
  );
}

/** A local that was assigned only arrays of numbers. */
function isMadeOfNumbers(node: SyntaxNode, root: SyntaxNode): boolean {
  if (node.kind() !== "identifier") return false;
  const values = factsOf(root, "typescript")
    .assignedBefore(node, node.text())
    .map(({ value }) => value);
  return (
    values.length > 0 && values.every((value) => value.kind() !== "identifier" && isNumbers(value, root))
  );
}

export const jsNumberSort: TreeRule = {
  kind: "tree",
  id: "js-number-sort",
  title: "Numbers sorted as text: 10 comes before 9",
  severity: "must-fix",
  category: "correctness",
  why: "Without a comparator, `sort` compares the elements as text.",
  fix: "Pass a comparator: `.sort((a, b) => a - b)`.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /\.(?:sort|toSorted)\(\s*\)/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, args } of callsIn(root, "typescript", (called) =>
      /^(?:sort|toSorted)$/.test(called),
    )) {
      const object = node.field("function")?.field("object");
      if (args.length > 0 || object === null || object === undefined || !isNumbers(object, root)) continue;
      yield {
        line: linesOf(node).endLine,
        title: `Numbers sorted as text: ${nameOr(name, "`sort`")} has no comparator, so 10 comes before 9`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.js", 1, "export const order = [10, 9, 1].sort();\n"),
      bad(
        "b.ts",
        2,
        "export function median(values: number[]) {\n  const sorted = [...values].sort();\n  return sorted[0];\n}\n",
      ),
      bad(
        "c.ts",
        4,
        "class Window {\n  private readonly times: number[] = [];\n  first() {\n    return this.times.slice().sort()[0];\n  }\n}\n",
      ),
      bad("d.js", 2, "export function ids(text) {\n  return text.split(',').map(Number).sort();\n}\n"),
    ],
    good: [
      good("a.js", "export const order = [10, 9, 1].sort((a, b) => a - b);\n"),
      good("b.ts", "export function names(values: string[]) {\n  return [...values].sort();\n}\n"),
      good(
        "c.ts",
        "function a(values: number[]) { return values; }\nexport function b(values: string[]) {\n  return values.sort();\n}\n",
      ),
      good("d.js", "export function keys(map) {\n  return Object.keys(map).sort();\n}\n"),
    ],
  },
};
