/** `int n = counts.get(key)`: a missing key gives null, which can't be unboxed. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { asBinary } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const PRIMITIVE = /^(?:int|long|double|float|short|byte|boolean|char)$/;

/** True when the value is certainly unboxed: arithmetic, or a primitive variable or result. */
function isUnboxed(node: SyntaxNode): boolean {
  const parent = node.parent();
  switch (parent?.kind()) {
    case "binary_expression":
      return /^(?:[-+*/%<>]|<=|>=)$/.test(asBinary(parent)?.operator ?? "") && !/["']/.test(parent.text());
    case "variable_declarator":
      return PRIMITIVE.test(parent.parent()?.field("type")?.text() ?? "");
    case "return_statement":
      return PRIMITIVE.test(functionAround(parent)?.field("type")?.text() ?? "");
    default:
      return false;
  }
}

/** True when the function makes sure that the key is there, or goes over the map's own keys. */
function isEnsured(map: string, before: string): boolean {
  const own = before.replace(new RegExp(`\\b${map}\\.put\\([^;{}]{0,200}$`), "");
  return (
    new RegExp(
      `\\b${map}\\.(?:containsKey|put|putIfAbsent|computeIfAbsent|merge|compute|keySet|entrySet|putAll|forEach|size|isEmpty|get)\\b`,
    ).test(own) || /\bnull\b/.test(own)
  );
}

export const javaNullUnboxing: TreeRule = {
  kind: "tree",
  id: "java-null-unboxing",
  title: "Null unboxing: a missing key gives null, which can't become a number",
  severity: "medium",
  category: "correctness",
  why: "`Map.get` gives null for a key that isn't there, and converting null to a primitive throws a NullPointerException.",
  fix: "Use `getOrDefault`, `merge`, or check the key first.",
  confidence: 0.85,
  languages: ["java"],
  inTests: false,
  trigger: /\.get\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, receiver, args } of callsIn(root, "java", (name) => name === "get")) {
      if (args.length !== 1 || !/^[a-z]\w{0,60}$/.test(receiver) || !isUnboxed(node)) continue;
      const map = escapePattern(receiver);
      const isBoxed = new RegExp(
        `\\bMap<[^;(){}]{1,60},\\s*(?:Integer|Long|Double|Float|Boolean|Short|Byte|Character)>\\s+${map}\\b`,
      );
      const scope = functionAround(node);
      if (scope === null || !isBoxed.test(scope.text())) continue;
      const before = scope.text().slice(0, node.range().start.index - scope.range().start.index);
      if (isEnsured(map, before)) continue;
      yield {
        line: linesOf(node).line,
        title: `Null unboxing: ${nameOr(receiver, "the map")} gives null for a missing key`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Stock.java",
        3,
        "class Stock {\n  int of(Map<String, Integer> counts, String sku) {\n    int count = counts.get(sku);\n    return count * 2;\n  }\n}\n",
      ),
      bad(
        "src/Words.java",
        5,
        "class Words {\n  Map<String, Integer> count(List<String> words) {\n    Map<String, Integer> counts = new HashMap<>();\n    for (String word : words) {\n      counts.put(word, counts.get(word) + 1);\n    }\n    return counts;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Stock.java",
        "class Stock {\n  int of(Map<String, Integer> counts, String sku) {\n    return counts.getOrDefault(sku, 0);\n  }\n}\n",
      ),
      good(
        "src/Known.java",
        "class Known {\n  int of(Map<String, Integer> counts, String sku) {\n    if (!counts.containsKey(sku)) return 0;\n    return counts.get(sku);\n  }\n}\n",
      ),
      good(
        "src/Boxed.java",
        "class Boxed {\n  Integer of(Map<String, Integer> counts, List<Integer> all, String sku) {\n    int first = all.get(0);\n    return counts.get(sku);\n  }\n}\n",
      ),
    ],
  },
};
