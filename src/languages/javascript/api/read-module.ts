/**
 * Reads declarations and ES modules: what a file declares, imports and exports. CommonJS is read by read-commonjs.ts. It never
 * follows another file.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { normalizeCode } from "../../api/normalize-code.ts";
import {
  createModuleScope,
  declareLocal,
  type ModuleDeclaration,
  type ModuleMember,
  type ModuleScope,
  type ModuleOrigin,
} from "./module.ts";
import { type Members, readBases, readCallable, readMembers, signatureText, typeText } from "./read-types.ts";

/** Namespaces within namespaces. Real ones have three levels. */
const MAX_DEPTH = 8;

/** Object literals of configuration can be large; their keys are hardly an API then. */
const MAX_KEYS = 2_000;

export type ModuleFile = {
  readonly scope: ModuleScope;
  /** `declare module "name"` blocks. */
  readonly ambient: ReadonlyMap<string, ModuleScope>;
};

type Reading = { readonly isTyped: boolean; readonly ambient: Map<string, ModuleScope> };

/** `statements`: the children of the roots, in order. */
export function readModule(
  path: string,
  statements: readonly SyntaxNode[],
  options: { readonly isTyped: boolean },
): ModuleFile {
  const scope = createModuleScope(path, null);
  const ambient = new Map<string, ModuleScope>();
  const reading: Reading = { isTyped: options.isTyped, ambient };
  for (const statement of statements) readStatement(statement, scope, { reading, depth: 0 });
  return { scope, ambient };
}

type At = { readonly reading: Reading; readonly depth: number };

function readStatement(node: SyntaxNode, scope: ModuleScope, at: At): void {
  const kind = node.kind();
  if (kind === "import_statement") readImport(node, scope);
  else if (kind === "export_statement") readExport(node, scope, at);
  else if (kind === "ERROR") scope.gaps.add("syntax");
  else if (kind === "import_alias") readAlias(node, scope);
  else if (kind === "ambient_declaration" || kind === "expression_statement") {
    for (const child of node.namedChildren())
      if (child.kind() !== "statement_block") readDeclaration(child, scope, at);
  } else readDeclaration(node, scope, at);
}

function readImport(node: SyntaxNode, scope: ModuleScope): void {
  scope.isModule = true;
  const clause = node.namedChildren()[0];
  if (clause === undefined) return;
  if (clause.kind() === "import_require_clause") {
    const name = clause.namedChildren()[0]?.text();
    const from = quotedText(clause.field("source"));
    if (name !== undefined && from !== null) scope.imports.set(name, { kind: "from", from, name: "=" });
    return;
  }
  const from = quotedText(node.field("source"));
  if (from === null || clause.kind() !== "import_clause") return;
  for (const part of clause.namedChildren()) {
    if (part.kind() === "identifier") scope.imports.set(part.text(), { kind: "from", from, name: "default" });
    else if (part.kind() === "namespace_import") {
      const name = part.namedChildren()[0]?.text();
      if (name !== undefined) scope.imports.set(name, { kind: "from", from, name: "*" });
    } else
      for (const specifier of part.namedChildren()) {
        const name = nameOf(specifier.field("name"));
        if (name !== null)
          scope.imports.set(nameOf(specifier.field("alias")) ?? name, { kind: "from", from, name });
      }
  }
}

/** `import a = b.c`, which is a local name for a dotted one. */
function readAlias(node: SyntaxNode, scope: ModuleScope): void {
  const [name, target] = node.namedChildren();
  if (name === undefined || target === undefined) return;
  const bases = [target.text().replaceAll(/\s/g, "")];
  declareLocal(scope, name.text(), { ...NOTHING, form: "module", bases });
}

