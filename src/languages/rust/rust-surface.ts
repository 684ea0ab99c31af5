/**
 * Reads the API of a Rust crate: public items by module path, and what `pub use` brings. It's an approximation: macros aren't expanded,
 * and every `cfg` counts as enabled.
 */
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

/** Modules within modules, and re-exports of re-exports. */
const MAX_DEPTH = 20;

type RustModule = {
  /** "crate::a::b". */
  readonly path: string;
  isPublic: boolean;
  readonly items: Map<string, { readonly declaration: SourceDeclaration; readonly isPublic: boolean }>;
  readonly children: Map<string, RustModule>;
  /** `pub use`: the local name ("*" for all) and the path. */
  readonly uses: { readonly name: string; readonly path: readonly string[] }[];
  isOpen: boolean;
};

type Crate = {
  readonly files: PackageSource;
  readonly builder: SurfaceBuilder;
  readonly root: RustModule;
  readonly macros: string[];
  /** Members from `impl` blocks, by the simple name of the type. */
  readonly impls: Map<string, SourceDeclaration["members"][number][]>;
};

export function readRustSurface(files: PackageSource, name: string, syntax: Syntax): ApiSurface {
  const builder = createSurfaceBuilder(files, "rust", syntax);
  const crateName = rustCrateName(files, name);
  const path =
    /^\s*\[lib\][^[]*?^\s*path\s*=\s*"([^"]+)"/ms.exec(
      (files.get("Cargo.toml") ?? "").slice(0, 100_000),
    )?.[1] ?? "src/lib.rs";
  const crate: Crate = { files, builder, root: createModule(crateName, true), macros: [], impls: new Map() };
  if (!files.has(path)) {
    builder.note("no-source", path);
    return builder.done();
  }
  readFile(path, crate.root, crate, 0);
  addModule(crate.root, crate, 0);
  for (const macro of crate.macros)
    builder.add(crateName, { name: macro, declared: declaredAs("function"), members: [], bases: [] });
  return builder.done();
}

export function rustCrateName(files: PackageSource, name: string): string {
  const lib = /^\s*\[lib\]([^[]*)/m.exec((files.get("Cargo.toml") ?? "").slice(0, 100_000))?.[1] ?? "";
  return (/^\s*name\s*=\s*"([^"]+)"/m.exec(lib)?.[1] ?? name).replaceAll("-", "_");
}

function createModule(path: string, isPublic: boolean): RustModule {
  return { path, isPublic, items: new Map(), children: new Map(), uses: [], isOpen: false };
}

function readFile(path: string, module: RustModule, crate: Crate, depth: number): void {
  const root = crate.builder.parse(path);
  if (root === null) module.isOpen = true;
  else readItems(root, module, { crate, path, depth });
}

type At = { readonly crate: Crate; readonly path: string; readonly depth: number };

function isPublicItem(node: SyntaxNode): boolean {
  return node.namedChildren().some((one) => one.kind() === "visibility_modifier" && one.text() === "pub");
}

