/** A case with statements that runs into the next one, without a comment or attribute that says so. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const CASES: Readonly<Record<string, string>> = {
  javascript: "switch_case",
  typescript: "switch_case",
  tsx: "switch_case",
  c: "case_statement",
  cpp: "case_statement",
  java: "switch_block_statement_group",
  php: "case_statement",
};

/** Ends a case, wherever in its last statement. */
const LEAVES =
  /\b(?:break|return|continue|goto|yield|assert|longjmp)\b|exit|abort|terminate|fail|error|\bdie|panic|fatal|throw|raise|unreach|not_?reached|usage|fall/i;

/** Statements that leave however long they are, and labels. */
const JUMPS = /^(?:return|throw|break|continue|goto|yield|labeled)_statement$/;

/** Macros can hide a jump. */
const MACRO = /\b[A-Z][A-Z_]{1,}\s*\(/;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kind = CASES[language];
  if (kind === undefined) return;
  const cases = root.findAll({ rule: { kind } });
  for (const one of cases) {
    const next = nextCase(one);
    const statements = statementsOf(one);
    const last = statements.at(-1);
    // Cases without statements share those of the next; labels and the last case are fine.
    if (next === null || last === undefined || statements.some((child) => child.kind() === "case_statement"))
      continue;
    // Nothing but leaving comes next.
    if (statementsOf(next).every((child) => /^(?:break|return|continue)_statement$/.test(child.kind())))
      continue;
    if (JUMPS.test(last.kind()) || LEAVES.test(tailOf(last)) || MACRO.test(tailOf(last))) continue;
    const gap = one.text() + textBetween(one, next);
    if (/fall|no ?break|through|\/\*\s*no\b/i.test(gap) || hasCommentAtEnd(one, next)) continue;
    // Everything that the case does again in the next one is a step of a state machine or an unrolled loop.
    if (language !== "java" && statements.length === 1 && isCountingDown(cases)) continue;
    yield {
      line: linesOf(last).endLine,
      also: [linesOf(next).line],
      missingIn: { line: linesOf(last).line, endLine: linesOf(next).line },
      title: "Missing `break`: this case runs into the next one",
      detail: `The next case is on line ${linesOf(next).line}.`,
    };
  }
}

/** Without its labels, comments and empty statements. */
function statementsOf(one: SyntaxNode): readonly SyntaxNode[] {
  return one
    .namedChildren()
    .filter((child) => /statement|declaration|^block$/.test(child.kind()) && child.text() !== ";");
}

function nextCase(one: SyntaxNode): SyntaxNode | null {
  for (let next = one.next(); next !== null; next = next.next()) {
    if (/preproc/.test(next.kind())) return null;
    if (
      /^(?:case_statement|default_statement|switch_block_statement_group|switch_case|switch_default)$/.test(
        next.kind(),
      )
    )
      return next;
    if (next.isNamed() && !next.kind().includes("comment")) return null;
  }
  return null;
}

/** A longer tail isn't read. */
const MAX_TAIL_CHARS = 400;

function tailOf(statement: SyntaxNode): string {
  return statement.text().slice(-MAX_TAIL_CHARS);
}

function textBetween(one: SyntaxNode, next: SyntaxNode): string {
  let text = "";
  for (
    let node = one.next();
    node !== null && node.range().start.index < next.range().start.index;
    node = node.next()
  )
    text += node.text();
  return text;
}

/** Any comment as the last thing of a case is about what comes next. */
function hasCommentAtEnd(one: SyntaxNode, next: SyntaxNode): boolean {
  const last = one.children().at(-1);
  return last?.kind().includes("comment") === true || next.prev()?.kind().includes("comment") === true;
}

/** `case 3: …; case 2: …; case 1:` of an unrolled loop. */
function isCountingDown(cases: readonly SyntaxNode[]): boolean {
  return cases.filter((one) => /^case\s+\d+\s*:/.test(one.text().slice(0, 20))).length > 2;
}

export const switchFallthrough: TreeRule = {
  kind: "tree",
  id: "switch-fallthrough",
  title: "Missing `break`: a case runs into the next one",
  severity: "major",
  category: "correctness",
  why: "After this case the statements of the next one run too, which is rarely meant and easy to overlook.",
  fix: "Add `break`, or a comment or attribute that says that the fall-through is meant.",
  languages: ["javascript", "typescript", "tsx", "c", "cpp", "java", "php"],
  afterRemoval: true,
  trigger: /\bcase\b/,
  check: (root, { language }) => check(root, language),
};
