/** Finds what a JavaScript or TypeScript file imports and how it uses the wanted names. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, NameUse, Reference } from "../exports/export-change.ts";
import {
  importFact,
  isSamePlace,
  MAX_USES,
  type ReferenceReader,
  useAt,
} from "../exports/reference-reader.ts";

/** Tests that replace modules, and files that no checker reads. */
const REPLACES_MODULES = /\b(?:jest|vi|vitest)\.(?:do)?mock\(|\bmock\.module\(|@ts-nocheck/i;

/** The error is wanted there. */
const EXPECTED = /@ts-(?:expect-error|ignore)/;

const CLASS_NAME = /^\p{Lu}/u;

type Imported = Pick<Reference, "fact" | "as"> & { readonly member: string | null };

export const readJavaScriptReferences: ReferenceReader = (root, { path, text }, wanted) => {
  const lines = text.split("\n");
  const isGuarded = REPLACES_MODULES.test(text);
  const imported = [...readImports(root), ...readReExports(root), ...readRequires(root)].filter(
    ({ fact }) => fact === null || fact.names.length === 0 || fact.names.some(({ name }) => wanted.has(name)),
  );
  const references = imported.map((each): Reference => {
    const { fact, as } = each;
    if (as === "") return { fact, as, isGuarded, isShadowed: false, uses: [] };
    const { isShadowed, uses } = readUses(root, as);
    const all = CLASS_NAME.test(as) ? [...uses, ...readInstanceUses(root, as)] : uses;
    const shown = all.filter(({ line }) => !EXPECTED.test(lines[line - 2] ?? ""));
    return { fact, as, isGuarded, isShadowed, uses: shown };
  });
  return { path, package: null, declares: [], references };
};

function stringOf(node: SyntaxNode | null): string | null {
  return node?.kind() === "string" ? node.text().slice(1, -1) : null;
}

function readImports(root: SyntaxNode): readonly Imported[] {
  return root.findAll({ rule: { kind: "import_statement" } }).flatMap((node): readonly Imported[] => {
    const specifier = stringOf(node.field("source"));
    const clause = node.namedChildren().find((one) => one.kind() === "import_clause");
    if (specifier === null || clause === undefined) return [];
    return clause.namedChildren().flatMap((part): readonly Imported[] => {
      if (part.kind() === "identifier") return [named(specifier, part, "default", part.text())];
      if (part.kind() === "namespace_import") {
        const as = part.namedChildren()[0]?.text() ?? "";
        return [{ fact: importFact(specifier, node, { moduleAlias: as }), as, member: null }];
      }
      return part.namedChildren().flatMap((one) => {
        const name = one.field("name")?.text() ?? "";
        const as = one.field("alias")?.text() ?? name;
        return one.kind() === "import_specifier" ? [named(specifier, one, name, as)] : [];
      });
    });
  });
}

function named(specifier: string, node: SyntaxNode, name: string, as: string): Imported {
  return { fact: importFact(specifier, node, { names: [{ name, as }] }), as, member: null };
}

/** `export { a } from "./x"`: no local name, but an import that can fail. */
function readReExports(root: SyntaxNode): readonly Imported[] {
  const statements = root.namedChildren().filter((node) => node.kind() === "export_statement");
  return statements.flatMap((node): readonly Imported[] => {
    const specifier = stringOf(node.field("source"));
    const clause = node.namedChildren().find((one) => one.kind() === "export_clause");
    if (specifier === null || clause === undefined) return [];
    return clause.namedChildren().flatMap((one) => {
      const name = one.field("name")?.text() ?? "";
      const as = one.field("alias")?.text() ?? name;
      const fact = importFact(specifier, one, { kind: "re-export", names: [{ name, as }] });
      return one.kind() === "export_specifier" ? [{ fact, as: "", member: null }] : [];
    });
  });
}

/** `const a = require("./x")`, `const { a } = require("./x")`, also of `await import("./x")`. */
function readRequires(root: SyntaxNode): readonly Imported[] {
  const calls = root.findAll({
    rule: { kind: "call_expression", has: { field: "function", regex: "^(require|import)$" } },
  });
  return calls.flatMap((call): readonly Imported[] => {
    const specifier = stringOf(call.field("arguments")?.namedChildren()[0] ?? null);
    const outer = call.parent();
    const value = outer?.kind() === "await_expression" ? outer : call;
    const declarator = value.parent();
    const isDynamic = call.field("function")?.text() === "import";
    if (specifier === null || declarator?.kind() !== "variable_declarator" || isDynamic === (value === call))
      return [];
    const pattern = declarator.field("name");
    if (pattern?.kind() === "identifier") {
      const as = pattern.text();
      return [{ fact: importFact(specifier, call, { moduleAlias: as }), as, member: null }];
    }
    if (pattern?.kind() !== "object_pattern") return [];
    return pattern.namedChildren().flatMap((part) => {
      if (part.kind() === "shorthand_property_identifier_pattern")
        return [named(specifier, part, part.text(), part.text())];
      const alias = part.kind() === "pair_pattern" ? part.field("value") : null;
      return alias?.kind() === "identifier"
        ? [named(specifier, part, part.field("key")?.text() ?? "", alias.text())]
        : [];
    });
  });
}

function readUses(
  root: SyntaxNode,
  name: string,
): { readonly isShadowed: boolean; readonly uses: readonly NameUse[] } {
  const kinds = ["identifier", "shorthand_property_identifier_pattern", "type_identifier"];
  const found = root.findAll({
    rule: { any: kinds.map((kind) => ({ kind })), regex: `^${escapePattern(name)}$` },
  });
  const uses: NameUse[] = [];
  let bindings = 0;
  for (const node of found.slice(0, MAX_USES)) {
    const parent = node.parent();
    if (parent === null) continue;
    if (isBinding(node, parent)) bindings++;
    else uses.push(readUse(node, parent));
  }
  return { isShadowed: bindings > 1 || found.length > MAX_USES, uses };
}

const TYPED = ["variable_declarator", "required_parameter", "optional_parameter", "public_field_definition"];

/** A parameter of a constructor that is a field as well. */
const IS_FIELD =
  /^(?:@[^\n]{1,200}?\s+)?(?:(?:public|private|protected|readonly|override)\s+)+[\w$]+\s*\??\s*:/;

/** Uses of members on constants, parameters and fields whose type is a class, if nothing else in the file has their name. */
function readInstanceUses(root: SyntaxNode, type: string): readonly NameUse[] {
  const variables = new Set<string>();
  const fields = new Map<string, boolean>();
  for (const node of root.findAll({ rule: { any: TYPED.map((kind) => ({ kind })) } }).slice(0, MAX_USES)) {
    const name = (node.field("name") ?? node.field("pattern"))?.text() ?? "";
    if (!/^[\w$]+$/.test(name)) continue;
    const annotation = node.field("type")?.text().replace(/^:\s*/, "");
    const value = node.field("value");
    const isMade =
      annotation === undefined &&
      value?.kind() === "new_expression" &&
      value.field("constructor")?.text() === type &&
      (node.kind() !== "variable_declarator" || node.parent()?.text().startsWith("const") === true);
    const isTyped = annotation === type || isMade;
    const isField = node.kind() === "public_field_definition";
    // Two classes can have a field of this name.
    if (isField || IS_FIELD.test(node.text())) fields.set(name, isTyped && !fields.has(name));
    if (isTyped && !isField) variables.add(name);
  }
  const onVariables = [...variables].flatMap((name) => {
    const { isShadowed, uses } = readUses(root, name);
    return isShadowed ? [] : uses.filter(({ member }) => member !== null);
  });
  const onFields = [...fields].flatMap(([name, isTyped]) => (isTyped ? readFieldUses(root, name) : []));
  return [...onVariables, ...onFields].map((use) => ({ ...use, isInstance: true }));
}

/** `this.field.member`. */
function readFieldUses(root: SyntaxNode, field: string): readonly NameUse[] {
  const found = root.findAll({
    rule: { kind: "member_expression", has: { field: "object", regex: `^this\\.${escapePattern(field)}$` } },
  });
  return found
    .slice(0, MAX_USES)
    .map((node) => useAt(node, node.field("property")?.text() ?? null, callOf(node)));
}

/** Where a name gets a meaning, the import included. */
function isBinding(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (node.kind() === "shorthand_property_identifier_pattern") return true;
  const is = (field: string): boolean => isSamePlace(parent.field(field), node);
  switch (parent.kind()) {
    case "import_clause":
    case "namespace_import":
    case "rest_pattern":
    case "array_pattern":
      return true;
    case "import_specifier":
      return parent.field("alias") === null || is("alias");
    case "pair_pattern":
      return is("value");
    case "required_parameter":
    case "optional_parameter":
      return is("pattern");
    case "arrow_function":
    case "catch_clause":
      return is("parameter");
    case "assignment_pattern":
    case "object_assignment_pattern":
    case "assignment_expression":
    case "for_in_statement":
      return is("left");
    default:
      return (
        /(?:declarator|declaration|_signature|^type_parameter|^function_expression|^class)$/.test(
          parent.kind(),
        ) && is("name")
      );
  }
}

function readUse(node: SyntaxNode, parent: SyntaxNode): NameUse {
  const isObject = parent.kind() === "member_expression" && isSamePlace(parent.field("object"), node);
  const isQualifier = parent.kind() === "nested_type_identifier";
  const used = isObject ? parent : node;
  const member = isObject
    ? (parent.field("property")?.text() ?? null)
    : isQualifier
      ? (parent.field("name")?.text() ?? null)
      : null;
  return useAt(node, member, callOf(used));
}

function callOf(callee: SyntaxNode): CallArguments | null {
  const call = callee.parent();
  const isNew = call?.kind() === "new_expression";
  const field = isNew ? "constructor" : "function";
  const isCall = isNew || call?.kind() === "call_expression";
  if (call == null || !isCall || !isSamePlace(call.field(field), callee)) return null;
  const list = call.field("arguments");
  // A tagged template has no list.
  if (list !== null && list.kind() !== "arguments") return null;
  const args = (list?.namedChildren() ?? []).filter((one) => one.kind() !== "comment");
  const isOpen = args.some((one) => one.kind() === "spread_element");
  return { positional: args.length, keywords: [], isOpen, isNew };
}
