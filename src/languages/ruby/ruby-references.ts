/** Finds constructors and methods that a Ruby file calls on constants, and where a file changes what such a constant is. */
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

/** The error is wanted there, or the program looks first. */
const EXPECTS_ERROR = /\b(?:ArgumentError|NoMethodError|NameError|stub_const)\b|\b(?:respond_to|defined)\?/;

/** Calls that can give a class other methods. */
const CHANGES_CLASS =
  /^(?:(?:class|module|instance|singleton_class)_(?:eval|exec)|singleton_class|extend|include|prepend|(?:public_|__)?send_{0,2}|define_\w+|alias_method|undef_method|remove_method)$/;

const IS_MODULE = /^(?:class|module)$/;

const PATH = /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/;

export const readRubyReferences: ReferenceReader = (root, { path, text }, wanted) => {
  const isGuarded = EXPECTS_ERROR.test(text) || root.find({ rule: { kind: "ERROR" } }) !== null;
  const declares: string[] = [];
  const references = [...wanted].flatMap((name): readonly Reference[] => {
    const last = name.slice(name.lastIndexOf(":") + 1);
    const found = root.findAll({ rule: { kind: "constant", regex: `^${escapePattern(last)}$` } });
    const paths = found.slice(0, MAX_USES).map(wholePath);
    if (paths.some((node) => changesConstant(node, name))) declares.push(name);
    const uses = paths.flatMap((node) => (meansConstant(node, name) ? readUse(node) : []));
    if (uses.length === 0) return [];
    const fact = importFact(`::${name}`, root, { names: [{ name, as: name }] });
    return [{ fact, as: name, isGuarded, isShadowed: false, uses }];
  });
  return { path, package: null, declares, references };
};

/** `A::B` for the `B` in it. */
function wholePath(node: SyntaxNode): SyntaxNode {
  const parent = node.parent();
  return parent?.kind() === "scope_resolution" && isSamePlace(parent.field("name"), node) ? parent : node;
}

/** Declares it or reopens it, assigns it, or adds methods to it. */
function changesConstant(node: SyntaxNode, name: string): boolean {
  const parent = node.parent();
  switch (parent?.kind()) {
    case "class":
    case "module":
      return isSamePlace(parent.field("name"), node) && !(modulesTo(parent) === name && onlyNests(parent));
    case "assignment":
    case "operator_assignment":
      return isSamePlace(parent.field("left"), node);
    case "left_assignment_list":
    case "singleton_class":
      return true;
    case "singleton_method":
      return isSamePlace(parent.field("object"), node);
    case "call":
      return isReceiver(node, parent) && CHANGES_CLASS.test(parent.field("method")?.text() ?? "");
    default:
      return false;
  }
}

/** Ruby looks in the surrounding modules, from the innermost to the outermost. */
function meansConstant(node: SyntaxNode, name: string): boolean {
  const written = node.text();
  if (!PATH.test(written)) return false;
  if (written.startsWith("::")) return written === `::${name}`;
  const around = modulesAround(node);
  const scopes = around.map((_, index) => `${around.slice(0, index + 1).join("::")}::`);
  return ["", ...scopes].some((scope) => `${scope}${written}` === name);
}

/** The names of the classes and modules around, the outermost first. */
function modulesAround(node: SyntaxNode): readonly string[] {
  return node
    .ancestors()
    .filter((one) => IS_MODULE.test(one.kind()))
    .map((one) => one.field("name")?.text() ?? "")
    .toReversed();
}

function modulesTo(module: SyntaxNode): string {
  return [...modulesAround(module), module.field("name")?.text() ?? ""].join("::");
}

/** It is opened again for the classes and modules in it, so it has no other methods than before. */
function onlyNests(module: SyntaxNode): boolean {
  const inner = module.field("body")?.namedChildren() ?? [];
  return (
    module.field("superclass") === null &&
    inner.some((one) => IS_MODULE.test(one.kind())) &&
    inner.every((one) => one.kind() === "comment" || IS_MODULE.test(one.kind()))
  );
}

function isReceiver(node: SyntaxNode, call: SyntaxNode): boolean {
  return isSamePlace(call.field("receiver"), node);
}

function readUse(node: SyntaxNode): readonly NameUse[] {
  const call = node.parent();
  if (call?.kind() !== "call" || !isReceiver(node, call)) return [];
  const method = call.field("method")?.text() ?? "";
  // `A.b = 1` calls another method.
  if (method === "" || isSamePlace(call.parent()?.field("left") ?? null, call)) return [];
  const isNew = method === "new";
  return [useAt(node, isNew ? null : method, { ...argumentsOf(call), isNew })];
}

function argumentsOf(call: SyntaxNode): CallArguments {
  const keywords: string[] = [];
  let positional = 0;
  let isOpen = false;
  for (const one of call.field("arguments")?.namedChildren() ?? []) {
    const kind = one.kind();
    const key = kind === "pair" ? one.field("key") : null;
    if (key?.kind() === "hash_key_symbol") keywords.push(key.text());
    else if (kind === "pair" || /splat|forward/.test(kind)) isOpen = true;
    else if (!/^(?:comment|block_argument|heredoc_body)$/.test(kind)) positional++;
  }
  return { positional, keywords, isOpen, isNew: false, isHashOtherwise: true };
}