function readItems(block: SyntaxNode, module: RustModule, at: At): void {
  let attributes = "";
  for (const node of block.namedChildren()) {
    const kind = node.kind();
    if (kind === "attribute_item") {
      attributes += node.text();
      continue;
    }
    if (kind.includes("comment")) continue;
    const isHidden = /\bdoc\s*\(\s*hidden\b|\bcfg\s*\(\s*test\s*\)/.test(attributes);
    if (kind === "macro_definition") {
      const name = node.field("name")?.text();
      if (/macro_export/.test(attributes) && !isHidden && name !== undefined) at.crate.macros.push(name);
    } else if (kind === "mod_item") {
      if (!/\bcfg\s*\(\s*test\s*\)/.test(attributes)) readModule(node, module, { ...at, attributes });
    } else if (kind === "use_declaration") {
      if (isPublicItem(node)) readUse(node.field("argument"), [], module.uses, 0);
    } else if (kind === "impl_item") readImpl(node, at.crate);
    // A macro can declare anything.
    else if (/macro_invocation|expression_statement/.test(kind))
      module.isOpen ||= /\bpub\b/.test(node.text().slice(0, 50_000));
    else if (!isHidden) readItem(node, module);
    attributes = "";
  }
}

function readModule(node: SyntaxNode, module: RustModule, at: At & { readonly attributes: string }): void {
  const name = node.field("name")?.text();
  if (name === undefined || at.depth > MAX_DEPTH) return;
  const child = module.children.get(name) ?? createModule(`${module.path}::${name}`, false);
  child.isPublic ||= isPublicItem(node);
  module.children.set(name, child);
  const body = node.field("body");
  if (body !== null) return readItems(body, child, { ...at, depth: at.depth + 1 });
  const folder = at.path.slice(0, at.path.lastIndexOf("/"));
  const isRoot = /\/(?:lib|mod|main)\.rs$/.test(at.path);
  const around = isRoot ? folder : at.path.slice(0, -".rs".length);
  const given = /#\[path\s*=\s*"([^"]+)"/.exec(at.attributes)?.[1];
  const candidates =
    given === undefined ? [`${around}/${name}.rs`, `${around}/${name}/mod.rs`] : [`${folder}/${given}`];
  const found = candidates.find((path) => at.crate.files.has(path));
  if (found !== undefined) return readFile(found, child, at.crate, at.depth + 1);
  child.isOpen = true;
  if (child.isPublic) at.crate.builder.note("missing-file", child.path);
}

/** Flattens `a::{b, c as d, e::*}`. */
export function readUse(
  node: SyntaxNode | null,
  prefix: readonly string[],
  out: { readonly name: string; readonly path: readonly string[]; readonly node?: SyntaxNode }[],
  depth: number,
): void {
  if (node === null || depth > MAX_DEPTH || out.length > 5_000) return;
  const split = (text: string): readonly string[] =>
    text
      .replaceAll(/\s/g, "")
      .split("::")
      .filter((part) => part !== "");
  switch (node.kind()) {
    case "scoped_use_list": {
      const path = [...prefix, ...split(node.field("path")?.text() ?? "")];
      return readUse(node.field("list"), path, out, depth + 1);
    }
    case "use_list":
      for (const one of node.namedChildren()) readUse(one, prefix, out, depth + 1);
      return;
    case "use_wildcard":
      out.push({ name: "*", path: [...prefix, ...split(node.namedChildren()[0]?.text() ?? "")], node });
      return;
    case "use_as_clause":
      out.push({
        name: node.field("alias")?.text() ?? "",
        path: [...prefix, ...split(node.field("path")?.text() ?? "")],
        node,
      });
      return;
    case "self":
      out.push({ name: prefix.at(-1) ?? "", path: prefix, node });
      return;
    default: {
      const path = [...prefix, ...split(node.text())];
      out.push({ name: path.at(-1) ?? "", path, node });
    }
  }
}

function readImpl(node: SyntaxNode, crate: Crate): void {
  const type = simpleType(node.field("type")?.text() ?? "");
  if (type === "") return;
  const isTrait = node.field("trait") !== null;
  const members = crate.impls.get(type) ?? [];
  for (const one of node.field("body")?.namedChildren() ?? []) {
    const name = one.field("name")?.text() ?? "";
    if (name === "" || members.length > 5_000 || (!isTrait && !isPublicItem(one))) continue;
    const declared = one.kind() === "function_item" ? describe(one) : declaredAs("variable");
    // A method of a trait can be called, but belongs to the trait.
    members.push({ name, declared: isTrait ? { ...declared, isIncidental: true } : declared });
  }
  crate.impls.set(type, members);
}

function simpleType(text: string): string {
  const plain = text
    .replace(/<[^]*$/, "")
    .replaceAll(/\s/g, "")
    .replace(/^&(?:mut)?/, "");
  return plain.split("::").at(-1) ?? "";
}

function readItem(node: SyntaxNode, module: RustModule): void {
  const name = node.field("name")?.text();
  if (name === undefined) return;
  const declaration = describeItem(node, name);
  if (declaration !== null) module.items.set(name, { declaration, isPublic: isPublicItem(node) });
}

function describeItem(node: SyntaxNode, name: string): SourceDeclaration | null {
  const none = { name, members: [], bases: [] };
  switch (node.kind()) {
    case "function_item":
      return { ...none, declared: describe(node) };
    case "const_item":
    case "static_item":
      return {
        ...none,
        declared: declaredAs("variable", { text: normalizeCode(node.field("type")?.text() ?? "") }),
      };
    case "type_item":
      return {
        ...none,
        declared: declaredAs("type", {
          text: `=${normalizeCode(node.field("type")?.text() ?? "")}`,
          hasUnknownMembers: true,
        }),
      };
    case "struct_item":
    case "union_item": {
      const fields = (node.field("body")?.namedChildren() ?? []).filter(
        (one) => one.kind() === "field_declaration" && isPublicItem(one),
      );
      const members = fields.map((one) => ({
        name: one.field("name")?.text() ?? "",
        declared: declaredAs("variable", { text: normalizeCode(one.field("type")?.text() ?? "") }),
      }));
      return { ...none, declared: declaredAs("class", { text: "" }), members };
    }
    case "enum_item": {
      const variants = (node.field("body")?.namedChildren() ?? []).filter(
        (one) => one.kind() === "enum_variant",
      );
      const members = variants.map((one) => ({
        name: one.field("name")?.text() ?? "",
        declared: declaredAs("variable", { text: normalizeCode(one.field("body")?.text() ?? "") }),
      }));
      return { ...none, declared: declaredAs("enum", { text: "" }), members };
    }
    case "trait_item": {
      const parts = (node.field("body")?.namedChildren() ?? []).filter((one) => one.field("name") !== null);
      const members = parts.map((one) => ({
        name: one.field("name")?.text() ?? "",
        declared: /function/.test(one.kind()) ? describe(one) : declaredAs("variable"),
      }));
      return { ...none, declared: declaredAs("interface", { text: "" }), members };
    }
    default:
      return null;
  }
}

function describe(node: SyntaxNode): Declared {
  const parameters = (node.field("parameters")?.namedChildren() ?? []).flatMap(
    (one): readonly CallParameter[] =>
      one.kind() === "parameter"
        ? [{ name: "", type: typeText(one.field("type")), isOptional: false, isRest: false }]
        : one.kind() === "self_parameter"
          ? [{ name: "", type: "self", isOptional: false, isRest: false }]
          : [],
  );
  const callable: Callable = { parameters, returns: typeText(node.field("return_type")) || "()" };
  return declaredAs("function", {
    calls: [callable],
    text: `(${parameters.map(({ type }) => type).join(",")})${callable.returns}`,
  });
}

/** Lifetimes and the path of a type don't count. */
function typeText(node: SyntaxNode | null): string {
  if (node === null) return "";
  const text = node.text().replaceAll(/'\w+\b(?!')\s*,?/g, "");
  return normalizeCode(text)
    .replaceAll("<>", "")
    .replaceAll(/\b(?:[a-z_]\w*::)+(?=[A-Z])/g, "");
}

