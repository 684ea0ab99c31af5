/** Finds the uses of an npm package in a JavaScript or TypeScript file. It follows names within the file only. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { FileUses, UsingFile, WantedUses } from "../uses/package-uses.ts";
import { createScopedNames, scopeAround, type ScopedNames } from "../uses/scoped-names.ts";
import { createUseRecorder, type UseRecorder } from "../uses/use-recorder.ts";

/** References in one file. Generated code has more, and a person reads none of them. */
const MAX_REFERENCES = 20_000;

/** `a.b.c.d`: members of members. */
const MAX_MEMBERS = 10;

/** The meaning of a local name. Null: something of the file itself, which hides an import. */
type Binding = {
  /** From what is imported: ["pkg/sub", "foo"]; only ["pkg/sub"] for the module itself. */
  readonly path: readonly string[];
  /** `require` and default imports: the module and its default export can be the same. */
  readonly isWhole: boolean;
  readonly isTypeOnly: boolean;
  /** An object that was made with `new`. */
  readonly isInstance: boolean;
} | null;

const PLAIN = { isTypeOnly: false, objectLength: 0 };

const SCOPES: ReadonlySet<string> = new Set([
  "program",
  "statement_block",
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "generator_function",
  "arrow_function",
  "method_definition",
  "for_statement",
  "for_in_statement",
  "catch_clause",
  "class_static_block",
]);

const FUNCTION_SCOPES: ReadonlySet<string> = new Set(
  [...SCOPES].filter((kind) => /function|method|program|catch/.test(kind)),
);

export function findJavaScriptUses(root: SyntaxNode, file: UsingFile, wanted: WantedUses): FileUses {
  const recorder = createUseRecorder(file, wanted);
  const names = createScopedNames<Binding>();
  const isOfPackage = (specifier: string | null): specifier is string =>
    specifier !== null &&
    wanted.importNames.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  const reading: Reading = { root, recorder, names, isOfPackage };
  readImports(reading);
  readReExports(reading);
  readCalls(reading);
  readDerived(reading);
  hideShadowed(reading);
  readReferences(reading);
  return recorder.done();
}

type Reading = {
  readonly root: SyntaxNode;
  readonly recorder: UseRecorder;
  readonly names: ScopedNames<Binding>;
  readonly isOfPackage: (specifier: string | null) => specifier is string;
};

function stringText(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  if (node.kind() === "string") return node.text().slice(1, -1);
  return node.kind() === "template_string" && !node.text().includes("${") ? node.text().slice(1, -1) : null;
}

function readImports({ root, recorder, names, isOfPackage }: Reading): void {
  for (const node of root.findAll({ rule: { kind: "import_statement" } })) {
    const [clause] = node.namedChildren();
    const requires = clause?.kind() === "import_require_clause";
    const specifier = stringText(
      node.field("source") ?? (requires ? (clause?.field("source") ?? null) : null),
    );
    if (!isOfPackage(specifier)) continue;
    const isTypeOnly = node.children().some((child) => child.kind() === "type" || child.text() === "type");
    recorder.addImport(node, specifier, isTypeOnly);
    if (clause === undefined) continue;
    const bind = (local: SyntaxNode | undefined, path: readonly string[], isType: boolean): void => {
      const isWhole = path.length === 1 || path[1] === "default";
      if (local !== undefined)
        names.declare(local.text(), root, { path, isWhole, isTypeOnly: isType, isInstance: false });
    };
    if (requires) bind(clause.namedChildren()[0], [specifier], isTypeOnly);
    for (const part of clause.kind() === "import_clause" ? clause.namedChildren() : []) {
      if (part.kind() === "identifier") {
        bind(part, [specifier, "default"], isTypeOnly);
        recorder.addName(part, [[specifier, "default"]], "import", isTypeOnly);
      } else if (part.kind() === "namespace_import") bind(part.namedChildren()[0], [specifier], isTypeOnly);
      else
        for (const one of part.namedChildren()) {
          const name = one.field("name");
          if (name === null) continue;
          const path = [specifier, stringText(name) ?? name.text()];
          const isType = isTypeOnly || /^type\s/.test(one.text());
          bind(one.field("alias") ?? name, path, isType);
          recorder.addName(one, [path], "import", isType);
        }
    }
  }
}

