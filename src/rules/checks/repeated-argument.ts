/** Calls that compare, combine or bound two values and get the same one twice: `min(a, a)`, `a.update(a)`, `replace("-", "-")`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { isLiteral, isRepeatable, isSameCode } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Two arguments next to each other that never make sense when they are the same. */
const PAIR_NAMES =
  "min|max|Min|Max|fmin|fmax|swap|strcmp|strncmp|strcasecmp|strncasecmp|memcmp|memcpy|memmove|isEqual|DeepEqual|deepEqual|compare|Compare|substring|substr_compare|subSequence|copyOfRange|subarray|subList|between|replace|replaceAll|Replace|ReplaceAll|str_replace|gsub|sub|tr|array_diff|array_intersect|rename|Rename|isAfter|isBefore|isSameOrBefore|isSameOrAfter|difference";
const PAIRS = new RegExp(`^(?:${PAIR_NAMES})$`);

/** Methods that do nothing, or always answer the same, with the object itself as their argument. */
const SELF_NAMES =
  "update|merge!?|addAll|putAll|containsAll|removeAll|retainAll|equals|equalsIgnoreCase|compareTo|isEqual|localeCompare|isSubsetOf|issubset|issuperset|Equals|CompareTo|AddRange|UnionWith";
const WITH_SELF = new RegExp(`^(?:${SELF_NAMES})$`);

/** A call in one of these shows what the function does with equal values. */
const MEANT = /\b(?:NaN|isnan|assert\w*|expect|Assert|should|reflexive)\b/;

/** Texts that look the same and differ, such as kinds of spaces, are compared exactly by isSameCode. */
function twiceIn({ name, args }: Call, language: string): SyntaxNode | null {
  // `Compare` of three and more arguments can have an offset for each text: `compare(a, i, b, i, n)`.
  if (!PAIRS.test(name)) return null;
  const isReplacing = /^(?:replace|replaceAll|Replace|ReplaceAll|str_replace|gsub|sub|tr)$/.test(name);
  const isPython = language === "python";
  if (isReplacing && isPython && name === "sub") return null;
  // `strings.Replace(text, old, new, -1)` has the text first.
  const first = isReplacing && language === "go" ? 1 : 0;
  const [one, other] = args.slice(first);
  if (one === undefined || other === undefined || !isSameCode(one, other)) return null;
  if (/^(?:substr_compare|tr)$/.test(name) && isLiteral(one)) return null;
  return isLiteral(one) !== isReplacing && !(isReplacing && isRepeatable(one.text())) ? null : other;
}

function isWithSelf({ name, receiver, args }: Call): boolean {
  const [only] = args;
  return args.length === 1 && receiver !== "" && WITH_SELF.test(name) && only?.text() === receiver;
}

export const repeatedArgument: TreeRule = {
  kind: "tree",
  id: "repeated-argument",
  title: "Repeated argument: the call gets the same value twice",
  severity: "medium",
  category: "correctness",
  why: "With the same value twice, the call changes nothing or always gives the same answer. One of the two was probably meant to be another value.",
  fix: "Replace one of them with the intended value, or remove the call.",
  confidence: 0.9,
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
  // Looking at every call of a file takes as long as all other rules together.
  trigger: new RegExp(`\\b(?:${PAIR_NAMES}|${SELF_NAMES})`),
  *check(root, { language }): Iterable<RuleMatch> {
    for (const call of callsIn(root, language, (name) => PAIRS.test(name) || WITH_SELF.test(name))) {
      const twice = twiceIn(call, language);
      if (twice === null && !isWithSelf(call)) continue;
      const value = twice ?? call.args[0];
      if (value === undefined || (twice === null && !isRepeatable(value.text()))) continue;
      if (!isLiteral(value) && !isRepeatable(value.text())) continue;
      if (MEANT.test(call.node.parent()?.text().slice(0, 200) ?? "")) continue;
      yield {
        ...linesOf(call.node),
        title:
          twice === null
            ? `Repeated argument: ${nameOr(call.name, "the call")} gets the object that it is called on`
            : `Repeated argument: ${nameOr(call.name, "the call")} gets ${nameOr(value.text(), "the same value")} twice`,
      };
    }
  },
};
