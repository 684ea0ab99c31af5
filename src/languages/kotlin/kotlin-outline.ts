/** Outlines of Kotlin. Other files can use everything that isn't private. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  hasModifier,
  ofKinds,
  type OutlineReader,
  parameter,
  readParameters,
} from "../outline/outline-reader.ts";

const NAMES = /^(?:simple|type)_identifier$/;
const BODIES = /^(?:function_body|class_body|enum_class_body)$/;

export const kotlinOutline: OutlineReader = {
  grammar: "kotlin",
  wanted: ofKinds(
    "class_declaration",
    "object_declaration",
    "companion_object",
    "function_declaration",
    "secondary_constructor",
    "property_declaration",
    "type_alias",
  ),
  read(node, { around }) {
    const isMember = around === null || around.kind === "class" || around.kind === "container";
    const isExported = isMember && (around?.isExported ?? true) && !hasModifier(node, /\bprivate\b/);
    const children = node.namedChildren();
    const name = kotlinName(node);
    const body = children.find((one) => BODIES.test(one.kind())) ?? null;
    switch (node.kind()) {
      case "companion_object":
        return { kind: "container", name: name === "" ? "Companion" : name, isExported };
      case "type_alias":
        return { name, kind: "type", isExported };
      case "function_declaration": {
        const parameters = parametersIn(kotlinChild(node, "function_value_parameters"));
        const isIn = around?.kind === "class" || around?.kind === "container";
        return { name, kind: isIn ? "method" : "function", body, isExported, parameters };
      }
      case "secondary_constructor": {
        const list = kotlinChild(node, "function_value_parameters");
        const block = node.children().find((one) => one.text() === "{") ?? null;
        return {
          name: "constructor",
          kind: "method",
          body: block,
          isExported,
          parameters: parametersIn(list),
        };
      }
      case "property_declaration": {
        // Those in functions and initializers are variables.
        if (node.parent()?.kind() === "statements") return null;
        const variable = kotlinChild(node, "variable_declaration");
        const value = node
          .children()
          .find((one) => /^(?:=|property_delegate|getter|setter)$/.test(one.kind()));
        return variable === null
          ? null
          : { name: kotlinName(variable), kind: "variable", value: value ?? null, isExported };
      }
      default: {
        const parameters = parametersIn(kotlinChild(node, "primary_constructor"));
        return { name, kind: "class", body, isExported, parameters };
      }
    }
  },
};

export function kotlinChild(node: SyntaxNode, kind: string): SyntaxNode | null {
  return node.namedChildren().find((one) => one.kind() === kind) ?? null;
}

/** The name that a node declares, without backticks; "" without one. */
export function kotlinName(node: SyntaxNode): string {
  return kotlinNameNode(node)?.text().replaceAll("`", "") ?? "";
}

export function kotlinNameNode(node: SyntaxNode): SyntaxNode | null {
  return node.namedChildren().find((one) => NAMES.test(one.kind())) ?? null;
}

/** Modifiers are before a parameter or in it, and its default value is after it. A parameter after a `vararg` has to be named. */
function parametersIn(list: SyntaxNode | null): readonly DeclaredParameter[] | null {
  let isAfterRest = false;
  return readParameters(list, (node) => {
    if (!/^(?:class_)?parameter$/.test(node.kind())) return [];
    const before = node.prev();
    const modifiers = before?.kind() === "parameter_modifiers" ? before : kotlinChild(node, "modifiers");
    const isRest = modifiers?.children().some((one) => one.text() === "vararg") === true;
    const isOptional = node.next()?.text() === "=" || node.children().some((one) => one.text() === "=");
    const by = isAfterRest ? ({ by: "name" } as const) : {};
    if (isRest) isAfterRest = true;
    return [parameter(kotlinName(node), { isRest, isOptional, ...by })];
  });
}
