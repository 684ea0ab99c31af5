/**
 * A pointer that is used after it was freed. The search follows only statements that certainly run one after the
 * other, and stops at an assignment to the pointer or anything that takes its address.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

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

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const block of root.findAll({ rule: { kind: "compound_statement" } })) {
    const statements = block.namedChildren().filter((child) => child.kind() !== "comment");
    for (const [index, statement] of statements.entries()) {
      const pointer = statement.kind() === "expression_statement" ? freedBy(statement) : null;
      if (pointer === null) continue;
      for (const later of statements.slice(index + 1, index + 1 + MAX_STATEMENTS)) {
        const effect = effectOf(later, pointer);
        if (effect === "none") continue;
        if (effect !== "ends") {
          const { line } = statement.range().start;
          const kind = effect === "frees" ? "Double free" : "Use after free";
          yield {
            line: later.range().start.line + 1,
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
  inTests: false,
  trigger: /->|\[|\*|\bfree\s*\(|\bdelete\b/,
  check,
  examples: {
    bad: [
      bad("src/node.c", 3, "int drop(struct node *n) {\n  free(n);\n  return n->count;\n}\n"),
      bad("src/node.c", 4, "void drop(struct node *n) {\n  free(n);\n  total--;\n  free(n);\n}\n"),
      bad("src/node.cpp", 3, "void drop(Node *n) {\n  delete n;\n  log(n->name);\n}\n"),
    ],
    good: [
      good(
        "src/node.c",
        "void drop(struct node *n) {\n  struct node *next = n->next;\n  free(n);\n  n = next;\n  n->count = 0;\n}\n",
      ),
      good("src/node.c", "void drop(struct node *n) {\n  free(n->name);\n  n->name = NULL;\n  free(n);\n}\n"),
      good(
        "src/node.c",
        "void drop(struct node *n) {\n  if (n->old) {\n    free(n->old);\n    return;\n  }\n  n->old->count++;\n}\n",
      ),
      good(
        "src/node.c",
        "void drop(struct list *l) {\n  free(l->items);\n  fill(&l->items);\n  l->items[0] = 1;\n}\n",
      ),
      good(
        "src/node.c",
        "void drop(int k, char *p) {\n  switch (k) {\n    case 1:\n      free(p);\n      break;\n    case 2:\n      p[0] = 0;\n  }\n}\n",
      ),
    ],
  },
};
