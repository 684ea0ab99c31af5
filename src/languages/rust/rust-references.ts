/**
 * Finds what a Rust file uses of other files of its crate. The path of a file is its module, as long as nothing says otherwise: paths that
 * lead out of the crate, and into modules inside of a file, are left alone.
 */
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

/** The crate's folder and the path of the module in it: "core#shop::cart". */
export function rustModuleOf(path: string): string {
  const at = `/${path}`.lastIndexOf("/src/");
  // A file of tests or examples is a crate of its own.
  if (at === -1) return `${path}#`;
  const folder = path.slice(0, Math.max(0, at - 1));
  const rest = path.slice(at + "src/".length).replace(/\.rs$/, "");
  // Programs in `src/bin` are crates, too.
  if (rest.startsWith("bin/")) return `${path}#`;
  const parts = rest.replace(/(?:^|\/)(?:mod|lib|main)$/, "").split("/");
  return `${folder}#${parts.filter((part) => part !== "").join("::")}`;
}

/** Where a name gets another meaning. */
const BINDING =
  /^(?:let_declaration|parameter|closure_parameters|function_item|function_signature_item|const_item|static_item|struct_item|enum_item|type_item|mod_item|type_parameter|\w*_pattern|for_expression|macro_definition)$/;

type RustImport = {
  readonly node: SyntaxNode;
  /** The module, or the module and the name. */
  readonly segments: readonly string[];
  readonly as: string;
};

export const readRustReferences: ReferenceReader = (root, { path }, wanted) => {
  const module = rustModuleOf(path);
  const items = root.namedChildren();
  const children = new Set(items.flatMap((item) => (item.kind() === "mod_item" ? nameOfItem(item) : [])));
  const references: Reference[] = [];
  for (const { node, segments, as, kind } of readUseDeclarations(root)) {
    const isChild = children.has(segments[0] ?? "") && modulesAround(node).length === 0;
    const target = resolvePath(module, isChild ? ["self", ...segments] : segments, node);
    const name = segments.at(-1) ?? "";
    if (target === null) continue;
    const { isShadowed, uses, members } = readRustUses(root, as, wanted);
    if (wanted.has(name)) {
      const fact = importFact(target, node, { kind, names: [{ name, as }] });
      references.push({ fact, as, isGuarded: false, isShadowed, uses: [...uses, ...members] });
    }
    // The last part can be a module.
    if (members.length > 0)
      references.push({
        fact: importFact(target, node, { moduleAlias: as }),
        as,
        isGuarded: false,
        isShadowed,
        uses: members,
      });
  }
  for (const node of root.findAll({ rule: { kind: "scoped_identifier" } }).slice(0, MAX_USES)) {
    const segments = node.text().replaceAll(/\s/g, "").split("::");
    const name = segments.at(-1) ?? "";
    if (!wanted.has(name) || !/^(?:crate|self|super)$/.test(segments[0] ?? "") || isInUse(node)) continue;
    const target = resolvePath(module, segments.slice(0, -1), node);
    if (target === null) continue;
    const uses = [useAt(node, name, callOf(node))];
    references.push({
      fact: importFact(target, node, { moduleAlias: "" }),
      as: "",
      isGuarded: false,
      isShadowed: false,
      uses,
    });
  }
  const declared = new Set(items.flatMap((item) => [...nameOfItem(item), ...passedOnBy(item)]));
  const isOpen = items.some(declaresUnknown);
  return {
    path,
    package: module,
    declares: [...wanted].filter((name) => isOpen || declared.has(name)),
    references,
  };
};

function nameOfItem(item: SyntaxNode): readonly string[] {
  const name = item.field("name")?.text();
  return name === undefined ? [] : [name];
}

/** Names of a `pub use`. */
export function passedOnBy(item: SyntaxNode): readonly string[] {
  if (item.kind() !== "use_declaration") return [];
  return item.findAll({ rule: { kind: "identifier" } }).map((node) => node.text());
}

/** `pub use x::*`, and macros, which can declare anything. */
export function declaresUnknown(item: SyntaxNode): boolean {
  if (item.kind() === "use_declaration") return /^pub\b[^;]*\*/.test(item.text());
  return (
    item.kind() === "macro_invocation" ||
    (item.kind() === "expression_statement" && /!/.test(item.text().slice(0, 200)))
  );
}

/** Null for a path that leads out of the crate. */
function resolvePath(module: string, segments: readonly string[], node: SyntaxNode): string | null {
  const [folder = "", inside = ""] = module.split("#");
  const own = [...inside.split("::").filter((part) => part !== ""), ...modulesAround(node)];
  const [first = "", ...rest] = segments;
  if (first === "crate") return `${folder}#${rest.join("::")}`;
  let at = first === "self" || first === "super" ? own : null;
  let left = segments;
  if (first === "self") left = rest;
  while (at !== null && left[0] === "super") {
    if (at.length === 0) return null;
    at = at.slice(0, -1);
    left = left.slice(1);
  }
  return at === null || left.length === 0 ? null : `${folder}#${[...at, ...left].join("::")}`;
}

