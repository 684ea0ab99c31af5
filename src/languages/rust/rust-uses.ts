/** Finds the uses of a Rust crate in a file. It follows names within the file only. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { readUse } from "./rust-surface.ts";
import type { FileUses, UsingFile, WantedUses } from "../uses/package-uses.ts";
import { createScopedNames, scopeAround, type ScopedNames } from "../uses/scoped-names.ts";
import { createUseRecorder } from "../uses/use-recorder.ts";

const MAX_REFERENCES = 20_000;
const MAX_MEMBERS = 10;

type Binding = { readonly path: readonly string[]; readonly isInstance: boolean };

const SCOPES: ReadonlySet<string> = new Set([
  "source_file",
  "function_item",
  "block",
  "closure_expression",
  "declaration_list",
]);

export function findRustUses(root: SyntaxNode, file: UsingFile, wanted: WantedUses): FileUses {
  const recorder = createUseRecorder(file, wanted);
  const names = createScopedNames<Binding>();
  const crates = new Set(wanted.importNames);
  for (const name of crates) names.declare(name, root, { path: [name], isInstance: false });
  for (const node of root.findAll({ rule: { kind: "use_declaration" } })) {
    const uses: { readonly name: string; readonly path: readonly string[]; readonly node?: SyntaxNode }[] =
      [];
    readUse(node.field("argument"), [], uses, 0);
    const ours = uses.filter(({ path }) => crates.has(path[0] ?? ""));
    if (ours.length === 0) continue;
    const isPublic = node.namedChildren().some((one) => one.kind() === "visibility_modifier");
    recorder.addImport(node, [...new Set(ours.map(({ path }) => path[0] ?? ""))].join(", "), false);
    for (const { name, path, node: part } of ours) {
      if (name === "*") recorder.open();
      else {
        names.declare(name, scopeAround(node, SCOPES), { path, isInstance: false });
        recorder.addName(part ?? node, [path], isPublic ? "re-export" : "import", false);
      }
    }
  }
  readTyped(root, names);
  const known = names.names().filter((name) => name !== "");
  const found = root.findAll({
    rule: {
      any: [{ kind: "identifier" }, { kind: "type_identifier" }],
      regex: `^(${known.map(escapePattern).join("|")})$`,
    },
  });
  let hasCratePath = false;
  for (const node of found.slice(0, MAX_REFERENCES)) {
    const parent = node.parent();
    if (parent === null || isInUse(node) || isMember(node, parent) || isDeclaration(node, parent)) continue;
    const binding = names.find(node.text(), node);
    if (binding === undefined) continue;
    const { top, members } = climb(node, binding.isInstance);
    const isCrate = crates.has(node.text()) && binding.path.length === 1;
    // A local variable can have the name of a crate; a path can't be one.
    if (members.length === 0 && (isCrate || binding.isInstance)) continue;
    if (isCrate) hasCratePath = true;
    const objectLength = binding.isInstance ? binding.path.length : 0;
    recorder.addUse(top, [[...binding.path, ...members]], { isTypeOnly: false, objectLength });
  }
  const uses = recorder.done();
  if (hasCratePath && uses.imports.length === 0) recorder.addImport(root, wanted.importNames[0] ?? "", false);
  return recorder.done();
}

/** `x: Foo`, `x: &Foo`, `let x = Foo::new(…)`. */
function readTyped(root: SyntaxNode, names: ScopedNames<Binding>): void {
  for (const node of root
    .findAll({ rule: { any: [{ kind: "parameter" }, { kind: "let_declaration" }] } })
    .slice(0, MAX_REFERENCES)) {
    const pattern = node.field("pattern");
    if (pattern?.kind() !== "identifier") continue;
    const value = node.field("value")?.text().slice(0, 300) ?? "";
    const written = (node.field("type")?.text() ?? "")
      .replace(/^&(?:'\w+\s+)?(?:mut\s+)?/, "")
      .replace(/<[^]*$/, "");
    const made = /^([\w:]{1,200}?)::(?:new|default|from|builder|with_\w+|from_\w+)\(/.exec(value)?.[1] ?? "";
    const [first = "", ...members] = (written === "" ? made : written).split("::");
    const binding = first === "" ? undefined : names.find(first, node);
    if (
      binding === undefined ||
      binding.isInstance ||
      !/^[A-Z]/.test(members.at(-1) ?? binding.path.at(-1) ?? "")
    )
      continue;
    const scope = scopeAround(node, SCOPES);
    names.declare(pattern.text(), scope, { path: [...binding.path, ...members], isInstance: true });
  }
}

function isInUse(node: SyntaxNode): boolean {
  let around = node.parent();
  for (let step = 0; step < 12 && around !== null; step++, around = around.parent()) {
    if (around.kind() === "use_declaration" || around.kind() === "extern_crate_declaration") return true;
    if (/statement|block|item$/.test(around.kind())) return false;
  }
  return false;
}

/** The name after `::` or a dot belongs to what is before it. */
function isMember(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (/^scoped_(?:type_)?identifier$/.test(parent.kind())) {
    const path = parent.field("path");
    return path !== null && path.range().start.index !== node.range().start.index;
  }
  const before = node.prev();
  return parent.kind() === "token_tree" && (before?.text() === "::" || before?.text() === ".");
}

function isDeclaration(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (/_item$|^parameter$|^let_declaration$|^field_declaration$|^enum_variant$/.test(parent.kind())) {
    const declared = parent.field("name") ?? parent.field("pattern");
    return declared?.range().start.index === node.range().start.index;
  }
  return false;
}

function climb(
  node: SyntaxNode,
  isInstance: boolean,
): { readonly top: SyntaxNode; readonly members: readonly string[] } {
  const members: string[] = [];
  let top = node;
  if (node.parent()?.kind() === "token_tree") {
    // Macros have tokens, not expressions.
    for (
      let next = node.next();
      members.length < MAX_MEMBERS && next?.text() === (isInstance ? "." : "::");
    ) {
      const name = next.next();
      if (name === null || !/^\w+$/.test(name.text())) break;
      members.push(name.text());
      next = name.next();
    }
    return { top, members };
  }
  for (let step = 0; step < MAX_MEMBERS; step++) {
    const parent = top.parent();
    const kind = parent?.kind() ?? "";
    const from = parent?.field(isInstance ? "value" : "path") ?? null;
    const isPath = isInstance ? kind === "field_expression" : /^scoped_(?:type_)?identifier$/.test(kind);
    if (parent === null || !isPath || from?.range().end.index !== top.range().end.index) break;
    members.push(parent.field(isInstance ? "field" : "name")?.text() ?? "");
    top = parent;
  }
  return { top, members };
}
