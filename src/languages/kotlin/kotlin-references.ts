/** Finds what a Kotlin file calls of other files: top-level functions, constructors, and functions of objects and companions. */
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
import { kotlinChild, kotlinNameNode, kotlinName } from "./kotlin-outline.ts";

type Import = { readonly node: SyntaxNode; readonly specifier: string; readonly as: string };

export function kotlinPackageOf(root: SyntaxNode): string {
  const clause = kotlinChild(root, "package_header");
  return clause === null ? "" : dottedIn(clause);
}

export const readKotlinReferences: ReferenceReader = (root, { path, text }, wanted) => {
  const inPackage = kotlinPackageOf(root);
  const isWhole = root.find({ rule: { kind: "ERROR" } }) === null;
  const imports = readImports(root);
  const stars = imports.filter(({ as }) => as === "*").map(({ specifier }) => specifier);
  const declares: string[] = [];
  const references = [...wanted].flatMap((name): readonly Reference[] => {
    const found = new Set(namesIn(root, name).map(declarationBy));
    if (found.has("shared") || (!isWhole && mayDeclare(text, name))) declares.push(name);
    declares.push(...extensionsOf(root, name));
    // Build scripts aren't part of the program.
    if (path.endsWith(".kts")) return [];
    const isShadowed = found.has("local");
    const explicit = imports.filter((one) => one.specifier.endsWith(`.${name}`));
    const [only] = explicit;
    if (only !== undefined) {
      const { as, node, specifier } = only;
      const isOwn = explicit.length === 1 && imports.filter((one) => one.as === as).length === 1;
      if (!isOwn) return [];
      const uses = isWhole ? [...readUses(root, as), ...readUsesOnValues(root, as)] : [];
      const fact = importFact(specifier, node, { names: [{ name, as }] });
      return [{ fact, as, isGuarded: false, isShadowed, uses }];
    }
    const uses = isWhole && !imports.some(({ as }) => as === name) ? readUses(root, name) : [];
    const [first] = namesIn(root, name);
    if (uses.length === 0 || first === undefined) return [];
    const mayBeOther = stars.some((one) => !isRelated(one, inPackage));
    const shared = { as: name, isGuarded: false, isShadowed, mayBeOther, uses };
    const named = stars.map((star) => ({
      fact: importFact(`${star}.${name}`, first, { names: [{ name, as: name }] }),
      ...shared,
    }));
    return [...named, { fact: null, ...shared }];
  });
  return { path, package: inPackage, declares, references };
};

/** The receiver's type of a function, as written; null without one. */
export function receiverOf(declaration: SyntaxNode): string | null {
  const name = kotlinNameNode(declaration);
  const dot = name?.prev() ?? null;
  return dot?.text() === "." ? (dot.prev()?.text() ?? null) : null;
}

