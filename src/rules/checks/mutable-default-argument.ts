/** Python defaults that their function mutates. A default that is only read is ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const MUTATORS =
  "append|extend|insert|add|update|pop|popitem|remove|discard|clear|setdefault|sort|reverse|difference_update|intersection_update";

/** A default that deliberately keeps state between calls. */
const MEMORY_NAME = /^_|cache|memo|seen|registry/i;

/** A non-empty default, such as a counter in `[0]`, is a known way to keep state. */
const EMPTY = /^(?:\[\s*\]|\{\s*\}|(?:list|dict|set|OrderedDict)\(\)|defaultdict\(\w*\))$/;

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const parameter of root.findAll({
    rule: { any: [{ kind: "default_parameter" }, { kind: "typed_default_parameter" }] },
  })) {
    const name = parameter.field("name")?.text() ?? "";
    const value = parameter.field("value");
    const definition = parameter.parent()?.parent();
    // A parameter that doesn't parse has no name.
    if (!/^\w+$/.test(name)) continue;
    if (value === null || definition?.kind() !== "function_definition" || MEMORY_NAME.test(name)) continue;
    if (!EMPTY.test(value.text())) continue;
    const body = definition.field("body")?.text() ?? "";
    if (isMutated(name, body)) {
      yield {
        line: linesOf(parameter).line,
        title: `Mutable default argument ${nameOr(name, "of a function")}`,
        detail: `\`${name}\` is mutated in \`${definition.field("name")?.text() ?? "the function"}\`.`,
      };
    }
  }
}

function isMutated(name: string, body: string): boolean {
  // A rebound name no longer refers to the default.
  const isRebound = new RegExp(
    `(?<![\\w.])${name}\\s*(?::[^=\\n]{1,60})?=(?!=)|\\bfor\\b[^\\n]{0,60}\\b${name}\\b\\s+in\\b|\\bas ${name}\\b`,
  ).test(body);
  if (isRebound) return false;
  return new RegExp(
    `(?<![\\w.])${name}(?:\\.(?:${MUTATORS})\\(|\\[[^\\]\\n]{1,80}\\]\\s*[-+|]?=(?!=)|\\s*[+|]=)|\\bdel ${name}\\[`,
  ).test(body);
}

export const mutableDefaultArgument: TreeRule = {
  kind: "tree",
  id: "mutable-default-argument",
  title: "Mutable default argument",
  severity: "major",
  category: "correctness",
  why: "Python creates the default once, when the function is defined, so changes made by one call are visible in the next.",
  fix: "Use `None` as the default and create the object inside the function.",
  languages: ["python"],
  inTests: false,
  trigger: /=\s*(?:\[|\{|list\(|dict\(|set\(|defaultdict\(|OrderedDict\()/,
  check,
};
