/** A guard of a std lock that is still held at an `.await`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { isRustTest } from "../syntax/rust-test.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Guards of async locks come from `.lock().await`; only std's are unwrapped. parking_lot's can't be recognized. */
const GUARD =
  /^let\s+(?:mut\s+)?(\w+)\s*=\s*[\w.:&()]{1,120}\.(?:lock|read|write)\(\)\s*\.(?:unwrap\(\)|expect\([^()]*\)|unwrap_or_else\([^()]*(?:\([^()]*\))?[^()]*\));$/s;

/** A longer statement isn't searched. */
const MAX_CHARS = 4_000;

/** The first statement that awaits while the guard lives. */
function awaitAfter(statements: readonly SyntaxNode[], guard: string): SyntaxNode | null {
  for (const statement of statements) {
    const { start, end } = statement.range();
    if (end.index - start.index > MAX_CHARS) return null;
    const text = statement.text();
    if (new RegExp(`\\bdrop\\(\\s*${guard}\\s*\\)|=\\s*${guard};|\\(\\s*${guard}\\s*\\)`).test(text))
      return null;
    // An await inside a closure or a spawned task runs elsewhere.
    if (/\.await\b/.test(text)) return /\basync\b|\bspawn/.test(text) ? null : statement;
  }
  return null;
}

export const rustGuardAcrossAwait: TreeRule = {
  kind: "tree",
  id: "rust-guard-across-await",
  title: "Lock held across `.await`: the guard blocks other tasks",
  severity: "must-fix",
  category: "correctness",
  why: "While the task waits, the lock stays taken. Another task on the same thread that needs it blocks the thread, so both wait forever.",
  fix: "End the guard's scope before the `.await`, or use `tokio::sync::Mutex`.",
  languages: ["rust"],
  afterRemoval: true,
  trigger: /\.await\b|\.(?:lock|read|write)\(\)/,
  *check(root): Iterable<RuleMatch> {
    for (const block of root.findAll({
      rule: { kind: "block", has: { kind: "let_declaration", regex: "\\.(lock|read|write)\\(\\)" } },
    })) {
      const statements = block.namedChildren();
      for (const [index, statement] of statements.entries()) {
        if (statement.kind() !== "let_declaration") continue;
        const guard = GUARD.exec(statement.text().slice(0, 400))?.[1];
        if (guard === undefined || guard === "_") continue;
        const waiting = awaitAfter(statements.slice(index + 1), guard);
        if (waiting === null || isRustTest(block)) continue;
        yield {
          line: linesOf(waiting).line,
          also: [linesOf(statement).line],
          missingIn: { line: linesOf(statement).line, endLine: linesOf(waiting).line },
          title: `Lock held across \`.await\`: the guard ${nameOr(guard, "of this block")} blocks other tasks`,
          detail: `Line ${linesOf(statement).line} takes the lock.`,
        };
      }
    }
  },
};
