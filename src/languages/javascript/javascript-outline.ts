/** Outlines of JavaScript and TypeScript, with CommonJS exports and functions that are assigned to names. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  type FoundDeclaration,
  hasModifier,
  ofKinds,
  type OutlinePart,
  type OutlinePlace,
  type OutlineReader,
  parameter,
  readParameters,
  fieldText,
} from "../outline/outline-reader.ts";

const FUNCTIONS = ["arrow_function", "function_expression", "generator_function"];
const FUNCTION: ReadonlySet<string> = new Set(FUNCTIONS);
const holdsFunction = (field: string): object => ({
  has: { field, any: ofKinds(...FUNCTIONS, "class") },
});

const EXPORTS = /^(?:module\.)?exports(?:$|\.)/;

/** One search, because each goes through the whole tree. */
const EXPORTING = [
  { kind: "export_specifier" },
  {
    kind: "assignment_expression",
    has: { field: "left", regex: "^(module\\.)?exports(\\.[A-Za-z0-9_$]+)?$" },
  },
  { kind: "export_statement", has: { kind: "identifier" } },
];

/** Wrappers between a declaration and the top level. */
const MAX_WRAPPERS = 4;

export const javascriptOutline: OutlineReader = {
  grammar: "typescript",
  wanted: [
    ...ofKinds(
      "function_declaration",
      "generator_function_declaration",
      "function_signature",
      "class_declaration",
      "abstract_class_declaration",
      "interface_declaration",
      "type_alias_declaration",
      "enum_declaration",
      "method_definition",
      "method_signature",
      "abstract_method_signature",
      "public_field_definition",
      "internal_module",
      "module",
    ),
    { kind: "variable_declarator", ...holdsFunction("value") },
    {
      kind: "variable_declarator",
      inside: {
        any: ofKinds("lexical_declaration", "variable_declaration"),
        inside: { any: ofKinds("program", "export_statement", "ambient_declaration") },
      },
    },
    { kind: "pair", ...holdsFunction("value") },
    { kind: "assignment_expression", ...holdsFunction("right") },
    { kind: "export_statement", has: { field: "value", any: ofKinds(...FUNCTIONS, "class") } },
  ],
  readExports,
  read(node, at) {
    switch (node.kind()) {
      case "function_declaration":
      case "generator_function_declaration":
      case "function_signature":
        return { ...describe(node, at), kind: "function", parameters: parametersIn(node) };
      case "class_declaration":
      case "abstract_class_declaration":
        return { ...describe(node, at), kind: "class" };
      case "interface_declaration":
      case "type_alias_declaration":
      case "enum_declaration":
        return { ...describe(node, at), kind: "type" };
      case "internal_module":
      case "module":
        return readNamespace(node, at);
      case "variable_declarator":
        return readVariable(node, at);
      case "assignment_expression":
        return readAssignment(node, at);
      case "export_statement":
        return readDefault(node);
      case "pair":
        return readValue(node, node.field("value"), {
          name: fieldText(node, "key"),
          kind: "method",
          isExported: isMemberExported(node, at),
        });
      case "public_field_definition": {
        const facts = { name: fieldText(node, "name"), isExported: isMemberExported(node, at) };
        const value = node.field("value");
        const isFunction = value !== null && FUNCTION.has(value.kind());
        return readValue(node, value, { ...facts, kind: isFunction ? "method" : "variable" });
      }
      default:
        return {
          name: fieldText(node, "name"),
          kind: "method",
          body: node.field("body"),
          isExported: isMemberExported(node, at),
          parameters: parametersIn(node),
        };
    }
  },
};

function describe(node: SyntaxNode, at: OutlinePlace): Omit<FoundDeclaration, "kind"> {
  const name = fieldText(node, "name");
  return { name, body: node.field("body"), ...wrappedIn(node, name, at) };
}

/** The node with `export`, `declare` and `const` around it, and whether other files can use it. */
function wrappedIn(
  node: SyntaxNode,
  name: string,
  { around, exports }: OutlinePlace,
): { readonly whole: SyntaxNode; readonly isExported: boolean } {
  let whole = node;
  let isExported = false;
  // All at once: to find one parent, the parser searches from the root.
  const ancestors = node.ancestors();
  for (const [step, parent] of ancestors.slice(0, MAX_WRAPPERS).entries()) {
    const kind = parent.kind();
    if (kind === "program") {
      if (exports?.has(name) === true) isExported = true;
      break;
    }
    if (/^(?:lexical|variable)_declaration$/.test(kind)) {
      if (parent.namedChildren().length > 1) {
        isExported = ancestors[step + 1]?.kind() === "export_statement" || exports?.has(name) === true;
        break;
      }
    } else if (kind === "export_statement") isExported = around === null || around.isExported;
    else if (kind !== "ambient_declaration" && kind !== "expression_statement") break;
    whole = parent;
  }
  return { whole, isExported };
}

