/** A variable or member that is assigned to itself, as a statement. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const KINDS: Readonly<Record<string, string>> = { go: "assignment_statement", ruby: "assignment" };

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: KINDS[language] ?? "assignment_expression" } })) {
    const parts = node.children();
    const [left, operator, right] = parts;
    if (parts.length !== 3 || left === undefined || right === undefined || operator?.text() !== "=") continue;
    const name = left.text();
    if (!/^[$@\w.>-]{1,80}$/.test(name) || !isStatement(node, language)) continue;
    if (name !== right.text() && !isSameField(node, name, right.text())) continue;
    if (language === "c" && isParameter(node, name)) continue;
    yield { ...linesOf(node), title: `Self-assignment: ${nameOr(name, "a value")} is assigned to itself` };
  }
}

/** `this.city = city` in a function that has no `city` of its own, so that both are the field. */
function isSameField(node: SyntaxNode, left: string, right: string): boolean {
  if (left !== `this.${right}` && left !== `this->${right}`) return false;
  // Any other mention in the functions around it may be a parameter or a variable.
  const around = node.ancestors();
  const scope = around.find((one) => CLASS.test(one.kind()));
  const outer = around.findLast((one) => FUNCTION.test(one.kind()));
  if (outer === undefined || scope === undefined) return false;
  const mentions = outer.text().match(new RegExp(`(?<!\\.|->|\\w)${right}\\b`, "g")) ?? [];
  const head = scope.text().slice(0, MAX_HEAD_CHARS).split("{", 1)[0] ?? "";
  return mentions.length === 1 && !new RegExp(`\\b${right}\\b`).test(head);
}

const CLASS = /^(?:class_declaration|class_specifier|record_declaration|struct_declaration)$/;
const FUNCTION = /^(?:method_declaration|constructor_declaration|function_definition)$/;

/** Longer than the head of any class. */
const MAX_HEAD_CHARS = 500;

/** Initializers such as `new Order { Id = Id }` name a member on the left and a variable on the right. */
function isStatement(node: SyntaxNode, language: string): boolean {
  if (language === "go") return true;
  if (language === "ruby")
    return /^(?:body_statement|then|else|program|block_body)$/.test(node.parent()?.kind() ?? "");
  return node.parent()?.kind() === "expression_statement";
}

/** C code assigns a parameter to itself to mark it as unused. */
function isParameter(node: SyntaxNode, name: string): boolean {
  const head = functionAround(node)?.field("declarator")?.text() ?? "";
  return new RegExp(`\\b${name.replaceAll(/\W/g, "")}\\b`).test(head);
}

export const selfAssignment: TreeRule = {
  kind: "tree",
  id: "self-assignment",
  title: "Self-assignment: a value is assigned to itself",
  severity: "must-fix",
  category: "correctness",
  why: "The statement does nothing, so the field or variable keeps its old value. Often a parameter hides a field of the same name.",
  fix: "Assign to the field (`this.name = name`), assign the intended value, or remove the statement.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /[\w\])]\s*=\s*[$@\w]/,
  check: (root, { language }) => check(root, language),
};