function readExport(node: SyntaxNode, scope: ModuleScope, at: At): void {
  scope.isModule = true;
  const children = node.children();
  const words = new Set(children.filter((child) => !child.isNamed()).map((child) => child.text()));
  const isType = words.has("type");
  const from = quotedText(node.field("source"));
  const clause = children.find((child) => child.kind() === "export_clause");
  const namespace = children.find((child) => child.kind() === "namespace_export");
  if (namespace !== undefined && from !== null) {
    const name = nameOf(namespace.namedChildren()[0] ?? null);
    if (name !== null) scope.exports.set(name, { origin: { kind: "from", from, name: "*" }, isType });
  } else if (clause !== undefined) {
    for (const specifier of clause.namedChildren()) {
      const name = nameOf(specifier.field("name"));
      if (name === null) continue;
      const origin: ModuleOrigin = from === null ? { kind: "local", name } : { kind: "from", from, name };
      const isTypeName = isType || specifier.children().some((child) => child.kind() === "type");
      scope.exports.set(nameOf(specifier.field("alias")) ?? name, { origin, isType: isTypeName });
    }
  } else if (words.has("*") && from !== null) scope.stars.push({ from, isType });
  else if (words.has("=")) {
    const name = node.namedChildren()[0];
    if (name !== undefined) scope.assigned = readDefault(name, scope, at);
  } else if (words.has("default")) {
    const value = node.field("value") ?? node.field("declaration") ?? node.namedChildren().at(-1);
    if (value != null) scope.exports.set("default", { origin: readDefault(value, scope, at), isType: false });
  } else if (!words.has("as")) {
    for (const child of node.namedChildren()) {
      const inner = child.kind() === "ambient_declaration" ? child.namedChildren() : [child];
      for (const declaration of inner) {
        if (declaration.kind() === "import_alias") readAlias(declaration, scope);
        const names =
          declaration.kind() === "import_alias"
            ? [declaration.namedChildren()[0]?.text() ?? ""]
            : readDeclaration(declaration, scope, at);
        for (const name of names) scope.exports.set(name, { origin: { kind: "local", name }, isType: false });
      }
    }
  }
}

/** Reads the value of `export default` or `export =`. An expression becomes a local declaration of its own. */
function readDefault(node: SyntaxNode, scope: ModuleScope, at: At): ModuleOrigin {
  const kind = node.kind();
  if (kind === "identifier") return { kind: "local", name: node.text() };
  const [name] = readDeclaration(node, scope, at);
  if (name !== undefined) return { kind: "local", name };
  declareLocal(scope, "*default*", readAssignedValue(node, at));
  return { kind: "local", name: "*default*" };
}

const NOTHING: ModuleDeclaration = {
  form: "unknown",
  isType: false,
  calls: [],
  text: null,
  members: [],
  bases: [],
  hasUnknownMembers: false,
  scope: null,
};

/** Declares what a statement declares and returns the names. */
function readDeclaration(node: SyntaxNode, scope: ModuleScope, at: At): readonly string[] {
  const { isTyped } = at.reading;
  const kind = node.kind();
  switch (kind) {
    case "function_signature":
    case "function_declaration":
    case "generator_function_declaration": {
      const name = node.field("name")?.text();
      if (name === undefined) return [];
      const callable = readCallable(node, at.reading);
      const text = isTyped ? signatureText(node, name) : null;
      declareLocal(scope, name, {
        ...NOTHING,
        form: "function",
        calls: callable === null ? [] : [callable],
        text,
      });
      return [name];
    }
    case "class_declaration":
    case "abstract_class_declaration":
    case "interface_declaration": {
      const name = node.field("name")?.text();
      if (name === undefined) return [];
      declareLocal(scope, name, readClass(node, at));
      return [name];
    }
    case "type_alias_declaration": {
      const name = node.field("name")?.text();
      if (name === undefined) return [];
      const shape = readTypeShape(node.field("value"), at);
      declareLocal(scope, name, {
        ...NOTHING,
        ...shape,
        form: "type",
        isType: true,
        text: signatureText(node, name),
      });
      return [name];
    }
    case "enum_declaration": {
      const name = node.field("name")?.text();
      if (name === undefined) return [];
      const members = (node.field("body")?.namedChildren() ?? []).flatMap(readEnumMember);
      declareLocal(scope, name, { ...NOTHING, form: "enum", text: signatureText(node, name), members });
      return [name];
    }
    case "lexical_declaration":
    case "variable_declaration":
      return node.namedChildren().flatMap((one) => readVariable(one, scope, at));
    case "internal_module":
    case "module":
      return readNamespace(node, scope, at);
    default:
      return [];
  }
}

function readClass(node: SyntaxNode, at: At): ModuleDeclaration {
  const isType = node.kind() === "interface_declaration";
  const { bases, isComputed } = readBases(node);
  const { members, calls, hasUnknown } = readMembers(node.field("body"), at.reading);
  const name = node.field("name")?.text() ?? "";
  return {
    ...NOTHING,
    form: isType ? "interface" : "class",
    isType,
    calls,
    text: at.reading.isTyped ? signatureText(node, name) : null,
    members,
    bases,
    hasUnknownMembers: hasUnknown || isComputed,
  };
}

function readEnumMember(node: SyntaxNode): readonly ModuleMember[] {
  const name = node.kind() === "enum_assignment" ? node.field("name") : node;
  if (name === null || (name.kind() !== "property_identifier" && name.kind() !== "string")) return [];
  return [{ name: nameOf(name) ?? "", calls: [], text: typeText(node.field("value"), []) || null }];
}

