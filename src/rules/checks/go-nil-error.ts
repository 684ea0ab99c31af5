/** A failure that returns an error which was just found to be nil: the caller takes it for a success. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { leaves } from "../syntax/statement-lists.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The error that a `return` gives back, or wraps. */
const RETURNED =
  /^return\b[^]*?(?:[\s,]|errors\.(?:Wrapf?|WithStack|WithMessage)\(|fmt\.Errorf\([^]{0,200}%w[^]{0,200}?)(err\w{0,20}|\w{1,20}Err)(?:[,)][^]*)?$/;

/** A longer statement isn't searched. */
const MAX_CHARS = 2_000;

function mentions(node: SyntaxNode, name: string): boolean {
  return new RegExp(`\\b${escapePattern(name)}\\b`).test(node.text());
}

function isLong(node: SyntaxNode): boolean {
  const { start, end } = node.range();
  return end.index - start.index > MAX_CHARS;
}

/** The statements of an `if` without `else`. */
function bodyOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.field("alternative") !== null) return [];
  const list = node
    .field("consequence")
    ?.namedChildren()
    .find((child) => child.kind() === "statement_list");
  return list?.namedChildren().filter((child) => child.kind() !== "comment") ?? [];
}

/** The `return` that ends the branch with an error that nothing in the branch sets or checks. */
function returnedIn(node: SyntaxNode): { readonly statement: SyntaxNode; readonly name: string } | null {
  const body = bodyOf(node);
  const last = body.at(-1);
  if (last === undefined || isLong(node) || last.kind() !== "return_statement") return null;
  const name = RETURNED.exec(last.text())?.[1];
  if (name === undefined || body.slice(0, -1).some((one) => mentions(one, name))) return null;
  const condition = node.field("condition");
  const before = node.field("initializer");
  if (condition === null || mentions(condition, name) || (before !== null && mentions(before, name)))
    return null;
  // A literal function can set it.
  return last.text().includes("func(") ? null : { statement: last, name };
}

/** The check that leaves the function if the error isn't nil, and is the last statement before the branch that has the error. */
function checkBefore(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let before = node.prev(); before !== null; before = before.prev()) {
    if (!before.isNamed() || before.kind() === "comment") continue;
    if (isLong(before)) return null;
    if (!mentions(before, name)) continue;
    const last = bodyOf(before).at(-1);
    const isCheck =
      before.kind() === "if_statement" &&
      before.field("initializer") === null &&
      before.field("condition")?.text() === `${name} != nil`;
    return isCheck && last !== undefined && leaves(last, "go") ? before : null;
  }
  return null;
}

/** A question about the kind of an error. */
const ASKED = /\berrors\.(?:As|Is)\((err|err[A-Z]\w{0,20}|\w{1,20}Err),/;

/** The first question in the branch about an error that neither the branch nor its condition sets or checks. */
function askedIn(node: SyntaxNode): { readonly line: number; readonly name: string } | null {
  const body = node.field("consequence");
  if (body === null || isLong(node)) return null;
  const found = ASKED.exec(body.text());
  const name = found?.[1];
  if (found === null || name === undefined) return null;
  const above = node.text().slice(0, body.range().start.index - node.range().start.index + found.index);
  if (new RegExp(`\\b${name}\\b`).test(above)) return null;
  return { line: linesOf(node).line + above.split("\n").length - 1, name };
}

export const goNilError: TreeRule = {
  kind: "tree",
  id: "go-nil-error",
  title: "Lost failure: the returned error is nil",
  severity: "medium",
  category: "correctness",
  why: "The error was checked above and is nil here: returned alone, the caller takes the failure for a success; in a message it says nothing.",
  fix: "Return a new error that says what failed.",
  confidence: 0.9,
  languages: ["go"],
  trigger: [/\breturn\b[^\n]*(?:\berr|Err\b)/, /\berrors\.(?:As|Is)\(/],
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "if_statement" } })) {
      const asked = askedIn(node);
      const known = asked === null ? null : checkBefore(node, asked.name);
      if (asked !== null && known !== null)
        yield {
          line: asked.line,
          also: [linesOf(node).line],
          title: `Wrong error: ${nameOr(asked.name, "the error")} is nil here, so this is never true`,
          detail: `Line ${linesOf(known).line} has checked it.`,
          fix: "Ask about the error of this branch.",
        };
      const returned = returnedIn(node);
      const check = returned === null ? null : checkBefore(node, returned.name);
      if (returned === null || check === null) continue;
      yield {
        ...linesOf(returned.statement),
        also: [linesOf(node).line],
        title: /\bfmt\.Errorf\(/.test(returned.statement.text())
          ? `Lost cause: ${nameOr(returned.name, "the error")} is nil in the message`
          : `Lost failure: ${nameOr(returned.name, "the error")} is nil where it's returned`,
        detail: `Line ${linesOf(check).line} has checked it.`,
      };
    }
  },
};
