/** Outlines of Ruby. `private` hides the methods after it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  ofKinds,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

export const rubyOutline: OutlineReader = {
  grammar: "ruby",
  wanted: [
    ...ofKinds("class", "module", "method", "singleton_method"),
    { kind: "identifier", regex: "^(private|protected|public)$", inside: { kind: "body_statement" } },
    { kind: "assignment", has: { field: "left", kind: "constant" } },
  ],
  read(node, { around }) {
    const isOutside = around === null || (around.kind === "class" && around.isExported);
    const name = fieldText(node, "name");
    switch (node.kind()) {
      case "identifier":
        return { kind: "section", isHidden: node.text() !== "public" };
      case "class":
      case "module":
        // The `class` keyword is a node of this kind as well.
        return node.isNamed()
          ? { name, kind: "class", body: node.field("body"), isExported: isOutside }
          : null;
      case "assignment": {
        const value = node.field("right");
        return around?.kind === "method" || around?.kind === "function"
          ? null
          : { name: fieldText(node, "left"), kind: "variable", value, isExported: isOutside };
      }
      default: {
        const isStatic = node.kind() === "singleton_method";
        const caller = node.parent()?.kind() === "argument_list" ? node.parent()?.parent() : null;
        const isMarked = /^(?:private|protected)\b/.test(caller?.text().slice(0, 12) ?? "");
        const isHidden = isMarked || (!isStatic && around?.isSectionHidden === true);
        const list = node.field("parameters");
        return {
          name,
          kind: around?.kind === "class" ? "method" : "function",
          body: node.field("body"),
          isExported: isOutside && !isHidden,
          parameters: list === null ? [] : parametersIn(list),
        };
      }
    }
  },
};

function parametersIn(list: SyntaxNode): readonly DeclaredParameter[] | null {
  return readParameters(list, (each) => {
    const name = fieldText(each, "name");
    switch (each.kind()) {
      case "identifier":
        return [parameter(each.text())];
      case "optional_parameter":
        return [parameter(name, { isOptional: true })];
      case "keyword_parameter":
        return [parameter(name, { isOptional: each.field("value") !== null, by: "name" })];
      case "splat_parameter":
        return [parameter(name, { isRest: true, by: "position" })];
      case "hash_splat_parameter":
        return [parameter(name, { isRest: true, by: "name" })];
      case "block_parameter":
        return [];
      default:
        return [parameter("", { isOptional: each.kind() === "forward_parameter" })];
    }
  });
}
