/** The result of `getchar` in a `char`, which can't hold both every byte and `EOF`. */
import { createFunctionLookup, cCallsIn } from "../syntax/c-declarations.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NAMES: ReadonlySet<string> = new Set(["getchar", "getc", "fgetc"]);

export const cGetcharChar: TreeRule = {
  kind: "tree",
  id: "c-getchar-char",
  title: "Missed end of file: a `char` can't hold `EOF`",
  severity: "must-fix",
  category: "correctness",
  why: "Depending on the platform, the loop never sees the end of the file, or takes the byte 0xFF for it.",
  fix: "Declare the variable as `int`.",
  languages: ["c", "cpp"],
  trigger: /\b(?:f?getc|getchar)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const { node } of cCallsIn(root, NAMES)) {
      const parent = node.parent();
      const name =
        (parent?.kind() === "assignment_expression"
          ? parent.field("left")
          : parent?.kind() === "init_declarator"
            ? parent.field("declarator")
            : null
        )?.text() ?? "";
      if (!/^\w+$/.test(name)) continue;
      const around = functionAround(node);
      const declared = around?.declarationOf(name);
      if (declared?.stars !== 0 || declared.isArray || !/^(?:(?:un)?signed\s+)?char$/.test(declared.type))
        continue;
      if (
        !new RegExp(
          `${name}\\)?[!=]=EOF|EOF[!=]=\\(?${name}|${name}=(?:f?getc|getchar)\\([^()]*\\)\\)[!=]=EOF`,
        ).test(around?.squeezed() ?? "")
      )
        continue;
      yield {
        line: linesOf(node).line,
        title: `Missed end of file: ${nameOr(name, "the variable")} is a \`char\` and can't hold \`EOF\``,
      };
    }
  },
};
