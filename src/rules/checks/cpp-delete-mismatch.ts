/** `new[]` released with `delete`, or `new` with `delete[]`, or with `free`. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer file isn't searched. */
const MAX_CHARS = 60_000;

/** How the file creates what a name points to: all of one kind, or unknown. */
function creationOf(name: string, file: string): "array" | "single" | null {
  const found = [
    ...file.matchAll(
      new RegExp(
        `(?<![\\w])${escapePattern(name)}\\s*(?:=|\\()\\s*new\\s+[\\w:<>, ]{1,80}?\\s*([\\[({;])`,
        "g",
      ),
    ),
  ].map(([, mark]) => (mark === "[" ? "array" : "single"));
  const kinds = new Set(found);
  return kinds.size === 1 ? (found[0] ?? null) : null;
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const { start, end } = root.range();
  if (end.index - start.index > MAX_CHARS) return;
  const file = root.text();
  for (const node of root.findAll({ rule: { kind: "delete_expression" } })) {
    const found = /^(?:::)?delete\s*(\[\s*\])?\s*(?:this->)?(\w+)$/.exec(node.text());
    const name = found?.[2];
    if (found === null || name === undefined) continue;
    const made = creationOf(name, file);
    if (made === null || (made === "array") === (found[1] !== undefined)) continue;
    const [used, right] = made === "array" ? ["delete", "delete[]"] : ["delete[]", "delete"];
    yield {
      line: linesOf(node).line,
      title: `Mismatched release: ${nameOr(name, "memory")} is released with \`${used}\` instead of \`${right}\``,
    };
  }
}

export const cppDeleteMismatch: TreeRule = {
  kind: "tree",
  id: "cpp-delete-mismatch",
  title: "Mismatched release: `new` and `delete` don't match",
  severity: "must-fix",
  category: "correctness",
  why: "Releasing an array with `delete`, or one object with `delete[]`, is undefined behavior: destructors are skipped or the heap is corrupted.",
  fix: "Use the matching form, or a `std::vector` or `std::unique_ptr`.",
  languages: ["cpp"],
  trigger: /\bdelete\b|\bnew\b/,
  check,
};
