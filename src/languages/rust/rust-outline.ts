/** Outlines of Rust. Every `pub` counts as exported, also with a restriction. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration, DeclaredParameter } from "../outline/outline.ts";
import {
  ofKinds,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

const KINDS: Readonly<Record<string, Declaration["kind"]>> = {
  struct_item: "class",
  union_item: "class",
  enum_item: "class",
  trait_item: "class",
  type_item: "type",
  const_item: "variable",
  static_item: "variable",
  macro_definition: "function",
};

export const rustOutline: OutlineReader = {
  grammar: "rust",
  wanted: [
    ...ofKinds("function_item", "function_signature_item", "impl_item", "mod_item", ...Object.keys(KINDS)),
    { kind: "let_declaration", has: { field: "value", kind: "closure_expression" } },
  ],
  read(node, { around }) {
    const kind = node.kind();
    const name = fieldText(node, "name");
    const isPublic = node.namedChildren().some((child) => child.kind() === "visibility_modifier");
    if (kind === "impl_item") {
      const type = fieldText(node, "type").replace(/<.*$/s, "").slice(0, 200);
      // The methods of a trait are as public as the trait.
      return { kind: "container", name: type, isExported: node.field("trait") !== null };
    }
    if (kind === "mod_item") return { kind: "container", name, isExported: false };
    if (kind === "let_declaration") {
      const value = node.field("value");
      const pattern = fieldText(node, "pattern");
      if (value === null || !/^\w+$/.test(pattern)) return null;
      const [body, parameters] = [value.field("body"), parametersIn(value)];
      return { name: pattern, kind: "function", body, isExported: false, parameters };
    }
    const isMember = around?.kind === "class" || around?.kind === "container";
    const isExported = isPublic || (isMember && around.isExported);
    const body = node.field("body");
    const known = KINDS[kind];
    if (known !== undefined) return { name, kind: known, body, value: node.field("value"), isExported };
    const list = node.field("parameters");
    const isMethod = list?.namedChildren().some((one) => one.kind() === "self_parameter") === true;
    return {
      name,
      kind: isMethod || around?.kind === "class" ? "method" : "function",
      body,
      isExported,
      parameters: parametersIn(node),
    };
  },
};

function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  return readParameters(node.field("parameters"), (each) => {
    if (each.kind() === "self_parameter" || each.kind() === "attribute_item") return [];
    const pattern = each.kind() === "parameter" ? each.field("pattern") : each;
    return [parameter(pattern?.kind() === "identifier" ? pattern.text() : "")];
  });
}
