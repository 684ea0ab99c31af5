/** Memory from `malloc` that the next statement about it writes to, without a check for NULL. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const ALLOCATED =
  /^(?:[\w\s]{0,40}\*\s*)?(\w+(?:(?:->|\.)\w+)?)\s*=\s*(?:\([^()]{1,40}\)\s*)?(malloc|calloc|realloc|fopen|strdup)\s*\(/;

/** Beyond this, a reader no longer sees both statements together. */
const MAX_STATEMENTS = 4;

/** The next statement about the pointer, when only plain statements are before it. */
function firstMention(rest: readonly SyntaxNode[], own: string): SyntaxNode | undefined {
  const mentions = new RegExp(`(?<![\\w.>])${own}\\b`);
  const at = rest.findIndex((one) => mentions.test(one.text()));
  const before = rest.slice(0, Math.max(at, 0));
  if (at === -1 || at >= MAX_STATEMENTS) return undefined;
  return before.every((one) => /^(?:declaration|expression_statement)$/.test(one.kind()))
    ? rest[at]
    : undefined;
}

export const cUncheckedAllocation: TreeRule = {
  kind: "tree",
  id: "c-unchecked-allocation",
  title: "Unchecked allocation: the result is used without a check for NULL",
  severity: "major",
  category: "reliability",
  why: "When the allocation or the open fails, the result is NULL and the next statement crashes.",
  fix: "Check for NULL before the first use.",
  languages: ["c", "cpp"],
  afterRemoval: true,
  trigger: /\b(?:malloc|calloc|realloc|fopen|strdup)\s*\(/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const statements of statementListsIn(root, language)) {
      for (const [index, statement] of statements.entries()) {
        if (!/^(?:declaration|expression_statement)$/.test(statement.kind())) continue;
        const [, name = "", opener = ""] = ALLOCATED.exec(statement.text().slice(0, 200)) ?? [];
        const next = name === "" ? undefined : firstMention(statements.slice(index + 1), escapePattern(name));
        if (
          next === undefined ||
          !/^(?:expression_statement|while_statement|for_statement)$/.test(next.kind())
        )
          continue;
        const text = next.text().slice(0, 400);
        const own = escapePattern(name);
        if (
          new RegExp(
            `assert|check|CHECK|!\\s*${own}\\b|\\b${own}\\s*[!=]=|sizeof\\s*\\(?\\s*\\*?\\s*${own}\\b[^;]*;$`,
          ).test(text)
        )
          continue;
        const isUsed = new RegExp(
          `(?<![\\w.>])${own}\\s*(?:->|\\[)|^\\*${own}\\b|\\b(?:memcpy|memset|strcpy|strncpy|sprintf|memmove|fgets|fread|fwrite|fprintf|fputs|fscanf)\\([^;]{0,80}\\b${own}\\b`,
        ).test(text);
        if (!isUsed) continue;
        yield {
          line: linesOf(statement).line,
          also: [linesOf(next).line],
          missingIn: { line: linesOf(statement).line, endLine: linesOf(next).line },
          title: `Unchecked allocation: ${nameOr(name, "the result")} from \`${opener}\` is used without a check for NULL`,
        };
      }
    }
  },
};
