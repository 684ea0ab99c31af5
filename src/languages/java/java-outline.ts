/** Outlines of Java. Other files of the package can use everything that isn't private. */
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

export const javaOutline: OutlineReader = {
  grammar: "java",
  wanted: ofKinds(
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
    "field_declaration",
  ),
  read(node, { around }) {
    const isMember = around === null || around.kind === "class";
    const isExported = isMember && (around?.isExported ?? true) && !hasModifier(node, /\bprivate\b/);
    const [name, body] = [fieldText(node, "name"), node.field("body")];
    switch (node.kind()) {
      case "method_declaration":
      case "constructor_declaration":
      case "compact_constructor_declaration":
        return { name, kind: "method", body, isExported, parameters: parametersIn(node) };
      case "field_declaration": {
        const declarator = node.field("declarator");
        const field = declarator === null ? "" : fieldText(declarator, "name");
        return { name: field, kind: "variable", value: declarator?.field("value") ?? null, isExported };
      }
      case "record_declaration":
        return { name, kind: "class", body, isExported, parameters: parametersIn(node) };
      default:
        return { name, kind: "class", body, isExported };
    }
  },
};

function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  return readParameters(node.field("parameters"), (each) => {
    if (each.kind() === "receiver_parameter") return [];
    const isRest = each.kind() === "spread_parameter";
    const named = isRest ? each.namedChildren().at(-1) : each;
    return [parameter(named === undefined ? "" : fieldText(named, "name"), { isRest })];
  });
}