function addModule(module: RustModule, crate: Crate, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const { builder } = crate;
  builder.touch(module.path);
  for (const [name, { declaration, isPublic }] of module.items)
    if (isPublic) addItem(module.path, name, declaration, crate);
  const visible = new Set<RustModule>([module]);
  const isOpen = addUses(module, module.path, { crate, visible, depth: 0 });
  if (module.isOpen || isOpen) {
    builder.open(module.path);
    builder.note(module.isOpen ? "computed" : "other-package", module.path);
  }
  for (const child of module.children.values()) if (child.isPublic) addModule(child, crate, depth + 1);
}

function addItem(entry: string, name: string, declaration: SourceDeclaration | null, crate: Crate): void {
  const found = declaration ?? {
    name,
    declared: declaredAs("unknown", { hasUnknownMembers: true }),
    members: [],
    bases: [],
  };
  const impls = declaration === null ? [] : (crate.impls.get(declaration.name) ?? []);
  crate.builder.add(entry, { ...found, name, members: [...found.members, ...impls] });
}

/** Adds what `pub use` brings to an entry. Returns true when some of it can't be known. */
function addUses(
  module: RustModule,
  entry: string,
  at: { readonly crate: Crate; readonly visible: Set<RustModule>; readonly depth: number },
): boolean {
  let isOpen = false;
  for (const { name, path } of module.uses) {
    if (name === "_") continue;
    const target = resolveModule(module, name === "*" ? path : path.slice(0, -1), at.crate);
    if (name === "*") {
      if (target === null) isOpen = true;
      else if (!at.visible.has(target) && at.depth < MAX_DEPTH) {
        at.visible.add(target);
        isOpen ||= target.isOpen;
        for (const [item, { declaration, isPublic }] of target.items)
          if (isPublic) addItem(entry, item, declaration, at.crate);
        for (const [child, inner] of target.children)
          if (inner.isPublic) exportModule(entry, child, inner, at.crate);
        isOpen = addUses(target, entry, { ...at, depth: at.depth + 1 }) || isOpen;
      }
      continue;
    }
    const last = path.at(-1) ?? "";
    const child = target?.children.get(last);
    if (child !== undefined) exportModule(entry, name, child, at.crate);
    addItem(entry, name, target === null ? null : findItem(target, last, at.crate, 0), at.crate);
  }
  return isOpen;
}