function readVariable(node: SyntaxNode, scope: ModuleScope, at: At): readonly string[] {
  const name = node.kind() === "variable_declarator" ? node.field("name") : null;
  if (name === null) return [];
  if (name.kind() !== "identifier") {
    // export const { a, b: c } = …
    const names = name
      .findAll({ rule: { any: [{ kind: "shorthand_property_identifier_pattern" }, { kind: "identifier" }] } })
      .map((one) => one.text());
    for (const one of names) declareLocal(scope, one, { ...NOTHING, form: "variable" });
    return names;
  }
  const annotation = node.field("type");
  const value = node.field("value");
  const required = value === null ? null : requiredBy(value);
  if (required !== null) scope.imports.set(name.text(), required);
  else if (annotation === null && value !== null)
    declareLocal(scope, name.text(), readAssignedValue(value, at));
  else {
    const shape = readTypeShape(annotation?.namedChildren()[0] ?? null, at);
    const text = annotation === null ? null : typeText(annotation, []);
    declareLocal(scope, name.text(), { ...NOTHING, ...shape, form: "variable", text });
  }
  return [name.text()];
}

/** The value of a variable without a type, or of `export default`. */
export function readAssignedValue(node: SyntaxNode, at: At): ModuleDeclaration {
  const { isTyped } = at.reading;
  switch (node.kind()) {
    case "arrow_function":
    case "function_expression":
    case "function":
    case "generator_function": {
      const callable = readCallable(node, at.reading);
      const text = isTyped ? normalizeCode(node.field("parameters")?.text() ?? "") : null;
      return { ...NOTHING, form: "function", calls: callable === null ? [] : [callable], text };
    }
    case "class":
    case "class_declaration":
    case "abstract_class_declaration":
      return readClass(node, at);
    case "identifier":
    case "member_expression":
      return { ...NOTHING, form: "variable", bases: [node.text().replaceAll(/\s/g, "")] };
    case "object":
      return { ...NOTHING, form: "variable", ...readObject(node) };
    case "as_expression":
    case "satisfies_expression":
    case "parenthesized_expression": {
      const [inner] = node.namedChildren();
      if (inner !== undefined && at.depth < MAX_DEPTH)
        return readAssignedValue(inner, { ...at, depth: at.depth + 1 });
      return { ...NOTHING, form: "variable", hasUnknownMembers: true };
    }
    default:
      return { ...NOTHING, form: "variable", hasUnknownMembers: true };
  }
}

/** The keys of an object literal. */
export function readObject(node: SyntaxNode): {
  readonly members: readonly ModuleMember[];
  readonly hasUnknownMembers: boolean;
} {
  const members: ModuleMember[] = [];
  const parts = node.namedChildren();
  let hasUnknownMembers = parts.length > MAX_KEYS;
  for (const part of parts.slice(0, MAX_KEYS)) {
    const key =
      part.kind() === "shorthand_property_identifier" ? part : (part.field("key") ?? part.field("name"));
    const name = key === null || key.kind() === "computed_property_name" ? null : nameOf(key);
    if (name !== null) members.push({ name, calls: [], text: null });
    else if (part.kind() !== "comment") hasUnknownMembers = true;
  }
  return { members, hasUnknownMembers };
}

type Shape = Pick<ModuleDeclaration, "calls" | "members" | "bases" | "hasUnknownMembers">;

/** Reads the members and calls that a type has. */
function readTypeShape(node: SyntaxNode | null, at: At): Shape {
  const nothing: Shape = { calls: [], members: [], bases: [], hasUnknownMembers: false };
  if (node === null) return { ...nothing, hasUnknownMembers: true };
  switch (node.kind()) {
    case "function_type":
    case "constructor_type": {
      const callable = readCallable(node, at.reading);
      return { ...nothing, calls: callable === null ? [] : [callable] };
    }
    case "object_type": {
      const { members, calls, hasUnknown }: Members = readMembers(node, at.reading);
      return { ...nothing, members, calls, hasUnknownMembers: hasUnknown };
    }
    case "type_identifier":
    case "nested_type_identifier":
      return { ...nothing, bases: [node.text().replaceAll(/\s/g, "")] };
    case "generic_type": {
      const name = (node.field("name") ?? node).text().replaceAll(/\s/g, "");
      const isPlain = /^[\w$.]+$/.test(name) && !UTILITY_TYPES.has(name);
      return isPlain ? { ...nothing, bases: [name] } : { ...nothing, hasUnknownMembers: true };
    }
    case "type_query": {
      const name = node.namedChildren()[0]?.text().replaceAll(/\s/g, "") ?? "";
      return /^[\w$.]+$/.test(name) ? { ...nothing, bases: [name] } : { ...nothing, hasUnknownMembers: true };
    }
    case "parenthesized_type":
    case "readonly_type":
    case "intersection_type": {
      if (at.depth >= MAX_DEPTH) return { ...nothing, hasUnknownMembers: true };
      const parts = node.namedChildren().map((one) => readTypeShape(one, { ...at, depth: at.depth + 1 }));
      return {
        calls: parts.flatMap(({ calls }) => calls),
        members: parts.flatMap(({ members }) => members),
        bases: parts.flatMap(({ bases }) => bases),
        hasUnknownMembers: parts.some(({ hasUnknownMembers }) => hasUnknownMembers),
      };
    }
    case "predefined_type":
    case "literal_type":
    case "array_type":
      return nothing;
    default:
      return { ...nothing, hasUnknownMembers: true };
  }
}