function readVariable(node: SyntaxNode, at: OutlinePlace): OutlinePart | null {
  const name = node.field("name");
  if (name?.kind() !== "identifier") return null;
  const value = node.field("value");
  const named = name.text();
  return readValue(node, value, { name: named, kind: "variable", ...wrappedIn(node, named, at) });
}

/** A name whose value may be a function or a class. */
function readValue(
  node: SyntaxNode,
  value: SyntaxNode | null,
  facts: Pick<FoundDeclaration, "name" | "kind" | "isExported" | "whole">,
): FoundDeclaration {
  const kind = value?.kind() ?? "";
  if (FUNCTION.has(kind) && value !== null) {
    const named = facts.kind === "variable" ? "function" : facts.kind;
    return { ...facts, kind: named, body: value.field("body"), parameters: parametersIn(value) };
  }
  if (kind === "class" && value !== null) return { ...facts, kind: "class", body: value.field("body") };
  return { ...facts, whole: facts.whole ?? node, value };
}

/** `exports.add = function …`, `Cart.prototype.add = function …`, `cart.add = () => …`. */
function readAssignment(node: SyntaxNode, at: OutlinePlace): OutlinePart | null {
  const left = node.field("left");
  const right = node.field("right");
  if (left === null || right === null || left.range().end.index - left.range().start.index > 200) return null;
  const target = left.text();
  const name = left.kind() === "member_expression" ? fieldText(left, "property") : target;
  const whole = node.parent()?.kind() === "expression_statement" ? (node.parent() ?? node) : node;
  if (EXPORTS.test(target)) {
    const isWhole = target === "module.exports" || target === "exports";
    const own = isWhole ? fieldText(right, "name") || "default" : name;
    return readValue(node, right, { name: own, kind: "variable", isExported: at.around === null, whole });
  }
  const object = left.field("object")?.text() ?? "";
  const owner = /^([\w$]+)(?:\.prototype)?$/.exec(object)?.[1];
  if (owner === undefined && left.kind() === "member_expression") return null;
  const isOwned = owner !== undefined && owner !== "this";
  return {
    ...readValue(node, right, { name, kind: isOwned ? "method" : "variable", isExported: false, whole }),
    ...(isOwned ? { owner: [owner] } : {}),
  };
}

/** `export default () => …`. */
function readDefault(node: SyntaxNode): OutlinePart | null {
  const value = node.field("value");
  const name = value === null ? "" : fieldText(value, "name") || "default";
  return readValue(node, value, { name, kind: "variable", isExported: true });
}

function readNamespace(node: SyntaxNode, at: OutlinePlace): OutlinePart {
  const name = node.field("name");
  const isAmbientFile = name?.kind() === "string";
  const { isExported } = wrappedIn(node, name?.text() ?? "", at);
  return {
    kind: "container",
    name: isAmbientFile ? "" : (name?.text() ?? ""),
    isExported: isExported || isAmbientFile,
  };
}

function isMemberExported(node: SyntaxNode, { around }: OutlinePlace): boolean {
  if (around === null || !around.isExported || around.kind === "function" || around.kind === "method")
    return false;
  return !fieldText(node, "name").startsWith("#") && !hasModifier(node, /^private$/);
}

function parametersIn(node: SyntaxNode): readonly DeclaredParameter[] | null {
  const single = node.field("parameter");
  if (single !== null) return [parameter(single.text())];
  return readParameters(node.field("parameters"), (each) => {
    const pattern = each.field("pattern");
    const kind = pattern?.kind();
    if (kind === "this" || each.kind() === "decorator") return [];
    const isRest = kind === "rest_pattern";
    const named = isRest ? pattern?.namedChildren()[0] : pattern;
    const name = named?.kind() === "identifier" ? named.text() : "";
    const isOptional = each.kind() === "optional_parameter" || each.field("value") !== null;
    return [parameter(name, { isOptional, isRest })];
  });
}

/** Names in `export { … }`, `module.exports = { … }` and `exports.a = a`. A name with another alias than `default` isn't usable as such. */
function readExports(root: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const each of root.findAll({ rule: { any: EXPORTING } })) {
    const kind = each.kind();
    if (kind === "export_specifier") {
      const [name, alias] = [fieldText(each, "name"), each.field("alias")?.text()];
      const hasSource = each.parent()?.parent()?.field("source") != null;
      if (!hasSource && (alias === undefined || alias === name || alias === "default")) names.add(name);
      continue;
    }
    const value = each.field(kind === "export_statement" ? "value" : "right");
    if (value?.kind() === "identifier") names.add(value.text());
    if (kind !== "assignment_expression" || value?.kind() !== "object") continue;
    for (const part of value.namedChildren()) {
      if (part.kind() === "shorthand_property_identifier") names.add(part.text());
      else if (part.kind() === "pair" && fieldText(part, "key") === fieldText(part, "value"))
        names.add(fieldText(part, "key"));
    }
  }
  return names;
}
