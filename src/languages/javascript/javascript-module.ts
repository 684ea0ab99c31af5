/** Reads what a JavaScript or TypeScript file exports: ES modules, and CommonJS in its plain forms. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import { readClassMembers } from "../exports/class-members.ts";
import type { CallSignature, ClassMembers } from "../exports/export-change.ts";
import { callSignature, constructorOf, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";

type Names = {
  /** Exported name → local name; null when another file declares it. */
  readonly locals: Map<string, string | null>;
  isOpen: boolean;
};

/** Without types nothing says which arguments are required. */
export const readJavaScriptModule: ModuleReader = (root, outline, { text }) =>
  readScript(root, { outline, text, isTyped: false });
export const readTypeScriptModule: ModuleReader = (root, outline, { text }) =>
  readScript(root, { outline, text, isTyped: true });

function readScript(
  root: SyntaxNode,
  { outline, text, isTyped }: { readonly outline: Outline; readonly text: string; readonly isTyped: boolean },
): ReturnType<ModuleReader> {
  const found: Names = { locals: new Map(), isOpen: false };
  for (const node of root.namedChildren()) if (node.kind() === "export_statement") readExport(node, found);
  if (/\bexports\b/.test(text)) readCommonJs(root, found);
  const declared = topLevelOf(outline);
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  for (const [name, local] of found.locals) {
    const declarations = declared.get(local ?? "") ?? [];
    const [declaration] = declarations;
    names.set(name, declaration ?? null);
    // Overloads and merged declarations accept more than one shape.
    if (!isTyped || declaration === undefined || declarations.length > 1) continue;
    const isClass = declaration.kind === "class";
    const callable = isClass ? constructorOf(outline, declaration.name, "constructor") : declaration;
    const signature = callSignature(callable, declaration, isClass);
    if (signature !== null) calls.set(name, signature);
    // A base class can have a method of the same name, and so can what is copied into the class.
    if (isClass && !/\bextends\b/.test(declaration.signature) && !text.includes(".prototype"))
      members.set(name, readClassMembers(outline, declaration, text));
  }
  return { names, calls, members, isOpen: found.isOpen, package: null };
}

function readExport(node: SyntaxNode, found: Names): void {
  const children = node.children();
  const hasSource = node.field("source") !== null;
  const clause = children.find((child) => child.kind() === "export_clause");
  const declaration = node.field("declaration");
  const isDefault = children.some((child) => child.kind() === "default");
  if (clause !== undefined) {
    for (const each of clause.namedChildren()) {
      const name = each.field("name")?.text() ?? "";
      const alias = each.field("alias")?.text() ?? name;
      found.locals.set(alias.replaceAll(/["']/g, ""), hasSource ? null : name);
    }
  } else if (isDefault) {
    const value = node.field("value");
    const named = declaration ?? value;
    const local = value?.kind() === "identifier" ? value.text() : named?.field("name")?.text();
    found.locals.set("default", local ?? "default");
  } else if (declaration !== null) {
    for (const name of declaredNames(declaration)) found.locals.set(name, name);
  } else {
    const namespace = children.find((child) => child.kind() === "namespace_export");
    const name = namespace?.namedChildren()[0]?.text();
    // `export *` and `export =`.
    if (name === undefined) found.isOpen = true;
    else found.locals.set(name, null);
  }
}

/** The names of a declaration, also those in patterns and in `declare`. */
function declaredNames(declaration: SyntaxNode): readonly string[] {
  const kind = declaration.kind();
  if (kind === "ambient_declaration") return declaration.namedChildren().flatMap(declaredNames);
  if (!/^(?:lexical|variable)_declaration$/.test(kind)) return [declaration.field("name")?.text() ?? ""];
  return declaration.namedChildren().flatMap((declarator) => {
    const name = declarator.field("name");
    if (name === null) return [];
    if (name.kind() === "identifier") return [name.text()];
    const parts = { any: [{ kind: "identifier" }, { kind: "shorthand_property_identifier_pattern" }] };
    return name.findAll({ rule: parts }).map((each) => each.text());
  });
}

/** `exports.a = …`, `module.exports = { a, b: … }`. Any other mention makes the list open. */
function readCommonJs(root: SyntaxNode, found: Names): void {
  const mentions = root.findAll({
    rule: { any: [{ kind: "identifier" }, { kind: "property_identifier" }], regex: "^exports$" },
  }).length;
  let understood = 0;
  for (const statement of root.namedChildren()) {
    const assignment = statement.kind() === "expression_statement" ? statement.namedChildren()[0] : undefined;
    const left = assignment?.kind() === "assignment_expression" ? assignment.field("left") : null;
    const right = assignment?.field("right") ?? null;
    const target = left === null ? "" : left.text().slice(0, 200);
    const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
    if (name !== undefined) {
      understood++;
      found.locals.set(name, right?.kind() === "identifier" ? right.text() : name);
    } else if (target === "module.exports" && right?.kind() === "object") {
      understood++;
      readKeys(right, found);
    }
  }
  if (understood !== mentions) found.isOpen = true;
}

function readKeys(object: SyntaxNode, found: Names): void {
  for (const part of object.namedChildren()) {
    const kind = part.kind();
    if (kind === "comment") continue;
    const key = kind === "shorthand_property_identifier" ? part : (part.field("key") ?? part.field("name"));
    const value = part.field("value");
    if (key === null || kind === "spread_element" || key.kind() === "computed_property_name")
      found.isOpen = true;
    else {
      const name = key.text().replaceAll(/["']/g, "");
      found.locals.set(name, value?.kind() === "identifier" ? value.text() : name);
    }
  }
}