function dottedIn(node: SyntaxNode): string {
  return (kotlinChild(node, "identifier")?.text() ?? "").replaceAll(/[\s`]/g, "");
}

function readImports(root: SyntaxNode): readonly Import[] {
  return root.findAll({ rule: { kind: "import_header" } }).map((node) => {
    const specifier = dottedIn(node);
    const alias = kotlinChild(node, "import_alias");
    const last = specifier.slice(specifier.lastIndexOf(".") + 1);
    const isAll = kotlinChild(node, "wildcard_import") !== null;
    return { node, specifier, as: isAll ? "*" : alias === null ? last : kotlinName(alias) };
  });
}

/** Of one project, as far as the names say. */
function isRelated(one: string, other: string): boolean {
  const start = (name: string): string => name.split(".").slice(0, 2).join(".");
  return start(one) === start(other);
}

function namesIn(root: SyntaxNode, name: string): readonly SyntaxNode[] {
  const regex = `^\x60?${escapePattern(name)}\x60?$`;
  return root.findAll({
    rule: { any: ["simple_identifier", "type_identifier"].map((kind) => ({ kind, regex })) },
  });
}

const SHARED = /^(?:class_declaration|object_declaration|companion_object|function_declaration|type_alias)$/;
const LOCAL = /^(?:parameter|class_parameter|variable_declaration|type_parameter|catch_block)$/;

/** "shared": other files may mean it. "local": only this one. */
function declarationBy(identifier: SyntaxNode): "shared" | "local" | null {
  const parent = identifier.parent();
  if (parent === null || !isSamePlace(kotlinNameNode(parent), identifier)) return null;
  const kind = parent.kind();
  if (SHARED.test(kind)) return "shared";
  if (!LOCAL.test(kind)) return null;
  const isProperty =
    kind === "class_parameter"
      ? kotlinChild(parent, "binding_pattern_kind") !== null
      : parent.parent()?.kind() === "property_declaration" &&
        parent.parent()?.parent()?.kind() !== "statements";
  return isProperty ? "shared" : "local";
}

/** The parser didn't understand a part of the file, so its words decide. */
function mayDeclare(text: string, name: string): boolean {
  const own = `\x60?${escapePattern(name)}\\b`;
  return [
    String.raw`\b(?:class|interface|object|typealias)\s+${own}`,
    String.raw`\bva[lr]\s+(?:[^=(){}\n]{1,200}[.>]\s*)?${own}`,
    String.raw`\bfun\b[^={}(]{0,200}?[\s.>]${own}`,
  ].some((pattern) => new RegExp(pattern).test(text));
}

/** `Name.function` for each function that the file adds to `Name` or its companion. */
function extensionsOf(root: SyntaxNode, name: string): readonly string[] {
  return namesIn(root, name).flatMap((node) => {
    const around = node
      .ancestors()
      .find((one) => /^(?:function_declaration|function_body)$/.test(one.kind()));
    if (around?.kind() !== "function_declaration") return [];
    const receiver = receiverOf(around)
      ?.replace(/[<?][^]*$/, "")
      .replace(/\.Companion$/, "");
    return receiver === name ? [`${name}.${kotlinName(around)}`] : [];
  });
}

function readUses(root: SyntaxNode, as: string): readonly NameUse[] {
  return namesIn(root, as).slice(0, MAX_USES).flatMap(readUse);
}

function readUse(identifier: SyntaxNode): readonly NameUse[] {
  const parent = identifier.parent();
  if (parent === null) return [];
  if (parent.kind() === "user_type") {
    if (
      parent.namedChildren().some((one) => one.kind() === "type_identifier" && !isSamePlace(one, identifier))
    )
      return [];
    const made = parent.parent();
    const isMade = made?.kind() === "constructor_invocation";
    return [useAt(identifier, null, isMade ? argumentsOf([kotlinChild(made, "value_arguments")]) : null)];
  }
  if (parent.kind() === "callable_reference") return [useAt(identifier, null, null)];
  if (isCalled(identifier)) return [useAt(identifier, null, callOf(identifier))];
  if (parent.kind() !== "navigation_expression" || !isFirst(identifier)) return [];
  const member = memberOf(parent);
  const outer = parent.parent();
  const whole =
    member === "Companion" && outer?.kind() === "navigation_expression" && isFirst(parent) ? outer : parent;
  return [useAt(identifier, memberOf(whole), isCalled(whole) ? callOf(whole) : null)];
}

/** `value.name(…)`: a call of an extension, or of a function that the value has. */
function readUsesOnValues(root: SyntaxNode, as: string): readonly NameUse[] {
  return namesIn(root, as)
    .slice(0, MAX_USES)
    .flatMap((identifier) => {
      const suffix = identifier.parent();
      const navigation = suffix?.parent() ?? null;
      if (suffix?.kind() !== "navigation_suffix" || navigation === null) return [];
      const call = isCalled(navigation) ? callOf(navigation) : null;
      return [{ ...useAt(identifier, null, call), isInstance: true }];
    });
}

function isFirst(node: SyntaxNode): boolean {
  return isSamePlace(node.parent()?.namedChildren()[0] ?? null, node);
}

function isCalled(node: SyntaxNode): boolean {
  return node.parent()?.kind() === "call_expression" && isFirst(node);
}

/** Of `first.name`; null for `first?.name`. */
function memberOf(navigation: SyntaxNode): string | null {
  const suffix = kotlinChild(navigation, "navigation_suffix");
  return suffix?.children()[0]?.text() === "." ? kotlinName(suffix) : null;
}

/** Arguments in parentheses, and lambdas after them, which the parser takes for another call. */
function callOf(called: SyntaxNode): CallArguments | null {
  const inner = called.parent();
  if (inner === null) return null;
  const suffixes = [kotlinChild(inner, "call_suffix")];
  const outer = inner.parent();
  if (outer?.kind() === "call_expression" && isFirst(inner)) {
    const next = kotlinChild(outer, "call_suffix");
    if (next !== null && kotlinChild(next, "value_arguments") === null) suffixes.push(next);
  }
  return argumentsOf(suffixes.flatMap((one) => one?.namedChildren() ?? []));
}

function argumentsOf(parts: readonly (SyntaxNode | null)[]): CallArguments {
  const keywords: string[] = [];
  let positional = 0;
  let isOpen = false;
  const args = parts
    .flatMap((one) => (one?.kind() === "value_arguments" ? one.namedChildren() : []))
    .filter((one) => one.kind() === "value_argument");
  for (const argument of args) {
    const isNamed = argument.children()[1]?.text() === "=";
    if (isNamed) keywords.push(kotlinName(argument));
    else positional++;
    // A name can be at its place in order, with arguments without names after it.
    if (kotlinChild(argument, "spread_expression") !== null || (!isNamed && keywords.length > 0))
      isOpen = true;
  }
  const hasBlock = parts.some((one) => one?.kind() === "annotated_lambda");
  return { positional, keywords, isOpen, isNew: false, ...(hasBlock ? { hasBlock } : {}) };
}
