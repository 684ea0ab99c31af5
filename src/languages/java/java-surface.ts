/** Reads the API of a Java library from its sources: public types with their public and protected members. */
import type { Syntax, SyntaxNode } from "../../syntax/syntax.ts";
import type { PackageSource } from "../api/package-source.ts";
import { normalizeCode } from "../api/normalize-code.ts";
import {
  createSurfaceBuilder,
  declaredAs,
  type SourceDeclaration,
  type SurfaceBuilder,
} from "../api/surface-builder.ts";
import type { ApiSurface, Callable, Declared, CallParameter } from "../api/surface.ts";

/** Types within types. */
const MAX_DEPTH = 6;

const TYPES: Readonly<Record<string, Declared["form"]>> = {
  class_declaration: "class",
  interface_declaration: "interface",
  enum_declaration: "enum",
  record_declaration: "class",
  annotation_type_declaration: "interface",
};

/** Annotations that generate members. */
const GENERATES = /@(?:lombok\.)?(?:Data|Getter|Setter|Builder|Value|AutoValue|With|SuperBuilder)\b/;

/** The Java packages of the sources, which are what code imports. */
export function javaPackages(files: PackageSource): readonly string[] {
  const packages = new Set<string>();
  for (const [path, text] of files) {
    if (!path.endsWith(".java") || isExcluded(path)) continue;
    const name = /^\s*package\s+([\w.]+)\s*;/m.exec(text.slice(0, 20_000))?.[1];
    if (name !== undefined) packages.add(name);
  }
  return [...packages];
}

function isExcluded(path: string): boolean {
  return /(?:^|\/)(?:test|tests|internal|shaded)\//.test(path) || /(?:package|module)-info\.java$/.test(path);
}

export function readJavaSurface(files: PackageSource, syntax: Syntax): ApiSurface {
  const builder = createSurfaceBuilder(files, "java", syntax);
  for (const path of files.keys()) {
    if (/\.(?:kt|scala|groovy)$/.test(path)) builder.note("no-parser", path.slice(path.lastIndexOf(".") + 1));
    if (!path.endsWith(".java") || isExcluded(path)) continue;
    const root = builder.parse(path);
    if (root === null) continue;
    const clause = root.find({ rule: { kind: "package_declaration" } });
    const entry = clause?.namedChildren().at(-1)?.text() ?? "";
    builder.touch(entry);
    for (const node of root.namedChildren())
      readType(node, { entry, outer: "", depth: 0, isInInterface: false }, builder);
  }
  return builder.done();
}

type At = {
  readonly entry: string;
  readonly outer: string;
  readonly depth: number;
  readonly isInInterface: boolean;
};

function modifiersOf(node: SyntaxNode): string {
  const modifiers = node.namedChildren().find((one) => one.kind() === "modifiers");
  return modifiers?.text() ?? "";
}

function isVisible(node: SyntaxNode, isInInterface: boolean): boolean {
  const modifiers = modifiersOf(node);
  return /\b(?:public|protected)\b/.test(modifiers) || (isInInterface && !/\bprivate\b/.test(modifiers));
}

function readType(node: SyntaxNode, at: At, builder: SurfaceBuilder): void {
  const form = TYPES[node.kind()];
  const simple = node.field("name")?.text() ?? "";
  if (form === undefined || simple === "" || at.depth > MAX_DEPTH || !isVisible(node, at.isInInterface))
    return;
  const name = at.outer === "" ? simple : `${at.outer}.${simple}`;
  const members: SourceDeclaration["members"][number][] = [];
  const calls: Callable[] = [];
  const isInInterface = form === "interface";
  const body = node.field("body");
  const parts = (body?.namedChildren() ?? []).flatMap((one) =>
    one.kind() === "enum_body_declarations" ? one.namedChildren() : [one],
  );
  for (const one of parts) {
    if (one.kind() === "constructor_declaration") {
      if (isVisible(one, false)) calls.push(readJavaCallable(one));
    } else if (TYPES[one.kind()] !== undefined)
      readType(one, { entry: at.entry, outer: name, depth: at.depth + 1, isInInterface }, builder);
    else if (one.kind() === "enum_constant" || isVisible(one, isInInterface))
      members.push(...readMember(one));
  }
  if (node.kind() === "record_declaration") {
    const components = node.field("parameters")?.namedChildren() ?? [];
    calls.push(readJavaCallable(node));
    for (const one of components)
      members.push({
        name: one.field("name")?.text() ?? "",
        declared: declaredAs("function", { calls: [], text: null }),
      });
  }
  const hasUnknownMembers = GENERATES.test(modifiersOf(node));
  const declared = { ...declaredAs(form, { calls, hasUnknownMembers }), text: "" };
  builder.add(at.entry, { name, declared, members, bases: readBases(node) });
}

function readBases(node: SyntaxNode): readonly string[] {
  const clauses = node
    .children()
    .filter((one) => /^(?:superclass|super_interfaces|extends_interfaces)$/.test(one.kind()))
    .flatMap((one) => one.namedChildren())
    .flatMap((one) => (one.kind() === "type_list" ? one.namedChildren() : [one]));
  return clauses.map((one) =>
    one
      .text()
      .replace(/<[^]*$/, "")
      .replaceAll(/\s/g, ""),
  );
}

function readMember(node: SyntaxNode): readonly SourceDeclaration["members"][number][] {
  if (node.kind() === "enum_constant")
    return [
      {
        name: node.field("name")?.text() ?? "",
        declared: declaredAs("variable", { hasUnknownMembers: true }),
      },
    ];
  if (node.kind() === "method_declaration" || node.kind() === "annotation_type_element_declaration") {
    const callable = readJavaCallable(node);
    const text = `(${callable.parameters.map(({ type }) => type).join(",")})${callable.returns}`;
    return [
      {
        name: node.field("name")?.text() ?? "",
        declared: declaredAs("function", { calls: [callable], text }),
      },
    ];
  }
  if (node.kind() !== "field_declaration" && node.kind() !== "constant_declaration") return [];
  const text = normalizeCode(node.field("type")?.text() ?? "");
  return node
    .namedChildren()
    .filter((one) => one.kind() === "variable_declarator")
    .map((one) => ({
      name: one.field("name")?.text() ?? "",
      declared: declaredAs("variable", { text, hasUnknownMembers: true }),
    }));
}

function readJavaCallable(node: SyntaxNode): Callable {
  const parameters = (node.field("parameters")?.namedChildren() ?? []).flatMap(
    (one): readonly CallParameter[] => {
      const isRest = one.kind() === "spread_parameter";
      if (!isRest && one.kind() !== "formal_parameter") return [];
      const type = isRest
        ? one.namedChildren().find((part) => part.kind() !== "modifiers")
        : one.field("type");
      return [{ name: "", type: erase(type?.text() ?? ""), isOptional: false, isRest }];
    },
  );
  return { parameters, returns: erase(node.field("type")?.text() ?? "") };
}

/** Type arguments and annotations don't count when calling. */
function erase(type: string): string {
  let text = normalizeCode(type).replaceAll(/@[\w.]+(?:\([^)]*\))?\s*/g, "");
  for (let step = 0; step < 5 && text.includes("<"); step++) text = text.replaceAll(/<[^<>]*>/g, "");
  return text.replace(/^(?:[a-z]\w*\.)+(?=[A-Z])/, "");
}