/** `export … from "pkg"`. */
function readReExports({ root, recorder, isOfPackage }: Reading): void {
  for (const node of root.findAll({
    rule: { kind: "export_statement", has: { field: "source", regex: "." } },
  })) {
    const specifier = stringText(node.field("source"));
    if (!isOfPackage(specifier)) continue;
    const isTypeOnly = node.children().some((child) => child.kind() === "type" || child.text() === "type");
    recorder.addImport(node, specifier, isTypeOnly);
    const clause = node.children().find((child) => child.kind() === "export_clause");
    // All names go to other files.
    if (clause === undefined) recorder.open();
    for (const one of clause?.namedChildren() ?? []) {
      const name = one.field("name");
      if (name !== null)
        recorder.addName(one, [[specifier, stringText(name) ?? name.text()]], "re-export", isTypeOnly);
    }
  }
}

/** `require(…)` and `import(…)`, with what is made of them at once. */
function readCalls({ root, recorder, names, isOfPackage }: Reading): void {
  const calls = root.findAll({
    rule: { kind: "call_expression", has: { field: "function", regex: "^(require|import)$" } },
  });
  for (const call of calls) {
    const argument = call.field("arguments")?.namedChildren()[0] ?? null;
    const specifier = stringText(argument);
    if (!isOfPackage(specifier)) continue;
    // `typeof import(…)` in a type.
    const isType = call.parent()?.kind() === "type_query";
    recorder.addImport(call, specifier, isType, call.field("function")?.text() === "require");
    if (isType) {
      recorder.open();
      continue;
    }
    const { top, members } = climb(withoutAwait(call));
    const path = [specifier, ...members];
    const parent = top.parent();
    const isWhole = path.length === 1 || path.at(-1) === "default";
    const bindPattern = (pattern: SyntaxNode | null, scope: SyntaxNode): void => {
      if (pattern?.kind() === "identifier")
        names.declare(pattern.text(), scope, { path, isWhole, isTypeOnly: false, isInstance: false });
      else if (pattern !== null) bindObject(pattern, { path, scope, names, recorder });
    };
    if (parent?.kind() === "variable_declarator" && isSame(parent.field("value"), top)) {
      bindPattern(parent.field("name"), scopeAround(parent, SCOPES));
      if (path.length > 1) recorder.addName(top, spellings(path, false), "import", false);
    } else if (parent?.kind() === "assignment_expression" && isSame(parent.field("right"), top)) {
      bindPattern(parent.field("left"), root);
      if (path.length > 1) recorder.addUse(top, spellings(path, true), PLAIN);
    } else if (members.at(-1) === "then" && parent?.kind() === "call_expression") {
      const [callback] = parent.field("arguments")?.namedChildren() ?? [];
      const parameters = callback?.field("parameters")?.namedChildren() ?? [];
      const first = callback?.field("parameter") ?? parameters[0] ?? null;
      const pattern = first?.kind() === "required_parameter" ? first.field("pattern") : first;
      const made = { path: [specifier], scope: callback ?? root, names, recorder };
      if (pattern?.kind() === "identifier")
        names.declare(pattern.text(), made.scope, {
          path: [specifier],
          isWhole: true,
          isTypeOnly: false,
          isInstance: false,
        });
      else if (pattern != null) bindObject(pattern, made);
    } else if (path.length === 1 && !isCalled(top)) {
      // The module is passed on. `require("pkg")` alone only loads it.
      if (parent?.kind() !== "expression_statement") recorder.open();
    } else recorder.addUse(top, spellings(path, true), PLAIN);
  }
}

