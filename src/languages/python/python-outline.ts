/** Outlines of Python. A module's names are public by `__all__`, otherwise by their names. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { DeclaredParameter } from "../outline/outline.ts";
import {
  ofKinds,
  type OutlinePlace,
  type OutlineReader,
  parameter,
  fieldText,
} from "../outline/outline-reader.ts";

export const pythonOutline: OutlineReader = {
  grammar: "python",
  wanted: [
    ...ofKinds("function_definition", "class_definition"),
    {
      kind: "assignment",
      has: { field: "left", kind: "identifier" },
      inside: { kind: "expression_statement", inside: { any: ofKinds("module", "block") } },
    },
  ],
  readExports(root) {
    const lists = root.findAll({
      rule: { kind: "assignment", has: { field: "left", regex: "^__all__$" } },
    });
    if (lists.length === 0) return null;
    const strings = lists.flatMap((each) => each.findAll({ rule: { kind: "string_content" } }));
    return new Set(strings.map((each) => each.text()));
  },
  read(node, at) {
    const name = fieldText(node, node.kind() === "assignment" ? "left" : "name");
    const isInFunction = at.around?.kind === "function" || at.around?.kind === "method";
    if (node.kind() === "assignment") {
      if (isInFunction || name === "__all__") return null;
      return { name, kind: "variable", isExported: isPublic(name, at), value: node.field("right") };
    }
    const parent = node.parent();
    const isDecorated = parent?.kind() === "decorated_definition";
    const shared = {
      name,
      whole: isDecorated ? parent : node,
      body: node.field("body"),
      isExported: isPublic(name, at),
    };
    if (node.kind() === "class_definition") return { ...shared, kind: "class" };
    const isMethod = at.around?.kind === "class";
    const marks = isDecorated ? parent.namedChildren().filter((one) => one.kind() === "decorator") : [];
    const isStatic = marks.some((mark) => mark.text().slice(0, 20).trim() === "@staticmethod");
    const all = readPythonParameters(node.field("parameters"));
    const parameters = all !== null && isMethod && !isStatic && all[0]?.isRest === false ? all.slice(1) : all;
    return { ...shared, kind: isMethod ? "method" : "function", parameters };
  },
};

function isPublic(name: string, { around, exports }: OutlinePlace): boolean {
  if (around === null) return exports?.has(name) ?? !name.startsWith("_");
  return around.kind === "class" && around.isExported && (!name.startsWith("_") || name.endsWith("__"));
}

/** All parameters in order, with `self`. */
function readPythonParameters(list: SyntaxNode | null): readonly DeclaredParameter[] | null {
  const parameters: DeclaredParameter[] = [];
  let isNamedOnly = false;
  for (const node of list?.namedChildren() ?? []) {
    const [first] = node.namedChildren();
    const splat = node.kind().endsWith("_splat_pattern") ? node : first;
    const by = isNamedOnly ? { by: "name" as const } : {};
    switch (splat?.kind() === "list_splat_pattern" ? "rest" : node.kind()) {
      case "rest":
        parameters.push(parameter(splat?.namedChildren()[0]?.text(), { isRest: true, by: "position" }));
        isNamedOnly = true;
        break;
      case "identifier":
        parameters.push(parameter(node.text(), by));
        break;
      case "default_parameter":
      case "typed_default_parameter":
        parameters.push(parameter(fieldText(node, "name"), { isOptional: true, ...by }));
        break;
      case "dictionary_splat_pattern":
        parameters.push(parameter(first?.text(), { isRest: true, by: "name" }));
        break;
      case "typed_parameter":
        if (first?.kind() === "dictionary_splat_pattern")
          parameters.push(parameter(first.namedChildren()[0]?.text(), { isRest: true, by: "name" }));
        else parameters.push(parameter(first?.text(), by));
        break;
      case "keyword_separator":
        isNamedOnly = true;
        break;
      case "positional_separator":
        parameters.forEach((each, at) => (parameters[at] = { ...each, by: "position" }));
        break;
      case "comment":
        break;
      default:
        return null;
    }
  }
  return list === null ? null : parameters;
}
