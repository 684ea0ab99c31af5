/** Finds what a Go file uses of other packages, and of its own package without an import. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, NameUse, Reference } from "../exports/export-change.ts";
import { isTopLevelSpec } from "./go-module.ts";
import {
  importFact,
  isSamePlace,
  MAX_USES,
  type ReferenceReader,
  useAt,
} from "../exports/reference-reader.ts";

/** Files that no build includes. */
const IGNORED = /^\/\/ ?(?:go:build|\+build) ignore/m;

const DECLARING =
  /^(?:parameter_declaration|variadic_parameter_declaration|var_spec|const_spec|function_declaration|type_spec|type_alias|type_parameter_declaration)$/;

export const readGoReferences: ReferenceReader = (root, { path, text }, wanted) => {
  const clause = root.namedChildren().find((node) => node.kind() === "package_clause");
  const name = clause?.namedChildren()[0]?.text() ?? "";
  if (IGNORED.test(text.slice(0, 5_000))) return { path, package: name, declares: [], references: [] };
  const declared = readDeclared(root);
  const selected = Map.groupBy(readSelectors(root, wanted), ({ qualifier }) => qualifier);
  const imports = root.findAll({ rule: { kind: "import_spec" } });
  const references = imports.flatMap((node): readonly Reference[] => {
    const specifier = node.field("path")?.text().slice(1, -1) ?? "";
    const alias = node.field("name")?.text() ?? null;
    if (alias === "_" || alias === ".") return [];
    const fact = importFact(specifier, node, { moduleAlias: alias });
    // Without an alias, the package's own name counts, which only its files know.
    const qualifiers = alias === null ? [...selected.keys()] : [alias];
    return qualifiers.map((as) => ({
      fact,
      as,
      isGuarded: false,
      isShadowed: declared.local.has(as),
      uses: selected.get(as)?.map(({ use }) => use) ?? [],
    }));
  });
  const own = [...wanted].map((as): Reference => {
    const uses = readOwnUses(root, as);
    return { fact: null, as, isGuarded: false, isShadowed: declared.all.has(as), uses };
  });
  return {
    path,
    package: name,
    declares: [...wanted].filter((each) => declared.top.has(each)),
    references: [...references, ...own.filter(({ uses }) => uses.length > 0)],
  };
};

type Declared = {
  readonly top: ReadonlySet<string>;
  readonly local: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
};

function readDeclared(root: SyntaxNode): Declared {
  const top = new Set<string>();
  const local = new Set<string>();
  for (const node of root.findAll({ rule: { any: [{ kind: "identifier" }, { kind: "type_identifier" }] } })) {
    const parent = node.parent();
    const list = parent?.kind() === "expression_list" ? parent : null;
    const owner = list?.parent() ?? null;
    const isAssigned =
      list !== null &&
      ((/^(?:short_var_declaration|range_clause|receive_statement)$/.test(owner?.kind() ?? "") &&
        isSamePlace(owner?.field("left") ?? null, list)) ||
        // `switch err := err.(type)`
        isSamePlace(owner?.field("alias") ?? null, list));
    const isType = parent !== null && isSamePlace(parent.field("type"), node);
    const isValue = parent !== null && isSamePlace(parent.field("value"), node);
    if (isAssigned) local.add(node.text());
    else if (parent !== null && DECLARING.test(parent.kind()) && !isType && !isValue)
      (isTopLevel(parent) ? top : local).add(node.text());
  }
  return { top, local, all: new Set([...top, ...local, ...importedNames(root)]) };
}

/** Names of imports, as far as they say. The last part of a path is usually the package's name, also without "go-" and the version. */
function importedNames(root: SyntaxNode): readonly string[] {
  return root.findAll({ rule: { kind: "import_spec" } }).flatMap((node) => {
    const alias = node.field("name")?.text();
    if (alias !== undefined) return [alias];
    const parts = (node.field("path")?.text().slice(1, -1) ?? "").split("/");
    const last = /^v\d+$/.test(parts.at(-1) ?? "") ? (parts.at(-2) ?? "") : (parts.at(-1) ?? "");
    const plain = last.replace(/\.v\d+$/, "").replace(/^go-|[-.]go$/g, "");
    return [last, plain, ...plain.split(/[-.]/)];
  });
}

function isTopLevel(node: SyntaxNode): boolean {
  if (!/^(?:var_spec|const_spec|function_declaration|type_spec|type_alias)$/.test(node.kind())) return false;
  return isTopLevelSpec(node);
}

/** `pkg.Name` as a value or as a type. */
function readSelectors(
  root: SyntaxNode,
  wanted: ReadonlySet<string>,
): readonly { readonly qualifier: string; readonly use: NameUse }[] {
  const nodes = root.findAll({
    rule: { any: [{ kind: "selector_expression" }, { kind: "qualified_type" }] },
  });
  return nodes.flatMap((node) => {
    const [object, name] = node.namedChildren();
    if (object === undefined || name === undefined || !wanted.has(name.text())) return [];
    if (!/^(?:package_)?identifier$/.test(object.kind())) return [];
    return [{ qualifier: object.text(), use: useAt(node, name.text(), callOf(node)) }];
  });
}

/** A bare name that is a key can be a field of a struct. */
function readOwnUses(root: SyntaxNode, name: string): readonly NameUse[] {
  const nodes = root.findAll({
    rule: { any: [{ kind: "identifier" }, { kind: "type_identifier" }], regex: `^${name}$` },
  });
  return nodes.slice(0, MAX_USES).flatMap((node) => {
    const parent = node.parent();
    const element = parent?.kind() === "literal_element" ? parent.parent() : null;
    const isKey =
      element?.kind() === "keyed_element" && isSamePlace(element.namedChildren()[0] ?? null, node);
    const isOther = parent?.kind() === "qualified_type";
    return isKey || isOther ? [] : [useAt(node, null, callOf(node))];
  });
}

function callOf(callee: SyntaxNode): CallArguments | null {
  const call = callee.parent();
  if (call?.kind() !== "call_expression" || !isSamePlace(call.field("function"), callee)) return null;
  const args = (call.field("arguments")?.namedChildren() ?? []).filter((one) => one.kind() !== "comment");
  const [only, ...others] = args;
  // `f(g())` passes all results of g.
  const isSpread = only?.kind() === "call_expression" && others.length === 0;
  const isOpen = isSpread || args.some((one) => one.kind() === "variadic_argument");
  return { positional: args.length, keywords: [], isOpen, isNew: false };
}
