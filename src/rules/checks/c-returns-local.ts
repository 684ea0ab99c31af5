/** A function that returns the address of its own local variable, or a view of a local or temporary text. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { type CFunction, createFunctionLookup } from "../syntax/c-declarations.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The head of the function up to its body: its result is before the name. */
function headOf(node: SyntaxNode): string {
  const around = nearestAncestor(
    node,
    (one) => one.kind() === "function_definition" || one.kind() === "lambda_expression",
  );
  if (around?.kind() !== "function_definition") return "";
  const body = around.field("body");
  return around.text().slice(0, (body?.range().start.index ?? 0) - around.range().start.index);
}

function isLocal(name: string, around: CFunction, from: RegExp): boolean {
  const declared = around.declarationOf(name);
  return (
    declared !== null &&
    !declared.isParameter &&
    from.test(declared.type) &&
    !/\b(?:static|thread_local|extern|const char)\b/.test(declared.type)
  );
}

function nameReturned(value: SyntaxNode, around: CFunction, head: string): string | null {
  const text = value.text().replaceAll(/\s+/g, "");
  const address = /^&(\w+)$/.exec(text)?.[1];
  if (address !== undefined)
    return isLocal(address, around, /^(?!.*&)/) &&
      around.declarationOf(address)?.stars === 0 &&
      /\*/.test(head)
      ? address
      : null;
  const method = /^(\w+)\.(?:c_str|data)\(\)$/.exec(text)?.[1];
  if (method !== undefined)
    return isLocal(method, around, /^(?:std::)?string$/) && /^[^(]*\*/.test(head) ? method : null;
  if (!/^\w+$/.test(text)) return null;
  const declared = around.declarationOf(text);
  if (declared?.isArray === true && isLocal(text, around, /./) && /^[^(]*\*/.test(head)) return text;
  const isReference = /^[^(]*[^&]&\s*(?:\w+::)*~?\w+\s*\(/.test(head);
  const isView = /^(?:[^(]*\s)?(?:std::)?string_view\s+(?:\w+::)*\w+\s*\(/.test(head);
  if (
    declared === null ||
    declared === undefined ||
    declared.isParameter ||
    declared.stars > 0 ||
    declared.isArray
  )
    return null;
  if (isReference && !/&\s*$/.test(declared.type) && isLocal(text, around, /^(?!.*[&*])/)) return text;
  return isView && isLocal(text, around, /^(?:std::)?string$/) ? text : null;
}

/** The lines of the function that declare the name: removing `static` there is what makes the return wrong. */
function declaredOn(name: string, node: SyntaxNode): readonly number[] {
  const around = nearestAncestor(node, (one) => one.kind() === "function_definition");
  return (around?.findAll({ rule: { kind: "declaration" } }) ?? [])
    .filter((one) => new RegExp(`\\b${name}\\b[^,=]*[;=,]`).test(one.text().slice(0, 200)))
    .map((one) => linesOf(one).line);
}

export const cReturnsLocal: TreeRule = {
  kind: "tree",
  id: "c-returns-local",
  title: "Dangling pointer: the function returns the address of a local variable",
  severity: "must-fix",
  category: "correctness",
  why: "The variable ends with the function, so the caller gets an address that other calls overwrite.",
  fix: "Return a copy, let the caller pass a buffer, or allocate the memory.",
  languages: ["c", "cpp"],
  trigger: /\breturn\b|\]\s*(?:=[^;\n]*)?;|^\s*[\w:<>]+\s+\w+(?:\s*=[^;\n]*)?;/m,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const node of root.findAll({ rule: { kind: "return_statement" } })) {
      const value = node.namedChildren()[0];
      if (value === undefined || !/^(?:identifier|pointer_expression|call_expression)$/.test(value.kind()))
        continue;
      const { start, end } = value.range();
      if (end.index - start.index > 80) continue;
      const head = headOf(node);
      if (!/[*&]|string_view/.test(head)) continue;
      const around = functionAround(node);
      const name = around === null ? null : nameReturned(value, around, head);
      if (name !== null)
        yield {
          line: linesOf(node).line,
          also: declaredOn(name, node),
          title: `Dangling pointer: the function returns the address of its local ${nameOr(name, "variable")}`,
        };
    }
  },
};
