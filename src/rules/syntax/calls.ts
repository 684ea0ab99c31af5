/**
 * Calls of every language in one shape, for rules that look for functions by name. It never resolves names.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type Call = {
  readonly node: SyntaxNode;
  /** The text before the last name: "db.pool" for `db.pool.query(x)`, "" for `query(x)`. */
  readonly receiver: string;
  /** The last name: "query" for `db.pool.query(x)`, "Client" for `new Client(x)`. */
  readonly name: string;
  /** Without comments; `name: value` arguments of C# and PHP are unwrapped. */
  readonly args: readonly SyntaxNode[];
};

/** Node kinds per language, because searching for a kind that a grammar doesn't have is an error. */
const KINDS_BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  javascript: ["call_expression", "new_expression"],
  typescript: ["call_expression", "new_expression"],
  tsx: ["call_expression", "new_expression"],
  python: ["call"],
  ruby: ["call"],
  go: ["call_expression"],
  rust: ["call_expression"],
  c: ["call_expression"],
  cpp: ["call_expression"],
  java: ["method_invocation", "object_creation_expression"],
  csharp: ["invocation_expression", "object_creation_expression"],
  php: [
    "function_call_expression",
    "member_call_expression",
    "nullsafe_member_call_expression",
    "scoped_call_expression",
    "object_creation_expression",
  ],
};

const CALL_KINDS: ReadonlySet<string> = new Set(Object.values(KINDS_BY_LANGUAGE).flat());

/** Every call in a tree whose last name passes `isWanted`. */
export function callsIn(
  root: SyntaxNode,
  language: string,
  isWanted: (name: string) => boolean,
): readonly Call[] {
  const named = namedCalls.get(root) ?? findNamedCalls(root, language);
  namedCalls.set(root, named);
  const calls: Call[] = [];
  for (const { node, name } of named) {
    if (!isWanted(name)) continue;
    const call = asCall(node);
    if (call !== null) calls.push(call);
  }
  return calls;
}

type NamedCall = { readonly node: SyntaxNode; readonly name: string };

/** Cached: a dozen rules search the calls of the same file, and most calls match none of them. */
const namedCalls = new WeakMap<SyntaxNode, readonly NamedCall[]>();

function findNamedCalls(root: SyntaxNode, language: string): readonly NamedCall[] {
  const kinds = KINDS_BY_LANGUAGE[language] ?? [];
  if (kinds.length === 0) return [];
  return root
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })
    .map((node) => ({ node, name: nameNode(node)?.text() ?? "" }));
}

/** The node as a call, or null. */
export function asCall(node: SyntaxNode): Call | null {
  if (!CALL_KINDS.has(node.kind())) return null;
  const named = nameNode(node);
  if (named === null) return null;
  const name = named.text().replace(/^.*[.:\\]/s, "");
  const callee = calleeNode(node);
  const before =
    node.field("object") ?? node.field("receiver") ?? node.field("scope") ?? callee?.namedChildren()[0];
  const hasReceiver = before !== undefined && before.range().end.index <= named.range().start.index;
  return { node, receiver: hasReceiver ? before.text() : "", name, args: argumentsOf(node) };
}

function calleeNode(node: SyntaxNode): SyntaxNode | null {
  return (
    node.field("function") ??
    node.field("constructor") ??
    node.field("type") ??
    node.namedChildren()[0] ??
    null
  );
}

/** The node of only the last name: the text of a whole callee can be as long as the file. */
function nameNode(node: SyntaxNode): SyntaxNode | null {
  const named = node.field("name") ?? node.field("method");
  if (named !== null) return named;
  const callee = calleeNode(node);
  if (callee === null) return null;
  if (
    /^(?:member_expression|attribute|selector_expression|member_access_expression|qualified_name|field_expression|scoped_identifier|qualified_identifier)$/.test(
      callee.kind(),
    )
  ) {
    return callee.namedChildren().at(-1) ?? null;
  }
  return /identifier$|^name$|^generic_(?:type|name)$/.test(callee.kind()) ? callee : null;
}

function argumentsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const list =
    node.field("arguments") ??
    node.namedChildren().find((child) => /^(argument_list|arguments)$/.test(child.kind()));
  if (list === null || list === undefined) return [];
  // A tagged template has its template in place of the argument list.
  if (list.kind() === "template_string") return [];
  return list
    .namedChildren()
    .filter((child) => !child.kind().includes("comment"))
    .map((child) => (child.kind() === "argument" ? (child.namedChildren().at(-1) ?? child) : child));
}