/** Their members depend on their arguments. */
const UTILITY_TYPES: ReadonlySet<string> = new Set(
  "Partial Required Readonly Pick Omit Record Exclude Extract ReturnType InstanceType Awaited NonNullable Parameters".split(
    " ",
  ),
);

function readNamespace(node: SyntaxNode, scope: ModuleScope, at: At): readonly string[] {
  const name = node.field("name");
  const body = node.field("body");
  if (name === null || body === null) return [];
  if (at.depth >= MAX_DEPTH) {
    scope.gaps.add("limit");
    return [];
  }
  const quoted = quotedText(name);
  const [first = "", ...further] = quoted === null ? name.text().replaceAll(/\s/g, "").split(".") : [quoted];
  const inner = createModuleScope(scope.path, quoted === null ? scope : null);
  for (const statement of body.namedChildren())
    readStatement(statement, inner, { ...at, depth: at.depth + 1 });
  exportEverything(inner, body);
  if (quoted !== null) {
    at.reading.ambient.set(quoted, inner);
    return [];
  }
  // `namespace A.B {}` declares B in A.
  let declared: ModuleDeclaration = { ...NOTHING, form: "module", scope: inner };
  for (const part of further.slice(0, MAX_DEPTH).toReversed()) {
    const around = createModuleScope(scope.path, scope);
    declareLocal(around, part, declared);
    around.exports.set(part, { origin: { kind: "local", name: part }, isType: false });
    declared = { ...NOTHING, form: "module", scope: around };
  }
  declareLocal(scope, first, declared);
  return [first];
}

/** In an ambient namespace everything is exported, unless it lists its exports. */
function exportEverything(scope: ModuleScope, body: SyntaxNode): void {
  const lists = body
    .namedChildren()
    .some(
      (one) =>
        one.kind() === "export_statement" && one.children().some((part) => part.kind() === "export_clause"),
    );
  if (lists || scope.assigned !== null || scope.exports.has("default")) return;
  for (const name of scope.locals.keys()) {
    if (!scope.exports.has(name)) scope.exports.set(name, { origin: { kind: "local", name }, isType: false });
  }
}

/** `require("x")` and `require("x").y`, also behind the import helpers of compilers. */
export function requiredBy(node: SyntaxNode): Extract<ModuleOrigin, { kind: "from" }> | null {
  if (node.kind() === "member_expression") {
    const whole = requiredBy(node.field("object") ?? node);
    const name = node.field("property")?.text();
    return whole === null || name === undefined || whole.name !== "=" || node.field("object") === null
      ? null
      : { kind: "from", from: whole.from, name };
  }
  if (node.kind() !== "call_expression") return null;
  const callee = node.field("function")?.text() ?? "";
  const [argument] = node.field("arguments")?.namedChildren() ?? [];
  if (argument === undefined) return null;
  if (callee === "require") {
    const from = quotedText(argument);
    return from === null ? null : { kind: "from", from, name: "=" };
  }
  const isHelper = /^(?:\(0,)?[\w$.]{0,40}(?:__import\w+|__toESM|_?interop\w+)\)?$/.test(
    callee.replaceAll(/\s/g, ""),
  );
  return isHelper && argument.kind() === "call_expression" ? requiredBy(argument) : null;
}

export function quotedText(node: SyntaxNode | null): string | null {
  return node !== null && node.kind() === "string" ? node.text().slice(1, -1) : null;
}

/** An identifier, or a quoted name. */
function nameOf(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  return quotedText(node) ?? node.text();
}