/** Code isn't nested more deeply. */
const MAX_DEPTH = 100;

/** The modules inside of the file that a node is in, outermost first. */
function modulesAround(node: SyntaxNode): readonly string[] {
  const names: string[] = [];
  let around = node.parent();
  for (let depth = 0; around !== null && depth < MAX_DEPTH; depth++, around = around.parent())
    if (around.kind() === "mod_item") names.unshift(around.field("name")?.text() ?? "");
  return names;
}

function isInUse(node: SyntaxNode): boolean {
  let around = node.parent();
  for (let depth = 0; around !== null && depth < MAX_DEPTH; depth++, around = around.parent())
    if (/^(?:use_declaration|visibility_modifier)$/.test(around.kind())) return true;
  return false;
}

function readUseDeclarations(
  root: SyntaxNode,
): readonly (RustImport & { readonly kind: "import" | "re-export" })[] {
  return root.findAll({ rule: { kind: "use_declaration" } }).flatMap((node) => {
    const kind = node.text().startsWith("pub") ? ("re-export" as const) : ("import" as const);
    return readUseTree(node.field("argument"), []).map((each) => ({ ...each, kind }));
  });
}

function readUseTree(tree: SyntaxNode | null, before: readonly string[]): readonly RustImport[] {
  if (tree === null) return [];
  const split = (node: SyntaxNode | null): readonly string[] =>
    (node?.text() ?? "").split("::").map((part) => part.trim());
  switch (tree.kind()) {
    case "identifier":
    case "scoped_identifier": {
      const segments = [...before, ...split(tree)];
      return [{ node: tree, segments, as: segments.at(-1) ?? "" }];
    }
    case "self":
    case "crate":
    case "super":
      // `use a::{self}`
      return before.length === 0 ? [] : [{ node: tree, segments: before, as: before.at(-1) ?? "" }];
    case "use_as_clause": {
      const path = tree.field("path");
      const as = tree.field("alias")?.text() ?? "_";
      return as === "_" ? [] : [{ node: tree, segments: [...before, ...split(path)], as }];
    }
    case "scoped_use_list": {
      const path = tree.field("path");
      const inner = path === null ? before : [...before, ...split(path)];
      return (tree.field("list")?.namedChildren() ?? []).flatMap((one) => readUseTree(one, inner));
    }
    case "use_list":
      return tree.namedChildren().flatMap((one) => readUseTree(one, before));
    default:
      return [];
  }
}

/** `uses`: of the name itself. `members`: `name::member`. */
function readRustUses(
  root: SyntaxNode,
  name: string,
  wanted: ReadonlySet<string>,
): { readonly isShadowed: boolean; readonly uses: readonly NameUse[]; readonly members: readonly NameUse[] } {
  const found = root.findAll({
    rule: {
      any: [{ kind: "identifier" }, { kind: "type_identifier" }],
      regex: `^${escapePattern(name)}$`,
    },
  });
  const uses: NameUse[] = [];
  const members: NameUse[] = [];
  let isShadowed = found.length > MAX_USES;
  for (const node of found.slice(0, MAX_USES)) {
    const parent = node.parent();
    if (parent === null || isInUse(node)) continue;
    if (
      BINDING.test(parent.kind()) &&
      !isSamePlace(parent.field("type"), node) &&
      !isSamePlace(parent.field("value"), node)
    ) {
      isShadowed = true;
      continue;
    }
    if (parent.kind() !== "scoped_identifier") {
      uses.push(useAt(node, null, callOf(node)));
      continue;
    }
    const member = isSamePlace(parent.field("path"), node) ? parent.field("name")?.text() : undefined;
    if (member !== undefined) members.push(useAt(parent, member, callOf(parent)));
  }
  return {
    isShadowed,
    uses,
    members: members.filter((use) => use.member !== null && (wanted.has(use.member) || wanted.has(name))),
  };
}

function callOf(callee: SyntaxNode): CallArguments | null {
  const generic = callee.parent()?.kind() === "generic_function" ? callee.parent() : null;
  const called = generic ?? callee;
  const call = called.parent();
  if (call?.kind() !== "call_expression" || !isSamePlace(call.field("function"), called)) return null;
  const args = (call.field("arguments")?.namedChildren() ?? []).filter(
    (one) => !/comment|attribute_item/.test(one.kind()),
  );
  return { positional: args.length, keywords: [], isOpen: false, isNew: false };
}
