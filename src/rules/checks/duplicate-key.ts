/** The same literal key twice in a map, or the same literal case twice in a switch. Languages whose compiler rejects it are left out. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asCall } from "../syntax/calls.ts";
import { isLiteral } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The keys of one map or switch, in order. */
type Keyed = { readonly keys: readonly SyntaxNode[]; readonly kind: "key" | "case" };

const CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  ruby: ["hash", "case"],
  php: ["array_creation_expression", "switch_statement", "match_expression"],
  csharp: ["initializer_expression"],
  java: ["method_invocation"],
  rust: ["match_expression"],
};

function keysOf(node: SyntaxNode, language: string): Keyed | null {
  const below = node.namedChildren();
  switch (node.kind()) {
    case "hash":
      return {
        kind: "key",
        keys: below.flatMap((pair) => (pair.kind() === "pair" ? (pair.field("key") ?? []) : [])),
      };
    case "case":
      return {
        kind: "case",
        keys: below.flatMap((when) =>
          when.namedChildren().flatMap((part) => (part.kind() === "pattern" ? part.namedChildren() : [])),
        ),
      };
    case "array_creation_expression":
      return {
        kind: "key",
        keys: below.flatMap((pair) =>
          pair.children().some((child) => child.kind() === "=>") ? (pair.namedChildren()[0] ?? []) : [],
        ),
      };
    case "switch_statement":
      return {
        kind: "case",
        keys: (node.field("body")?.namedChildren() ?? []).flatMap((one) => one.field("value") ?? []),
      };
    case "match_expression":
      return {
        kind: "case",
        keys: (node.field("body")?.namedChildren() ?? []).flatMap((arm) =>
          language === "rust" ? rustKey(arm) : phpKeys(arm),
        ),
      };
    case "initializer_expression":
      return { kind: "key", keys: below.flatMap(dictionaryKey) };
    case "method_invocation": {
      const call = asCall(node);
      if (call?.name !== "of" || call.receiver !== "Map") return null;
      return { kind: "key", keys: call.args.filter((_, index) => index % 2 === 0) };
    }
    default:
      return null;
  }
}

/** An arm with a guard can repeat its pattern. */
function rustKey(arm: SyntaxNode): readonly SyntaxNode[] {
  const pattern = arm.field("pattern");
  return pattern === null || pattern.namedChildren().length !== 1 ? [] : pattern.namedChildren();
}

function phpKeys(arm: SyntaxNode): readonly SyntaxNode[] {
  return (
    arm
      .namedChildren()
      .find((child) => child.kind() === "match_condition_list")
      ?.namedChildren() ?? []
  );
}

/** `{ "a", 1 }` of a dictionary, which throws on a repeated key; `["a"] = 1` only overwrites. */
function dictionaryKey(entry: SyntaxNode): readonly SyntaxNode[] {
  const [key, value] = entry.namedChildren();
  if (key === undefined || value === undefined) return [];
  if (entry.kind() === "initializer_expression")
    return entry.namedChildren().length === 2 && isDictionary(entry) ? [key] : [];
  if (entry.kind() !== "assignment_expression" || key.kind() !== "element_binding_expression") return [];
  const inner = key.namedChildren()[0]?.namedChildren()[0];
  return inner === undefined ? [] : [inner];
}

function isDictionary(entry: SyntaxNode): boolean {
  return /Dictionary|SortedList/.test(entry.parent()?.parent()?.text().slice(0, 200) ?? "");
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kinds = CONTAINERS[language] ?? [];
  for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const found = keysOf(node, language);
    const seen = new Map<string, number>();
    for (const key of found?.keys ?? []) {
      if (!isLiteral(key) && key.kind() !== "hash_key_symbol") continue;
      if (key.namedChildren().some((child) => child.kind() === "interpolation")) continue;
      const text = key.text();
      const line = seen.get(text);
      seen.set(text, linesOf(key).line);
      if (line === undefined) continue;
      const name = nameOr(text.replaceAll(/^["']|["']$/g, ""), "it");
      yield {
        ...linesOf(key),
        also: [line],
        title: `Duplicate ${found?.kind ?? "key"}: ${name} is ${found?.kind === "case" ? "handled" : "set"} twice`,
        detail: `Line ${line} already has this ${found?.kind ?? "key"}.`,
      };
    }
  }
}

export const duplicateKey: TreeRule = {
  kind: "tree",
  id: "duplicate-key",
  title: "Duplicate key in a map, or duplicate case in a switch",
  severity: "major",
  category: "correctness",
  why: "Only one of the two entries takes effect: a later key replaces the earlier one or throws, and a later case never runs.",
  fix: "Correct the key that was copied, or remove one of the entries.",
  languages: ["ruby", "php", "csharp", "java", "rust"],
  trigger: /=>|:\s|\bwhen\b|\bcase\b|\{\s*"|Map\.of/,
  check: (root, { language }) => check(root, language),
};
