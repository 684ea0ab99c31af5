/** A C string compared with `==`: it compares addresses. */
import { binariesIn } from "../syntax/operands.ts";
import { createFunctionLookup } from "../syntax/c-declarations.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const cStringCompared: TreeRule = {
  kind: "tree",
  id: "c-string-compared",
  title: "String compared by address",
  severity: "must-fix",
  category: "correctness",
  why: "`==` compares where the texts are, not what they say, so equal texts usually compare as different.",
  fix: "Use `strcmp(a, b) == 0`.",
  languages: ["c", "cpp"],
  trigger: /[!=]=\s*"|"\s*[!=]=/,
  *check(root, { language }): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const { node, left, right } of binariesIn(root, language, /^[!=]=$/)) {
      const [text, other] = left.kind() === "string_literal" ? [left, right] : [right, left];
      if (text.kind() !== "string_literal" || /preproc/.test(node.parent()?.kind() ?? "")) continue;
      // In C++ the other side can be a string object, unless it's declared as a pointer or array of characters.
      const name = /^\w+/.exec(other.text())?.[0] ?? "";
      const declared = functionAround(node)?.declarationOf(other.text());
      const isText =
        declared !== null &&
        declared !== undefined &&
        /\bchar$/.test(declared.type) &&
        (declared.stars === 1 || declared.isArray);
      const isArgument = /^argv\s*\[/.test(other.text());
      const isMember = language === "c" && /^\w+(?:(?:\.|->)\w+)+$/.test(other.text());
      if (!isText && !isArgument && !isMember) continue;
      yield {
        line: linesOf(node).line,
        title: `String compared by address: ${nameOr(other.text(), nameOr(name, "a string"))} is compared with a text`,
      };
    }
  },
};
