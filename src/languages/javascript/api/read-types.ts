/** Reads the parts of a TypeScript or JavaScript declaration: parameters, members, base types. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { normalizeCode } from "../../api/normalize-code.ts";
import type { Callable, CallParameter } from "../../api/surface.ts";
import type { ModuleMember } from "./module.ts";

/** More members than any class has. */
const MAX_MEMBERS = 2_000;

/** `isTyped` is false for JavaScript: its parameters aren't compared. */
export function readCallable(node: SyntaxNode, options: { readonly isTyped: boolean }): Callable | null {
  const list = node.field("parameters");
  if (!options.isTyped || list === null) return null;
  const generics = typeParametersOf(node);
  const parameters = list.namedChildren().flatMap((one) => readParameter(one, generics) ?? []);
  return { parameters, returns: typeText(node.field("return_type"), generics) };
}

function readParameter(node: SyntaxNode, generics: readonly string[]): CallParameter | null {
  const kind = node.kind();
  if (kind !== "required_parameter" && kind !== "optional_parameter") return null;
  const pattern = node.field("pattern");
  if (pattern?.kind() === "this") return null;
  return {
    name: "",
    type: typeText(node.field("type"), generics),
    isOptional: kind === "optional_parameter" || node.field("value") !== null,
    isRest: pattern?.kind() === "rest_pattern",
  };
}

function typeParametersOf(node: SyntaxNode): readonly string[] {
  const list = node.field("type_parameters");
  return (list?.namedChildren() ?? []).flatMap((one) => one.field("name")?.text() ?? []);
}

/** The names of type parameters don't count: `<T>(a: T)` is `<U>(a: U)`. */
export function typeText(node: SyntaxNode | null, generics: readonly string[]): string {
  if (node === null) return "";
  let text = node.text();
  if (generics.length > 0) {
    const at = new Map(generics.map((name, index) => [name, `$${index}`]));
    text = text.replace(/[A-Za-z_$][\w$]*/g, (word) => at.get(word) ?? word);
  }
  // The qualifier of a type says where its declaration is, not what it is: `axios.Config` is `Config`.
  const plain = normalizeCode(text)
    .replace(/^:/, "")
    .replace(/(?<![\w$.])[A-Za-z_$][\w$]*\.(?=[A-Z])/g, "");
  // This reader doesn't compute these types.
  return /\b(?:Parameters|ReturnType)</.test(plain) ? "" : plain;
}

export type Members = {
  readonly members: readonly ModuleMember[];
  /** Constructors, or the call signatures of an interface. */
  readonly calls: readonly Callable[];
  readonly hasUnknown: boolean;
};

const MEMBER_KINDS = new Set([
  "method_signature",
  "abstract_method_signature",
  "method_definition",
  "property_signature",
  "public_field_definition",
  "field_definition",
]);

/** Members of a class body, an interface body or an object type. Private ones aren't part of the API. */
export function readMembers(body: SyntaxNode | null, options: { readonly isTyped: boolean }): Members {
  const members: ModuleMember[] = [];
  const calls: Callable[] = [];
  let hasUnknown = false;
  const children = body?.namedChildren() ?? [];
  if (children.length > MAX_MEMBERS) hasUnknown = true;
  for (const node of children.slice(0, MAX_MEMBERS)) {
    const kind = node.kind();
    if (kind === "call_signature" || kind === "construct_signature") {
      const callable = readCallable(node, options);
      if (callable !== null) calls.push(callable);
    } else if (kind === "ERROR" || kind === "index_signature" || kind === "mapped_type_clause")
      hasUnknown = true;
    else if (MEMBER_KINDS.has(kind)) {
      const name = memberName(node);
      if (name === null) hasUnknown ||= node.field("name")?.kind() === "computed_property_name";
      else if (name === "constructor") {
        const callable = readCallable(node, options);
        if (callable !== null) calls.push(callable);
      } else members.push(readMember(node, name, options));
    }
  }
  return { members, calls, hasUnknown };
}

function readMember(node: SyntaxNode, name: string, options: { readonly isTyped: boolean }): ModuleMember {
  const callable = readCallable(node, options);
  if (callable !== null) return { name, calls: [callable], text: signatureText(node, name) };
  const annotation = node.field("type");
  const inner = annotation?.namedChildren()[0];
  const functionType = inner?.kind() === "function_type" ? readCallable(inner, options) : null;
  if (functionType !== null) return { name, calls: [functionType], text: typeText(annotation, []) };
  return { name, calls: [], text: annotation === null ? null : typeText(annotation, []) };
}

/** The declaration after the name. */
export function signatureText(node: SyntaxNode, name: string): string {
  const text = node.text();
  const at = text.indexOf(name);
  return normalizeCode(at < 0 ? text : text.slice(at + name.length));
}

function memberName(node: SyntaxNode): string | null {
  const name = node.field("name") ?? node.field("property");
  if (name === null || name.kind() === "computed_property_name") return null;
  if (name.kind() === "private_property_identifier") return null;
  const modifier = node.children().find((child) => child.kind() === "accessibility_modifier");
  if (modifier?.text() === "private") return null;
  const text = name.kind() === "string" ? name.text().slice(1, -1) : name.text();
  // An underscore marks what isn't part of the API.
  return text.startsWith("_") || text === "" ? null : text;
}

/** Dotted names of what a class or interface extends. `isComputed`: one of them is an expression. */
export function readBases(node: SyntaxNode): {
  readonly bases: readonly string[];
  readonly isComputed: boolean;
} {
  const bases: string[] = [];
  let isComputed = false;
  const add = (one: SyntaxNode): void => {
    const named = one.kind() === "generic_type" ? (one.field("name") ?? one) : one;
    const text = named.text();
    if (/^[\w$]+(?:\s*\.\s*[\w$]+){0,20}$/.test(text)) bases.push(text.replaceAll(/\s/g, ""));
    else if (one.kind() !== "type_arguments") isComputed = true;
  };
  for (const child of node.children()) {
    if (child.kind() === "extends_type_clause") child.namedChildren().forEach(add);
    if (child.kind() !== "class_heritage") continue;
    const clauses = child.namedChildren();
    for (const clause of clauses) {
      if (clause.kind() === "extends_clause")
        clause
          .namedChildren()
          .filter((one) => one.kind() !== "type_arguments")
          .forEach(add);
      else if (clause.kind() !== "implements_clause") add(clause);
    }
  }
  return { bases, isComputed };
}
