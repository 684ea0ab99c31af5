/** Outlines of C#. Types are internal unless they say otherwise, members are private. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration, DeclaredParameter } from "../outline/outline.ts";
import {
  hasModifier,
  ofKinds,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

const TYPES: Readonly<Record<string, Declaration["kind"]>> = {
  class_declaration: "class",
  interface_declaration: "class",
  struct_declaration: "class",
  record_declaration: "class",
  enum_declaration: "class",
  delegate_declaration: "type",
};

export const csharpOutline: OutlineReader = {
  grammar: "csharp",
  wanted: ofKinds(
    ...Object.keys(TYPES),
    "namespace_declaration",
    "method_declaration",
    "constructor_declaration",
    "local_function_statement",
    "property_declaration",
    "field_declaration",
  ),
  read(node, { around }) {
    const kind = node.kind();
    const [name, body] = [fieldText(node, "name"), node.field("body")];
    if (kind === "namespace_declaration") return { kind: "container", name, isExported: true };
    const isTop = around === null || around.kind === "container";
    const isInInterface =
      around?.kind === "class" && node.parent()?.parent()?.kind() === "interface_declaration";
    const isOpen = isTop || isInInterface || hasModifier(node, /^(?:public|protected|internal)$/);
    const isExported = isOpen && (around?.isExported ?? true) && kind !== "local_function_statement";
    const type = TYPES[kind];
    if (type !== undefined) return { name, kind: type, body, isExported, parameters: parametersIn(node) };
    if (kind === "property_declaration") {
      const value = node.namedChildren().find((one) => one.kind() === "accessor_list") ?? node.field("value");
      return { name, kind: "variable", value: value ?? null, isExported };
    }
    if (kind === "field_declaration") {
      const declarator = node.find({ rule: { kind: "variable_declarator" } });
      const value = declarator?.namedChildren()[1] ?? null;
      return {
        name: declarator === null ? "" : fieldText(declarator, "name"),
        kind: "variable",
        value,
        isExported,
      };
    }
    const callable = kind === "local_function_statement" ? "function" : "method";
    return { name, kind: callable, body, isExported, parameters: parametersIn(node) };
  },
};

function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  const list =
    node.field("parameters") ?? node.namedChildren().find((one) => one.kind() === "parameter_list") ?? null;
  const named = readParameters(list, (each) => {
    if (each.kind() !== "parameter") return [];
    const name = fieldText(each, "name");
    return [parameter(name, { isOptional: each.children().some((one) => one.text() === "=") })];
  });
  // `params int[] rest` has no node of its own.
  const isOpen = list?.children().some((one) => !one.isNamed() && one.text() === "params") === true;
  const rest = isOpen && list !== null ? [parameter(fieldText(list, "name"), { isRest: true })] : [];
  return named === null ? null : [...named, ...rest];
}
