/**
 * A pointer that is used after it was freed. The search follows only statements that certainly run one after the
 * other, and stops at an assignment to the pointer or anything that takes its address.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Beyond this, a reader no longer sees both statements together, and macros may have changed the pointer. */
const MAX_STATEMENTS = 12;

/** The name or member chain that a statement frees, or null. */
function freedBy(statement: SyntaxNode): string | null {
  const found =
    /^(?:(?:std)?::)?free\s*\(\s*([A-Za-z_][\w.>-]{0,80})\s*\)\s*;$|^delete\s*(?:\[\s*\]\s*)?([A-Za-z_][\w.>-]{0,80})\s*;$/.exec(
      statement.text(),
    );
  return found?.[1] ?? found?.[2] ?? null;
}

/** A longer statement is a table or generated code. */
const MAX_STATEMENT_CHARS = 2_000;

/** "ends": the search stops. "dereferences" and "frees" are errors. "none": the statement doesn't use the pointer. */
type Effect = "ends" | "dereferences" | "frees" | "none";

function effectOf(statement: SyntaxNode, pointer: string): Effect {
  if (!/^(?:expression_statement|declaration|return_statement)$/.test(statement.kind())) return "ends";
  if (freedBy(statement) === pointer) return "frees";
  const whole = statement.text();
  if (whole.length > MAX_STATEMENT_CHARS) return "ends";
  const text = whole.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  // `n` in `n->items` may have been reassigned, which makes it a different pointer.
  const owner = /^\w+/.exec(pointer)?.[0] ?? pointer;
  if (!new RegExp(`(?<![\\w.>])${owner}\\b`).test(text))
    return statement.kind() === "return_statement" ? "ends" : "none";
  if (/\bsizeof\b/.test(text)) return "ends";
  const name = pointer.replaceAll(".", "\\.");
  const dereference = new RegExp(
    `(?<![\\w.>])${name}\\s*(?:->|\\[)|(?<![\\w)\\]]\\s*)\\*\\s*${name}(?![\\w.(]|->|\\s*=[^=])`,
  );
  return dereference.test(text) ? "dereferences" : "ends";
}

/** Statements without comments. */
function statementsOf(block: SyntaxNode): readonly SyntaxNode[] {
  return block.namedChildren().filter((child) => child.kind() !== "comment");
}

/** The statements that run after one of a block: the rest of it, those behind the label of a `goto`, or those after an `if`. */
function afterwards(
  statements: readonly SyntaxNode[],
  index: number,
  block: SyntaxNode,
): readonly SyntaxNode[] {
  const rest = statements.slice(index + 1, index + 1 + MAX_STATEMENTS);
  const leaving = rest.findIndex((one) => one.kind() === "goto_statement");
  if (leaving >= 0 && rest.slice(0, leaving).every((one) => one.kind() === "expression_statement"))
    return [...rest.slice(0, leaving), ...behindLabel(rest[leaving]?.field("label")?.text() ?? "", block)];
  // The free is the last statement of a branch that runs on.
  const branch = block.parent();
  if (rest.length > 0 || branch?.kind() !== "if_statement" || branch.field("alternative") !== null)
    return rest;
  const outer = branch.parent();
  if (outer?.kind() !== "compound_statement") return rest;
  const siblings = statementsOf(outer);
  const at = siblings.findIndex((one) => one.range().start.index === branch.range().start.index);
  return siblings.slice(at + 1, at + 1 + MAX_STATEMENTS);
}

/** The statements from a label of the function on. */
function behindLabel(label: string, from: SyntaxNode): readonly SyntaxNode[] {
  const around = nearestAncestor(from, (one) => one.kind() === "function_definition");
  const body = around?.field("body");
  if (body === null || body === undefined || label === "") return [];
  const statements = statementsOf(body);
  const at = statements.findIndex(
    (one) => one.kind() === "labeled_statement" && one.field("label")?.text() === label,
  );
  if (at === -1) return [];
  const first = statements[at]?.namedChildren().at(-1);
  const rest = statements.slice(at + 1, at + 1 + MAX_STATEMENTS);
  const flat = [...(first === undefined ? [] : [first]), ...rest];
  // Labels further down only mark places.
  return flat.flatMap((one) => (one.kind() === "labeled_statement" ? one.namedChildren().slice(-1) : [one]));
}

/** `for (n = head; n; n = n->next) free(n);` reads the node after it was freed. */
function* checkLoops(root: SyntaxNode): Iterable<RuleMatch> {
  for (const loop of root.findAll({ rule: { kind: "for_statement" } })) {
    const step = loop.field("update")?.text() ?? "";
    const pointer = /^(\w+)\s*=\s*(\w+)->\w+$/.exec(step);
    const body = loop.field("body");
    if (pointer === null || pointer[1] !== pointer[2] || body === null) continue;
    const last = body.kind() === "compound_statement" ? statementsOf(body).at(-1) : body;
    if (last?.kind() !== "expression_statement" || freedBy(last) !== pointer[1]) continue;
    yield {
      line: last.range().start.line + 1,
      also: [loop.range().start.line + 1],
      title: `Use after free of ${nameOr(pointer[1] ?? "", "a pointer")}`,
      detail: `The loop's step reads \`${pointer[1] ?? ""}\` after this line freed it.`,
    };
  }
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  yield* checkLoops(root);
  for (const block of root.findAll({ rule: { kind: "compound_statement" } })) {
    const statements = statementsOf(block);
    for (const [index, statement] of statements.entries()) {
      const pointer = statement.kind() === "expression_statement" ? freedBy(statement) : null;
      if (pointer === null) continue;
      for (const later of afterwards(statements, index, block)) {
        const effect = effectOf(later, pointer);
        if (effect === "none") continue;
        if (effect !== "ends") {
          const { line } = statement.range().start;
          const kind = effect === "frees" ? "Double free" : "Use after free";
          yield {
            line: later.range().start.line + 1,
            also: [line + 1],
            title: `${kind} of ${nameOr(pointer, "a pointer")}`,
            detail: `\`${pointer}\` was already freed on line ${line + 1}.`,
          };
        }
        break;
      }
    }
  }
}

export const cUseAfterFree: TreeRule = {
  kind: "tree",
  id: "c-use-after-free",
  title: "Use after free or double free",
  severity: "critical",
  category: "correctness",
  why: "The memory may have been reused. Reading it returns garbage; writing to it or freeing it again corrupts the heap and can be exploitable.",
  fix: "Free the memory after its last use, or copy what you still need before freeing it.",
  languages: ["c", "cpp"],
  trigger: /->|\[|\*|\bfree\s*\(|\bdelete\b/,
  check,
};
