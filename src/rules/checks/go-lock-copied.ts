/** A mutex, wait group or similar that is passed by value: the copy doesn't lock or wait for the original. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const LOCK = /^sync\.(?:Mutex|RWMutex|WaitGroup|Once|Cond|Map|Pool)$/;

/** Structs of the file with a lock as a direct field, by name. */
function lockedStructs(root: SyntaxNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const spec of root.findAll({ rule: { kind: "type_spec" } })) {
    const type = spec.field("type");
    if (type?.kind() !== "struct_type") continue;
    const fields = type.namedChildren().flatMap((list) => list.namedChildren());
    if (fields.some((field) => LOCK.test(field.field("type")?.text() ?? "")))
      found.add(spec.field("name")?.text() ?? "");
  }
  return found;
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const structs = lockedStructs(root);
  for (const node of root.findAll({ rule: { kind: "parameter_declaration" } })) {
    const type = node.field("type")?.text() ?? "";
    const holder = node.parent()?.parent();
    if (!LOCK.test(type) && !structs.has(type)) continue;
    if (holder?.field("result")?.range().start.index === node.parent()?.range().start.index) continue;
    const isReceiver = holder?.field("receiver")?.range().start.index === node.parent()?.range().start.index;
    // A method that doesn't use its receiver's lock copies it all the same, but nothing goes wrong.
    const name = node.field("name")?.text() ?? "";
    if (isReceiver && !usesLock(holder, name)) continue;
    yield {
      line: linesOf(node).line,
      title: `Copied lock: ${nameOr(type, "its type")} is ${isReceiver ? "a value receiver" : "passed by value"}`,
    };
  }
}

function usesLock(method: SyntaxNode | null | undefined, receiver: string): boolean {
  const body = method?.field("body")?.text() ?? "";
  return (
    receiver !== "" &&
    new RegExp(`(?<![\\w.])${receiver}\\.(?:\\w+\\.)?(?:R?Lock|Wait|Add|Done|Do)\\(`).test(body)
  );
}

export const goLockCopied: TreeRule = {
  kind: "tree",
  id: "go-lock-copied",
  title: "Copied lock: it is passed by value",
  severity: "must-fix",
  category: "correctness",
  why: "The copy has its own state: locking it protects nothing, and waiting for it never sees the original's `Done`.",
  fix: "Pass a pointer, or use a pointer receiver.",
  languages: ["go"],
  trigger: /\bsync\.(?:Mutex|RWMutex|WaitGroup|Once|Cond|Map|Pool)\b|\bfunc\b/,
  check,
};
