/** Text from outside used as the format of printf and similar functions. Wrappers that pass on a format are ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { cCallsIn, type CFunction, createFunctionLookup } from "../syntax/c-declarations.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** Function → index of its format argument. */
const FORMAT_AT: Readonly<Record<string, number>> = {
  printf: 0,
  fprintf: 1,
  dprintf: 1,
  syslog: 1,
  sprintf: 1,
  snprintf: 2,
};
const NAMES: ReadonlySet<string> = new Set(Object.keys(FORMAT_AT));

/** A parameter with such a name is meant to be a format. */
const FORMAT_NAME = /fmt|format|usage|help|spec|template|banner/i;

/** A `char *` parameter of a public function that isn't named like a format, or an uninitialized local buffer. */
function isForeignText(node: SyntaxNode, functionAround: (node: SyntaxNode) => CFunction | null): boolean {
  if (node.kind() !== "identifier" || FORMAT_NAME.test(node.text())) return false;
  const around = functionAround(node);
  if (around === null || around.isVariadic()) return false;
  const declared = around.declarationOf(node.text());
  if (declared === null || !/\bchar$/.test(declared.type)) return false;
  if (declared.isArray) return declared.value === null && declared.stars === 0;
  return declared.isParameter && declared.stars === 1 && !around.isStatic();
}

export const cFormatString: TreeRule = {
  kind: "tree",
  id: "c-format-string",
  title: "Uncontrolled format string",
  severity: "must-fix",
  category: "security",
  why: "A `%` in the text makes the call read arguments that weren't passed, and `%n` writes to memory. An attacker who controls the text can do both.",
  fix: 'Pass the text as an argument, as in `printf("%s", text)`, or use `fputs`.',
  languages: ["c", "cpp"],
  trigger: /\b(?:f|d|s|sn)?printf\s*\(|\bsyslog\s*\(/,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const { node, name, args } of cCallsIn(root, NAMES)) {
      const format = args[FORMAT_AT[name] ?? 0];
      if (
        format === undefined ||
        args.length !== (FORMAT_AT[name] ?? 0) + 1 ||
        !isForeignText(format, functionAround)
      )
        continue;
      yield {
        line: node.range().start.line + 1,
        detail: `\`${name}\` uses \`${format.text()}\` as its format.`,
      };
    }
  },
};