function isCalled(node: SyntaxNode): boolean {
  const parent = node.parent();
  return parent?.kind() === "call_expression" && isSame(parent.field("function"), node);
}

/** `const { a, b: c } = …`. */
function bindObject(
  pattern: SyntaxNode,
  {
    path,
    scope,
    names,
    recorder,
  }: {
    readonly path: readonly string[];
    readonly scope: SyntaxNode;
    readonly names: ScopedNames<Binding>;
    readonly recorder: UseRecorder;
  },
): void {
  if (pattern.kind() !== "object_pattern") return;
  for (const part of pattern.namedChildren()) {
    const kind = part.kind();
    const shorthand = kind === "object_assignment_pattern" ? (part.field("left") ?? part) : part;
    const key = kind === "pair_pattern" ? (part.field("key")?.text() ?? "") : shorthand.text();
    let local = kind === "pair_pattern" ? (part.field("value") ?? part) : shorthand;
    if (local.kind() === "assignment_pattern") local = local.field("left") ?? local;
    if (kind === "rest_pattern") {
      recorder.open();
      continue;
    }
    const name = [...path, key.replaceAll(/^["']|["']$/g, "")];
    recorder.addName(part, spellings(name, false), "import", false);
    if (/identifier/.test(local.kind()))
      names.declare(local.text(), scope, {
        path: name,
        isWhole: false,
        isTypeOnly: false,
        isInstance: false,
      });
    else bindObject(local, { path: name, scope, names, recorder });
  }
}

/** Variables made of imported names: `const { a } = ns`, `const A = ns.A`, `const a = new A()`, `a: A`. */
function readDerived({ root, names, recorder }: Reading): void {
  const known = names.names();
  if (known.length === 0) return;
  const word = `(^|[^\\w$.])(${known.map(escapePattern).join("|")})($|[^\\w$])`;
  const declarators = root.findAll({
    rule: { kind: "variable_declarator", has: { field: "value", regex: word } },
  });
  for (const node of declarators.slice(0, MAX_REFERENCES)) {
    const pattern = node.field("name");
    let value = node.field("value");
    if (pattern === null || value === null) continue;
    if (value.kind() === "await_expression") value = value.namedChildren()[0] ?? value;
    const isNew = value.kind() === "new_expression";
    const target = isNew ? value.field("constructor") : value;
    const chain = target === null ? null : readChain(target);
    const binding = chain === null ? undefined : names.find(chain.name, node);
    if (chain === null || binding == null || (isNew && binding.isInstance)) continue;
    const path = [...binding.path, ...chain.members];
    const scope = scopeAround(node, SCOPES);
    if (pattern.kind() === "identifier")
      names.declare(pattern.text(), scope, {
        path,
        isWhole: binding.isWhole && chain.members.length === 0,
        isTypeOnly: false,
        isInstance: isNew || (binding.isInstance && chain.members.length === 0),
      });
    else if (!isNew) bindObject(pattern, { path, scope, names, recorder });
  }
  const typed = root.findAll({
    rule: {
      any: [{ kind: "required_parameter" }, { kind: "optional_parameter" }, { kind: "variable_declarator" }],
      has: { field: "type", regex: word },
    },
  });
  for (const node of typed.slice(0, MAX_REFERENCES)) {
    const pattern = node.field("pattern") ?? node.field("name");
    const type = node.field("type")?.namedChildren()[0];
    const chain =
      type === undefined
        ? null
        : readChain(type.kind() === "generic_type" ? (type.field("name") ?? type) : type);
    const binding = chain === null ? undefined : names.find(chain.name, node);
    if (pattern?.kind() !== "identifier" || chain === null || binding == null || binding.isInstance) continue;
    const scope = scopeAround(node, node.kind() === "variable_declarator" ? SCOPES : FUNCTION_SCOPES);
    names.declare(pattern.text(), scope, {
      path: [...binding.path, ...chain.members],
      isWhole: false,
      isTypeOnly: false,
      isInstance: true,
    });
  }
}

/** `a.b.c` as its first name and its members. */
function readChain(node: SyntaxNode): { readonly name: string; readonly members: readonly string[] } | null {
  const text = node.text();
  if (text.length > 200) return null;
  const parts = text.replaceAll(/\s|[?!](?=\.)/g, "").split(".");
  if (!parts.every((part) => /^[\w$]+$/.test(part))) return null;
  const [name = "", ...members] = parts;
  return { name, members };
}

const DECLARING_PARENTS: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "class_declaration",
  "formal_parameters",
  "required_parameter",
  "optional_parameter",
  "rest_pattern",
  "array_pattern",
  "pair_pattern",
  "assignment_pattern",
  "object_assignment_pattern",
  "object_pattern",
  "variable_declarator",
  "catch_clause",
  "arrow_function",
  "for_in_statement",
  "enum_declaration",
]);

/** Parameters and variables of the file with the name of an import. */
function hideShadowed({ root, names }: Reading): void {
  const known = names.names();
  if (known.length === 0) return;
  const found = root.findAll({
    rule: {
      any: [{ kind: "identifier" }, { kind: "shorthand_property_identifier_pattern" }],
      regex: `^(${known.map(escapePattern).join("|")})$`,
    },
  });
  for (const node of found.slice(0, MAX_REFERENCES)) {
    const parent = node.parent();
    if (parent === null || !DECLARING_PARENTS.has(parent.kind()) || !isDeclared(node, parent)) continue;
    const isParameter = isInParameters(node);
    const declaredBy =
      parent.kind() === "function_declaration" || parent.kind() === "class_declaration" ? parent : node;
    const scope = scopeAround(declaredBy, isParameter ? FUNCTION_SCOPES : SCOPES);
    // The declaration that bound the name to the package is in the same scope.
    if (names.isDeclaredIn(node.text(), scope)) continue;
    names.declare(node.text(), scope, null);
  }
}

function isDeclared(node: SyntaxNode, parent: SyntaxNode): boolean {
  switch (parent.kind()) {
    case "variable_declarator":
    case "function_declaration":
    case "generator_function_declaration":
    case "class_declaration":
    case "enum_declaration":
      return isSame(parent.field("name"), node);
    case "required_parameter":
    case "optional_parameter":
      return isSame(parent.field("pattern"), node);
    case "arrow_function":
    case "catch_clause":
      return isSame(parent.field("parameter"), node);
    case "pair_pattern":
      return isSame(parent.field("value"), node);
    case "assignment_pattern":
    case "object_assignment_pattern":
      return isSame(parent.field("left"), node);
    case "for_in_statement":
      return isSame(parent.field("left"), node) && parent.field("kind") !== null;
    default:
      return true;
  }
}

function isInParameters(node: SyntaxNode): boolean {
  let around: SyntaxNode | null = node;
  for (let step = 0; step < MAX_MEMBERS && around !== null; step++, around = around.parent()) {
    if (around.kind() === "formal_parameters") return true;
    if (around.kind() === "arrow_function" || around.kind() === "catch_clause") return true;
    if (around.kind() === "variable_declarator") return false;
  }
  return false;
}

function readReferences({ root, recorder, names }: Reading): void {
  const known = names.names();
  if (known.length === 0) return;
  const kinds = ["identifier", "type_identifier", "shorthand_property_identifier"];
  const found = root.findAll({
    rule: { any: kinds.map((kind) => ({ kind })), regex: `^(${known.map(escapePattern).join("|")})$` },
  });
  if (found.length > MAX_REFERENCES) recorder.open();
  for (const node of found.slice(0, MAX_REFERENCES)) {
    const parent = node.parent();
    if (parent === null || isInImport(node) || isInClosingTag(node)) continue;
    if (DECLARING_PARENTS.has(parent.kind()) && isDeclared(node, parent)) continue;
    const binding = names.find(node.text(), node);
    if (binding == null) continue;
    const { top, members } = climb(node);
    const around = `${parent.kind()} ${top.parent()?.kind() ?? ""}`;
    const isType = node.kind() === "type_identifier" || /type_identifier|type_query/.test(around);
    // The object itself isn't a use of its class.
    if (binding.isInstance && members.length === 0) continue;
    const path = [...binding.path, ...members];
    if (parent.kind() === "export_specifier")
      recorder.addName(parent, spellings(path, binding.isWhole), "re-export", isType);
    else {
      const objectLength = binding.isInstance ? binding.path.length : 0;
      const isTypeOnly = isType || binding.isTypeOnly;
      recorder.addUse(top, spellings(path, binding.isWhole), { isTypeOnly, objectLength });
    }
  }
}

/** The opening tag counts. */
function isInClosingTag(node: SyntaxNode): boolean {
  const parent = node.parent();
  return parent?.kind() === "jsx_closing_element" || parent?.parent()?.kind() === "jsx_closing_element";
}

function isInImport(node: SyntaxNode): boolean {
  let around = node.parent();
  for (let step = 0; step < 4 && around !== null; step++, around = around.parent()) {
    if (around.kind() === "import_statement" || around.kind() === "import_clause") return true;
  }
  return false;
}

/**
 * The ways to write the same use. `d.foo` of a default import is `foo` when the module is CommonJS, and `default.foo` when it
 * isn't. A required module that is used itself is its default.
 */
function spellings(path: readonly string[], isWhole: boolean): readonly (readonly string[])[] {
  const [entry = "", first, ...rest] = path;
  if (first === "default") return rest.length === 0 ? [path] : [path, [entry, ...rest]];
  return isWhole || first === undefined ? [path, [entry, "default", ...path.slice(1)]] : [path];
}

/** Goes up from a name as long as members of it are accessed. */
function climb(node: SyntaxNode): { readonly top: SyntaxNode; readonly members: readonly string[] } {
  let top = node;
  const members: string[] = [];
  for (let step = 0; step < MAX_MEMBERS; step++) {
    const parent = top.parent();
    if (parent === null) break;
    const kind = parent.kind();
    if (kind === "non_null_expression" || (kind === "parenthesized_expression" && step > 0)) {
      top = parent;
      continue;
    }
    const member = memberOf(parent, top, kind);
    if (member === null) break;
    members.push(member);
    top = parent;
  }
  return { top, members };
}

function memberOf(parent: SyntaxNode, object: SyntaxNode, kind: string): string | null {
  if (kind === "member_expression")
    return isSame(parent.field("object"), object) ? (parent.field("property")?.text() ?? null) : null;
  if (kind === "subscript_expression")
    return isSame(parent.field("object"), object) ? stringText(parent.field("index")) : null;
  if (kind === "nested_type_identifier" || kind === "nested_identifier") {
    const [first, second] = parent.namedChildren();
    return isSame(first ?? null, object) ? (second?.text() ?? null) : null;
  }
  return null;
}

function withoutAwait(call: SyntaxNode): SyntaxNode {
  let node = call;
  for (let step = 0; step < 3; step++) {
    const parent = node.parent();
    const kind = parent?.kind();
    const isAround = kind === "await_expression" || (kind === "parenthesized_expression" && step > 0);
    if (parent === null || !isAround) break;
    node = parent;
  }
  return node;
}

/** The parser returns a new object for a node each time, so positions are compared. */
function isSame(one: SyntaxNode | null, other: SyntaxNode): boolean {
  if (one === null) return false;
  const [first, second] = [one.range(), other.range()];
  return first.start.index === second.start.index && first.end.index === second.end.index;
}