/** A private module under a public name. */
function exportModule(entry: string, name: string, module: RustModule, crate: Crate): void {
  const path = `${entry}::${name}`;
  if (path === module.path || path.split("::").length > 8) return;
  crate.builder.touch(path);
  for (const [item, { declaration, isPublic }] of module.items)
    if (isPublic) addItem(path, item, declaration, crate);
  if (module.isOpen || module.uses.length > 0) crate.builder.open(path);
}

function findItem(module: RustModule, name: string, crate: Crate, depth: number): SourceDeclaration | null {
  const own = module.items.get(name);
  if (own !== undefined) return own.declaration;
  if (depth > MAX_DEPTH) return null;
  for (const use of module.uses) {
    if (use.name !== name && use.name !== "*") continue;
    const target = resolveModule(module, use.name === "*" ? use.path : use.path.slice(0, -1), crate);
    const found =
      target === null || target === module
        ? null
        : findItem(target, use.name === "*" ? name : (use.path.at(-1) ?? ""), crate, depth + 4);
    if (found !== null) return found;
  }
  return null;
}

/** The module that a path names from within another; null when it's outside the crate. */
function resolveModule(from: RustModule, path: readonly string[], crate: Crate): RustModule | null {
  const [first, ...rest] = path;
  let at: RustModule | null = from;
  let parts = path;
  if (first === "crate" || first === "$crate") [at, parts] = [crate.root, rest];
  else if (first === "self") parts = rest;
  else if (first === "super") [at, parts] = [parentOf(from, crate), rest];
  else if (first !== undefined && !from.children.has(first))
    return crate.root.children.has(first) && from === crate.root ? crate.root : null;
  for (const part of parts) {
    if (at === null) return null;
    at = part === "super" ? parentOf(at, crate) : (at.children.get(part) ?? null);
  }
  return at;
}

function parentOf(module: RustModule, crate: Crate): RustModule | null {
  let at: RustModule | null = crate.root;
  for (const part of module.path.split("::").slice(1, -1)) at = at?.children.get(part) ?? null;
  return at;
}
