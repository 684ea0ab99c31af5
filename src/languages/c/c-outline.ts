/** Outlines of C and C++, with prototypes. `static` functions and private members are for their own file or class. */
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

/** Pointers, references, arrays and parentheses around a name. */
const MAX_DECLARATORS = 8;

const SHARED = [
  "function_definition",
  "declaration",
  "struct_specifier",
  "union_specifier",
  "enum_specifier",
  "type_definition",
  "preproc_function_def",
];

export const cOutline: OutlineReader = { grammar: "c", wanted: ofKinds(...SHARED), read };

export const cppOutline: OutlineReader = {
  grammar: "cpp",
  wanted: [
    ...ofKinds(...SHARED, "class_specifier", "namespace_definition", "alias_declaration"),
    { kind: "field_declaration", has: { kind: "function_declarator", stopBy: "end" } },
    { kind: "access_specifier", inside: { kind: "field_declaration_list" } },
  ],
  read,
};

function read(node: SyntaxNode, at: OutlinePlace): OutlinePart | null {
  const { around } = at;
  switch (node.kind()) {
    case "namespace_definition": {
      const name = fieldText(node, "name");
      return { kind: "container", name, isExported: name !== "" && (around?.isExported ?? true) };
    }
    case "access_specifier":
      return { kind: "section", isHidden: node.text() === "private" };
    case "preproc_function_def": {
      const parameters = readParameters(node.field("parameters"), (one) => [parameter(one.text())]);
      const value = node.field("value");
      return { name: fieldText(node, "name"), kind: "function", value, isExported: true, parameters };
    }
    case "alias_declaration":
      return { name: fieldText(node, "name"), kind: "type", isExported: isVisible(at) };
    case "struct_specifier":
    case "union_specifier":
    case "enum_specifier":
    case "class_specifier": {
      const [name, body] = [fieldText(node, "name"), node.field("body")];
      if (body === null || name === "" || isInFunction(at)) return null;
      return { name, kind: "class", whole: templateAround(node), body, isExported: isVisible(at) };
    }
    default:
      return readDeclarator(node, at);
  }
}

/** Functions, prototypes, type definitions and variables: the name is inside their declarator. */
function readDeclarator(node: SyntaxNode, at: OutlinePlace): OutlinePart | null {
  const body = node.field("body");
  if (body === null && isInFunction(at)) return readLambda(node);
  const { named, list } = unwrap(node.field("declarator"));
  const text = named?.text() ?? "";
  if (named === null || text.length > 300) return null;
  const path = text.split("::");
  const name = path.at(-1) ?? "";
  const owner = path.length > 1 ? { owner: path.slice(0, -1) } : {};
  const isStatic = node
    .namedChildren()
    .some((one) => one.kind() === "storage_class_specifier" && one.text() === "static");
  const isMember = at.around?.kind === "class";
  const isExported = isVisible(at) && (!isStatic || isMember);
  const whole = templateAround(node);
  if (node.kind() === "type_definition") {
    const type = node.field("type");
    return { name, kind: "type", body: type?.field("body") ?? null, isExported };
  }
  if (list === null) {
    const value = node.field("declarator")?.field("value") ?? null;
    return isMember ? null : { name, kind: "variable", whole, value, isExported };
  }
  const kind = isMember || path.length > 1 ? "method" : "function";
  return { name, kind, whole, body, isExported, parameters: parametersIn(list), ...owner };
}

/** `auto add = [](int a) { … };` in a function. */
function readLambda(node: SyntaxNode): OutlinePart | null {
  const declarator = node.field("declarator");
  const lambda = declarator?.field("value") ?? null;
  if (lambda?.kind() !== "lambda_expression" || declarator === null) return null;
  const name = fieldText(declarator, "declarator");
  const list = lambda.field("declarator")?.field("parameters") ?? null;
  return {
    name,
    kind: "function",
    body: lambda.field("body"),
    isExported: false,
    parameters: list === null ? [] : parametersIn(list),
  };
}

function unwrap(declarator: SyntaxNode | null): {
  readonly named: SyntaxNode | null;
  /** The parameters; null for what isn't a function, such as a pointer to one. */
  readonly list: SyntaxNode | null;
} {
  let node = declarator;
  let list: SyntaxNode | null = null;
  for (let step = 0; step < MAX_DECLARATORS && node !== null; step++) {
    if (/(?:identifier|name|operator_cast)$/.test(node.kind())) return { named: node, list };
    if (node.kind() === "function_declarator") list = node.field("parameters");
    if (node.kind() === "parenthesized_declarator") list = null;
    node = node.field("declarator") ?? node.namedChildren().at(-1) ?? null;
  }
  return { named: null, list: null };
}

function isInFunction({ around }: OutlinePlace): boolean {
  return around?.kind === "function" || around?.kind === "method";
}

function isVisible({ around }: OutlinePlace): boolean {
  return around === null || (around.isExported && !around.isSectionHidden);
}

function templateAround(node: SyntaxNode): SyntaxNode {
  const parent = node.parent();
  return parent?.kind() === "template_declaration" ? parent : node;
}

function parametersIn(list: SyntaxNode): readonly DeclaredParameter[] | null {
  const all = readParameters(list, (each) => {
    const isRest = each.kind().startsWith("variadic_parameter");
    const isOptional = each.kind() === "optional_parameter_declaration";
    const { named } = unwrap(each.field("declarator"));
    return [parameter(named?.text(), { isOptional, isRest })];
  });
  const isVoid = list.text().replaceAll(/[()\s]/g, "") === "void";
  return isVoid ? [] : all;
}
