/** Finds constructors and static methods that a PHP file calls, of classes that it imports or that are in its namespace. */
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

/** The error is wanted there. */
const EXPECTS_ERROR = /\bArgumentCountError\b/;

/** "" without one, and for a file with several. */
export function phpNamespaceOf(root: SyntaxNode): string {
  const found = root.namedChildren().filter((node) => node.kind() === "namespace_definition");
  return found.length === 1 ? (found[0]?.field("name")?.text() ?? "") : "";
}

export const readPhpReferences: ReferenceReader = (root, { path, text }, wanted) => {
  const inNamespace = phpNamespaceOf(root);
  const declares = declaredClasses(root).filter((name) => wanted.has(name));
  const imported = readImports(root);
  const isGuarded = EXPECTS_ERROR.test(text);
  const ofOthers = imported.flatMap(({ node, name, as, specifier }): readonly Reference[] => {
    if (!wanted.has(name)) return [];
    const fact = importFact(specifier, node, { names: [{ name, as }] });
    return [{ fact, as, isGuarded, isShadowed: false, uses: readUses(root, as) }];
  });
  const taken = new Set([...imported.map(({ as }) => as), ...declares]);
  const own = [...wanted].flatMap((as): readonly Reference[] => {
    const uses = taken.has(as) ? [] : readUses(root, as);
    return uses.length === 0 ? [] : [{ fact: null, as, isGuarded, isShadowed: false, uses }];
  });
  return { path, package: inNamespace, declares, references: [...ofOthers, ...own] };
};

function declaredClasses(root: SyntaxNode): readonly string[] {
  const kinds = ["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"];
  const found = root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
  return found.map((node) => node.field("name")?.text() ?? "");
}

type PhpImport = {
  readonly node: SyntaxNode;
  readonly specifier: string;
  readonly name: string;
  readonly as: string;
};

/** Of groups and functions, only the names are kept, so that nothing else in the file is taken for them. */
function readImports(root: SyntaxNode): readonly PhpImport[] {
  return root.findAll({ rule: { kind: "namespace_use_clause" } }).flatMap((node) => {
    const [, path = "", alias] = /^\\?([\w\\]+)(?:\s+as\s+(\w+))?$/i.exec(node.text().trim()) ?? [];
    const name = path.slice(path.lastIndexOf("\\") + 1);
    const statement = node.parent();
    const isPlain =
      statement?.kind() === "namespace_use_declaration" &&
      !/^use\s+(?:function|const)\b/i.test(statement.text());
    return name === "" ? [] : [{ node, specifier: isPlain ? path : "", name, as: alias ?? name }];
  });
}

function readUses(root: SyntaxNode, as: string): readonly NameUse[] {
  const found = root.findAll({ rule: { kind: "name", regex: `^${escapePattern(as)}$` } });
  return found.slice(0, MAX_USES).flatMap((node) => {
    const parent = node.parent();
    if (parent?.kind() === "object_creation_expression") {
      const list = parent.namedChildren().find((one) => one.kind() === "arguments");
      return [useAt(node, null, { ...argumentsOf(list ?? null), isNew: true })];
    }
    if (parent?.kind() !== "scoped_call_expression" || !isSamePlace(parent.field("scope"), node)) return [];
    const member = parent.field("name");
    const list = parent.field("arguments");
    return member?.kind() === "name" ? [useAt(node, member.text(), argumentsOf(list))] : [];
  });
}

function argumentsOf(list: SyntaxNode | null): CallArguments {
  const args = (list?.namedChildren() ?? []).filter((one) => one.kind() === "argument");
  const keywords = args.flatMap((one) => one.field("name")?.text() ?? []);
  // `f(...$all)`, and `f(...)`, which makes a function of it.
  const isOpen = /\.\.\./.test(list?.text() ?? "");
  return { positional: args.length - keywords.length, keywords, isOpen, isNew: false };
}
