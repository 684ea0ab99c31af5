/** Finds constructors and static methods that a C# file calls, of classes in namespaces that it uses. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, NameUse, Reference } from "../exports/export-change.ts";
import {
  importFact,
  isInside,
  isSamePlace,
  MAX_USES,
  type ReferenceReader,
  useAt,
} from "../exports/reference-reader.ts";

const NAMESPACES = ["namespace_declaration", "file_scoped_namespace_declaration"].map((kind) => ({ kind }));

/** Names that are the class's own, or that come after another name. */
const IN_ITS_TYPE = /^(?:constructor_declaration|destructor_declaration|enum_member_declaration)$/;

/** Of all levels, as written in full: `A` and `A.B` for a block in a block. */
export function namespacesIn(root: SyntaxNode): readonly string[] {
  return root.findAll({ rule: { any: NAMESPACES } }).map((node) =>
    [...node.ancestors().toReversed(), node]
      .filter((one) => one.kind().endsWith("namespace_declaration"))
      .map((one) => one.field("name")?.text() ?? "")
      .join("."),
  );
}

export const readCsharpReferences: ReferenceReader = (root, { path }, wanted) => {
  const directives = root.findAll({ rule: { kind: "using_directive" } });
  // Names from a directive within a namespace precede those of the namespaces around it.
  const isNested = directives.some((node) => node.parent()?.kind() !== "compilation_unit");
  const visible = visibleNamespaces(root, { directives, isNested });
  const declares: string[] = [];
  const references = [...wanted].flatMap((name): readonly Reference[] => {
    const found = root.findAll({ rule: { kind: "identifier", regex: `^${escapePattern(name)}$` } });
    if (found.some((node) => namesSomethingElse(node, name))) declares.push(name);
    const uses = found.slice(0, MAX_USES).flatMap(readUse);
    if (uses.length === 0) return [];
    const shared = { as: name, isGuarded: false, isShadowed: declares.includes(name), uses };
    const named = visible.map((namespace) => ({
      fact: importFact(`${namespace}.${name}`, root, { names: [{ name, as: name }] }),
      ...shared,
    }));
    return isNested ? named : [...named, { fact: null, ...shared }];
  });
  const globalUsings = directives.flatMap((node) =>
    isInside(node, /^preproc_/) ? [] : (/^global\s+using\s+([\w.]+)\s*;$/.exec(node.text())?.[1] ?? []),
  );
  return { path, package: null, declares, globalUsings, references };
};

/** A type, or a variable or member that isn't of the type of this name. */
function namesSomethingElse(node: SyntaxNode, name: string): boolean {
  const parent = node.parent();
  if (parent === null || IN_ITS_TYPE.test(parent.kind())) return false;
  const isAlias = parent.kind() === "using_directive" && /^(?:global\s+)?using\s+\w+\s*=/.test(parent.text());
  if (!isAlias && !isSamePlace(parent.field("name"), node) && !isSamePlace(parent.field("left"), node))
    return false;
  const kind = parent.kind();
  // `Other.Name`, and `name: value` in a call.
  if (
    /^(?:member_access_expression|qualified_name|alias_qualified_name|argument|member_binding_expression|assignment_expression|binary_expression|namespace_declaration|file_scoped_namespace_declaration|generic_name|attribute|is_expression|as_expression|name_colon|subpattern)$/.test(
      kind,
    )
  )
    return false;
  const owner = kind === "variable_declarator" ? parent.parent() : parent;
  return (owner?.field("type")?.text() ?? "").replace(/\?$/, "") !== name;
}

/** The file's own namespaces, those around them, and those that it uses. */
function visibleNamespaces(
  root: SyntaxNode,
  { directives, isNested }: { readonly directives: readonly SyntaxNode[]; readonly isNested: boolean },
): readonly string[] {
  const own = namespacesIn(root);
  const used = directives.flatMap(
    (node) => /^(?:global\s+)?using\s+([\w.]+)\s*;$/.exec(node.text())?.[1] ?? [],
  );
  const around = own.flatMap((name) => {
    const parts = name.split(".");
    return isNested ? [name] : parts.map((_, index) => parts.slice(0, index + 1).join("."));
  });
  return [...new Set([...used, ...around])];
}

function readUse(identifier: SyntaxNode): readonly NameUse[] {
  const outer = identifier.parent();
  const node = outer?.kind() === "generic_name" ? outer : identifier;
  const parent = node.parent();
  if (parent === null || isInside(node, /^preproc_/)) return [];
  if (parent.kind() === "object_creation_expression" && isSamePlace(parent.field("type"), node)) {
    const call = argumentsOf(parent);
    return call === null ? [] : [useAt(node, null, { ...call, isNew: true })];
  }
  if (parent.kind() !== "member_access_expression" || !isSamePlace(parent.field("expression"), node))
    return [];
  const member = (parent.field("name")?.text() ?? "").replace(/<[^]*$/, "");
  const call = parent.parent();
  const isCall = call?.kind() === "invocation_expression" && isSamePlace(call.field("function"), parent);
  return [useAt(node, member, isCall ? argumentsOf(call) : null)];
}

/** Null when the parser didn't understand a part of them. */
function argumentsOf(call: SyntaxNode): CallArguments | null {
  if (call.find({ rule: { kind: "ERROR" } }) !== null) return null;
  const args = (call.field("arguments")?.namedChildren() ?? []).filter((one) => one.kind() === "argument");
  const keywords = args.flatMap((one) => one.field("name")?.text() ?? []);
  return { positional: args.length - keywords.length, keywords, isOpen: false, isNew: false };
}
