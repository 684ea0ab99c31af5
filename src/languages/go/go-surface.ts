/** Reads the API of a Go module: the exported identifiers of each package folder. */
import { containingFolder } from "../../base/containing-folder.ts";
import type { Syntax, SyntaxNode } from "../../syntax/syntax.ts";
import type { PackageSource } from "../api/package-source.ts";
import { normalizeCode } from "../api/normalize-code.ts";
import { createSurfaceBuilder, declaredAs, type SourceDeclaration } from "../api/surface-builder.ts";
import type { ApiSurface, Callable, Declared, CallParameter } from "../api/surface.ts";

const EXPORTED = /^\p{Lu}/u;

/** Not importable, or not part of the module. */
const EXCLUDED = /(?:^|\/)(?:internal|testdata|vendor|_[^/]*|\.[^/]*)\//;

/** The path that stays the same over major versions: without "/v2" and gopkg.in's ".v2". */
export function goBasePath(path: string): string {
  return path.replace(/\/v[0-9]+(?=\/|$)/, "").replace(/^(gopkg\.in\/.{1,200}?)\.v[0-9]+(?=\/|$)/, "$1");
}

export function readGoSurface(files: PackageSource, name: string, syntax: Syntax): ApiSurface {
  const builder = createSurfaceBuilder(files, "go", syntax);
  const module = goBasePath(/^module\s+"?([^\s"]+)/m.exec(files.get("go.mod") ?? "")?.[1] ?? name);
  const nested = [...files.keys()]
    .filter((path) => path.endsWith("/go.mod"))
    .map((path) => path.slice(0, -"go.mod".length));
  for (const path of files.keys()) {
    if (!path.endsWith(".go") || path.endsWith("_test.go") || EXCLUDED.test(path)) continue;
    if (nested.some((folder) => path.startsWith(folder))) continue;
    const root = builder.parse(path);
    if (root === null) continue;
    const clause = root
      .find({ rule: { kind: "package_clause" } })
      ?.namedChildren()[0]
      ?.text();
    if (clause === "main") continue;
    const folder = containingFolder(path);
    const entry = folder === "" ? module : `${module}/${folder}`;
    builder.touch(entry);
    for (const node of root.namedChildren())
      for (const declaration of readTopLevel(node)) builder.add(entry, declaration);
  }
  return builder.done();
}

function readTopLevel(node: SyntaxNode): readonly SourceDeclaration[] {
  switch (node.kind()) {
    case "function_declaration": {
      const name = node.field("name")?.text() ?? "";
      return EXPORTED.test(name) ? [{ name, declared: describe(node), members: [], bases: [] }] : [];
    }
    case "method_declaration":
      return readMethod(node);
    case "type_declaration":
      return node.namedChildren().flatMap(readType);
    case "const_declaration":
    case "var_declaration":
      return specsOf(node).flatMap((spec) => {
        const type = typeText(spec.field("type"));
        const names = spec.namedChildren().filter((one) => one.kind() === "identifier");
        return names
          .map((one) => one.text())
          .filter((name) => EXPORTED.test(name))
          .map((name) => ({
            name,
            declared: declaredAs("variable", { text: type === "" ? null : type }),
            members: [],
            bases: [],
          }));
      });
    default:
      return [];
  }
}

/** `var ( … )` has a list around its specs. */
function specsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node
    .namedChildren()
    .flatMap((one) => (one.kind() === "var_spec_list" ? one.namedChildren() : [one]));
}

function describe(node: SyntaxNode): Declared {
  const callable = readGoCallable(node);
  return declaredAs("function", { calls: [callable], text: shown(callable) });
}

function shown({ parameters, returns }: Callable): string {
  return `(${parameters.map(({ type, isRest }) => (isRest ? `...${type}` : type)).join(",")})${returns}`;
}

function readGoCallable(node: SyntaxNode): Callable {
  const parameters = (node.field("parameters")?.namedChildren() ?? []).flatMap(readParameter);
  const result = node.field("result");
  const returns =
    result?.kind() === "parameter_list"
      ? `(${result
          .namedChildren()
          .flatMap(readParameter)
          .map(({ type }) => type)
          .join(",")})`
      : typeText(result);
  return { parameters, returns: returns === "" ? "()" : returns };
}

/** `a, b int` is two parameters. */
function readParameter(node: SyntaxNode): readonly CallParameter[] {
  const isRest = node.kind() === "variadic_parameter_declaration";
  if (!isRest && node.kind() !== "parameter_declaration") return [];
  const names = node.namedChildren().filter((one) => one.kind() === "identifier").length;
  const parameter = { name: "", type: typeText(node.field("type")), isOptional: false, isRest };
  return Array.from({ length: Math.max(1, names) }, () => parameter);
}

/** `interface{}` is `any`. */
function typeText(node: SyntaxNode | null): string {
  return node === null ? "" : normalizeCode(node.text()).replaceAll("interface{}", "any");
}

/** A method belongs to its type, which can be in another file. */
function readMethod(node: SyntaxNode): readonly SourceDeclaration[] {
  const receiver = node.field("receiver")?.text() ?? "";
  const type = /(?:^\(|[\s*])([A-Za-z_]\w*)(?:\[[^\]]*\])?\)$/.exec(receiver.trim())?.[1] ?? "";
  const name = node.field("name")?.text() ?? "";
  if (!EXPORTED.test(type) || !EXPORTED.test(name)) return [];
  return [
    { name: type, declared: declaredAs("unknown"), members: [{ name, declared: describe(node) }], bases: [] },
  ];
}

function readType(node: SyntaxNode): readonly SourceDeclaration[] {
  const name = node.field("name")?.text() ?? "";
  const type = node.field("type");
  if (!EXPORTED.test(name) || type === null) return [];
  const members: { readonly name: string; readonly declared: Declared }[] = [];
  const bases: string[] = [];
  for (const one of type.kind() === "struct_type" ? (type.namedChildren()[0]?.namedChildren() ?? []) : []) {
    const fields = one.namedChildren().filter((part) => part.kind() === "field_identifier");
    const text = typeText(one.field("type"));
    if (fields.length === 0 && one.kind() === "field_declaration") bases.push(baseName(text));
    for (const field of fields) {
      if (EXPORTED.test(field.text()))
        members.push({
          name: field.text(),
          declared: declaredAs("variable", { text, hasUnknownMembers: true }),
        });
    }
  }
  for (const one of type.kind() === "interface_type" ? type.namedChildren() : []) {
    const method = one.field("name")?.text();
    if (method === undefined) bases.push(baseName(typeText(one)));
    else if (EXPORTED.test(method)) members.push({ name: method, declared: describe(one) });
  }
  if (node.kind() === "type_alias") bases.push(baseName(typeText(type)));
  const isPlain = type.kind() !== "struct_type" && type.kind() !== "interface_type";
  const calls = type.kind() === "function_type" ? [readGoCallable(type)] : [];
  const form = type.kind() === "interface_type" ? "interface" : isPlain ? "type" : "class";
  return [
    { name, declared: declaredAs(form, { calls, text: isPlain ? typeText(type) : "" }), members, bases },
  ];
}

function baseName(text: string): string {
  return text.replace(/^\*/, "").replace(/\[.*$/, "");
}
