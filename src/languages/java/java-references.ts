/** Finds what a Java file uses of types of other packages, and of its own package without an import. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, FileReferences, NameUse, Reference } from "../exports/export-change.ts";
import {
  importFact,
  isSamePlace,
  MAX_USES,
  type ReferenceReader,
  type ReferencingFile,
  useAt,
} from "../exports/reference-reader.ts";

const TYPE_DECLARATIONS = /^(?:class|interface|enum|record|annotation_type)_declaration$|^type_parameter$/;

/** Where variables get their names. */
const BINDINGS = [
  "variable_declarator",
  "formal_parameter",
  "catch_formal_parameter",
  "enhanced_for_statement",
  "resource",
  "type_pattern",
  "record_pattern_component",
  "instanceof_expression",
];

export function javaPackageOf(root: SyntaxNode): string {
  const clause = root.namedChildren().find((node) => node.kind() === "package_declaration");
  const name = clause?.namedChildren().find((node) => /identifier/.test(node.kind()));
  return (name?.text() ?? "").replaceAll(/\s/g, "");
}

export const readJavaReferences: ReferenceReader = (root, { path }, wanted) => {
  const inPackage = javaPackageOf(root);
  const declared = readDeclaredTypes(root, wanted);
  const imported = new Map<string, Reference["fact"]>();
  for (const node of root.namedChildren()) {
    if (node.kind() !== "import_declaration" || /^import\s+static\b|\*\s*;?\s*$/.test(node.text())) continue;
    const target = node.namedChildren().find((one) => /identifier/.test(one.kind()));
    const specifier = (target?.text() ?? "").replaceAll(/\s/g, "");
    const name = specifier.slice(specifier.lastIndexOf(".") + 1);
    if (wanted.has(name)) imported.set(name, importFact(specifier, node, { names: [{ name, as: name }] }));
  }
  const references = [...wanted].flatMap((as): readonly Reference[] => {
    const fact = imported.get(as) ?? null;
    // The file's own type, or one that only its imports name.
    if (fact === null && declared.top.has(as)) return [];
    const uses = readTypeUses(root, as);
    if (fact === null && uses.length === 0) return [];
    return [{ fact, as, isGuarded: false, isShadowed: declared.nested.has(as), uses }];
  });
  return { path, package: inPackage, declares: [...declared.top], references };
};

/** Other languages of the JVM can declare a type that was Java's. */
export function readJvmDeclarations(
  { path, text }: ReferencingFile,
  wanted: readonly string[],
): FileReferences {
  const [, inPackage = ""] = /^\s*package\s+([\w.]+)/m.exec(text) ?? [];
  const declares = wanted.filter((name) =>
    new RegExp(String.raw`\b(?:class|interface|object|trait|typealias|enum)\s+${escapePattern(name)}\b`).test(
      text,
    ),
  );
  return { path, package: inPackage, declares, references: [] };
}

function readDeclaredTypes(
  root: SyntaxNode,
  wanted: ReadonlySet<string>,
): { readonly top: ReadonlySet<string>; readonly nested: ReadonlySet<string> } {
  const top = new Set<string>();
  const nested = new Set<string>();
  for (const node of root.findAll({ rule: { any: [{ kind: "identifier" }, { kind: "type_identifier" }] } })) {
    const parent = node.parent();
    if (parent === null || !wanted.has(node.text()) || !TYPE_DECLARATIONS.test(parent.kind())) continue;
    const isName = parent.kind() === "type_parameter" || isSamePlace(parent.field("name"), node);
    if (isName) (parent.parent()?.kind() === "program" ? top : nested).add(node.text());
  }
  return { top, nested };
}

function readTypeUses(root: SyntaxNode, name: string): readonly NameUse[] {
  const found = root.findAll({
    rule: {
      any: [{ kind: "identifier" }, { kind: "type_identifier" }],
      regex: `^${escapePattern(name)}$`,
    },
  });
  const own = found.slice(0, MAX_USES).flatMap((node) => {
    const parent = node.parent();
    if (parent === null || isQualified(node, parent)) return [];
    if (node.kind() === "type_identifier") return [useAt(node, null, creationOf(node, parent))];
    if (parent.kind() === "method_invocation" && isSamePlace(parent.field("object"), node))
      return [useAt(node, parent.field("name")?.text() ?? null, argumentsOf(parent))];
    if (parent.kind() === "field_access" && isSamePlace(parent.field("object"), node))
      return [useAt(node, parent.field("field")?.text() ?? null, null)];
    return parent.kind() === "method_reference" ? [useAt(node, null, null)] : [];
  });
  return [...own, ...readInstanceUses(root, name)];
}

/** `Other.Name`, and what imports and packages say. */
function isQualified(node: SyntaxNode, parent: SyntaxNode): boolean {
  const kind = parent.kind();
  if (kind === "scoped_identifier") return true;
  return kind === "scoped_type_identifier" && !isSamePlace(parent.namedChildren()[0] ?? null, node);
}

/** `new Name(…)` and `new Name<…>(…)`. */
function creationOf(node: SyntaxNode, parent: SyntaxNode): CallArguments | null {
  const type = parent.kind() === "generic_type" ? parent : node;
  const creation = type.parent();
  if (creation?.kind() !== "object_creation_expression" || !isSamePlace(creation.field("type"), type))
    return null;
  return { ...argumentsOf(creation), isNew: true };
}

function argumentsOf(call: SyntaxNode): CallArguments {
  const args = (call.field("arguments")?.namedChildren() ?? []).filter((one) => !/comment/.test(one.kind()));
  return { positional: args.length, keywords: [], isOpen: false, isNew: false };
}

/** Calls on variables, parameters and fields whose declared type is this one, if nothing else in the file has their name. */
function readInstanceUses(root: SyntaxNode, type: string): readonly NameUse[] {
  const bindings = root.findAll({ rule: { any: BINDINGS.map((kind) => ({ kind })) } });
  const counts = new Map<string, number>();
  const typed = new Set<string>();
  for (const node of bindings.slice(0, MAX_USES)) {
    const name = node.field("name")?.text();
    if (name === undefined) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const owner = node.kind() === "variable_declarator" ? node.parent() : node;
    const declared = (owner?.field("type")?.text() ?? "").replace(/<[^]*$/, "").trim();
    const value = node.field("value");
    const made = value?.kind() === "object_creation_expression" ? value : null;
    const isMade =
      declared === "var" &&
      (made?.field("type")?.text() ?? "").replace(/<[^]*$/, "") === type &&
      made?.namedChildren().every((one) => one.kind() !== "class_body") === true;
    if (declared === type || isMade) typed.add(name);
  }
  const names = [...typed].filter((name) => counts.get(name) === 1);
  if (names.length === 0) return [];
  const calls = root.findAll({
    rule: {
      kind: "method_invocation",
      has: { field: "object", regex: String.raw`^(?:this\.)?(?:${names.map(escapePattern).join("|")})$` },
    },
  });
  return calls.slice(0, MAX_USES).map((call) => ({
    ...useAt(call, call.field("name")?.text() ?? null, argumentsOf(call)),
    isInstance: true,
  }));
}
