/** Outlines of PHP. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  hasModifier,
  ofKinds,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

export const phpOutline: OutlineReader = {
  grammar: "php",
  wanted: [
    ...ofKinds(
      "function_definition",
      "class_declaration",
      "interface_declaration",
      "trait_declaration",
      "enum_declaration",
      "method_declaration",
      "property_declaration",
      "const_declaration",
    ),
    {
      kind: "assignment_expression",
      has: { field: "right", any: ofKinds("anonymous_function", "arrow_function") },
    },
  ],
  read(node, { around }) {
    const isMember = around?.kind === "class";
    const isExported =
      (around === null || (isMember && around.isExported)) && !hasModifier(node, /^private$/);
    const [name, body] = [fieldText(node, "name"), node.field("body")];
    switch (node.kind()) {
      case "function_definition":
      case "method_declaration":
        return {
          name,
          kind: isMember ? "method" : "function",
          body,
          isExported,
          parameters: parametersIn(node),
        };
      case "property_declaration":
      case "const_declaration": {
        const element = node.namedChildren().find((one) => one.kind().endsWith("_element"));
        const [named, value] = element?.namedChildren() ?? [];
        const text = (named?.text() ?? "").replace(/^\$/, "");
        return { name: text, kind: "variable", value: value ?? null, isExported };
      }
      case "assignment_expression": {
        const right = node.field("right");
        const left = node.field("left");
        if (right === null || left?.kind() !== "variable_name") return null;
        const local = left.text().replace(/^\$/, "");
        const inner = { body: right.field("body"), parameters: parametersIn(right) };
        return { name: local, kind: "function", isExported: false, ...inner };
      }
      default:
        return { name, kind: "class", body, isExported };
    }
  },
};

function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  return readParameters(node.field("parameters"), (each) => {
    const isRest = each.kind() === "variadic_parameter";
    const isOptional = each.field("default_value") !== null;
    return [parameter(fieldText(each, "name").replace(/^\$/, ""), { isOptional, isRest })];
  });
}
