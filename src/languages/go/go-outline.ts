/** Outlines of Go. A name is exported by its first letter; a method belongs to its receiver's type. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  ofKinds,
  type OutlinePart,
  type OutlinePlace,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

const EXPORTED = /^\p{Lu}/u;

export const goOutline: OutlineReader = {
  grammar: "go",
  wanted: ofKinds(
    "function_declaration",
    "method_declaration",
    "method_elem",
    "type_spec",
    "type_alias",
    "const_spec",
    "var_spec",
    "short_var_declaration",
  ),
  read(node, at) {
    const name = fieldText(node, "name");
    const isExported = EXPORTED.test(name) && (at.around === null || at.around.isExported);
    const body = node.field("body");
    switch (node.kind()) {
      case "function_declaration":
        return { name, kind: "function", body, isExported, parameters: parametersIn(node) };
      case "method_declaration": {
        const type = receiverType(node);
        return {
          name,
          kind: "method",
          body,
          isExported: isExported && EXPORTED.test(type),
          parameters: parametersIn(node),
          owner: [type],
        };
      }
      case "method_elem":
        return { name, kind: "method", isExported, parameters: parametersIn(node) };
      case "type_spec":
      case "type_alias": {
        const type = node.field("type");
        const isBlock = /^(?:struct|interface)_type$/.test(type?.kind() ?? "");
        const [whole, inner] = [onlyOf(node), isBlock ? bodyOf(type) : null];
        return { name, kind: isBlock ? "class" : "type", whole, body: inner, isExported };
      }
      default:
        return readVariable(node, at);
    }
  },
};

/** `{ … }` of a struct or an interface. */
function bodyOf(type: SyntaxNode | null): SyntaxNode | null {
  const list = type?.children().find((one) => one.kind() === "field_declaration_list" || one.text() === "{");
  return list ?? null;
}

/** A single specification is shown with its keyword; one of a group without. */
function onlyOf(spec: SyntaxNode): SyntaxNode {
  const parent = spec.parent();
  const isAlone = parent !== null && parent.children().length === 2;
  return isAlone ? parent : spec;
}

/** Package variables, and functions that are assigned to local names. */
function readVariable(node: SyntaxNode, { around }: OutlinePlace): OutlinePart | null {
  const isShort = node.kind() === "short_var_declaration";
  const named = isShort ? node.field("left")?.namedChildren()[0] : node.field("name");
  const value = node.field(isShort ? "right" : "value");
  const literal = value?.namedChildren().find((one) => one.kind() === "func_literal");
  if (named == null || (around !== null && literal === undefined)) return null;
  const name = named.text();
  const whole = isShort ? node : onlyOf(node);
  const isExported = around === null && EXPORTED.test(name);
  if (literal === undefined) return { name, kind: "variable", whole, value, isExported };
  const [body, parameters] = [literal.field("body"), parametersIn(literal)];
  return { name, kind: "function", whole, body, isExported, parameters };
}

function receiverType(node: SyntaxNode): string {
  const [receiver] = node.field("receiver")?.namedChildren() ?? [];
  let type = receiver?.field("type") ?? null;
  while (type !== null && /^(?:pointer_type|parenthesized_type|generic_type)$/.test(type.kind()))
    type = type.namedChildren()[0] ?? null;
  return type?.text() ?? "";
}

/** `a, b int` is two parameters; without names, each type is one. */
function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  return readParameters(node.field("parameters"), (each) => {
    const isRest = each.kind() === "variadic_parameter_declaration";
    const names = each.namedChildren().filter((one) => one.kind() === "identifier");
    return names.length === 0
      ? [parameter("", { isRest })]
      : names.map((one) => parameter(one.text(), { isRest }));
  });
}
