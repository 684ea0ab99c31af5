/**
 * A branch that answers a request and doesn't leave: the code below answers again. Only a branch that ends with an answer counts, and
 * only when the statements after it answer too.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** A statement that ends an answer. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  script:
    /^(?:res|response)\s*(?:\.(?:status|type|set|header|code)\([^()]{0,80}\)\s*){0,3}\.(?:json|send|end|redirect|render|sendStatus|sendFile)\(/,
  go: /^http\.(?:Error|NotFound|Redirect)\(\s*(\w+)\s*,/,
  php: /^header\(\s*["']Location:/i,
};

/** An answer further down. */
const LATER: Readonly<Record<string, RegExp>> = {
  script:
    /\b(?:res|response)\s*(?:\.(?:status|type|set|header|code)\([^()]{0,80}\)\s*){0,3}\.(?:json|send|end|redirect|render|sendStatus|sendFile)\(/,
  go: /\bhttp\.(?:Error|NotFound|Redirect)\(\s*\w+\s*,|\b\w+\.WriteHeader\(|\bjson\.NewEncoder\(w\)|\bw\.Write\(|\bfmt\.Fprintf?\(w,/,
  php: /^(?!(?:exit|die|return|throw)\b)./,
};

const LEAVES = /^(?:return|throw|exit|die|break|continue|panic|goto|yield|raise)\b/;

/** Statements below that are read. */
const MAX_STATEMENTS = 30;
const MAX_CHARS = 4_000;

function sizeOf(node: SyntaxNode): number {
  const { start, end } = node.range();
  return end.index - start.index;
}

function named(node: SyntaxNode): readonly SyntaxNode[] {
  return node.namedChildren().filter((child) => !child.kind().includes("comment"));
}

/** The statements of a block; Go has a list in it. */
function statementsOf(block: SyntaxNode): readonly SyntaxNode[] {
  const own = named(block);
  const [first] = own;
  return own.length === 1 && first?.kind() === "statement_list" ? named(first) : own;
}

function nextStatements(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let next = node.next(); next !== null && found.length < MAX_STATEMENTS; next = next.next())
    if (next.isNamed() && !next.kind().includes("comment")) found.push(next);
  return found;
}

/** Another branch may be for the other cases, so only its condition counts. */
function unconditional(statement: SyntaxNode): string {
  if (!/^(?:if|switch|match)_/.test(statement.kind())) return statement.text();
  return statement.field("initializer")?.text() ?? "";
}

function isAnsweredAgain(branch: SyntaxNode, later: RegExp): boolean {
  for (const next of nextStatements(branch)) {
    if (sizeOf(next) > MAX_CHARS) return false;
    const text = unconditional(next);
    if (text.includes("headersSent")) return false;
    // `return res.json(…)` leaves, and answers again.
    if (later.test(text)) return true;
    if (LEAVES.test(text)) return false;
  }
  return false;
}

export const responseContinues: TreeRule = {
  kind: "tree",
  id: "response-continues",
  title: "Missing `return`: the request is answered, and the code continues",
  severity: "medium",
  category: "correctness",
  why: "The code below runs as if nothing had happened, and answers a second time. That fails, or mixes both answers.",
  fix: "Leave the function after the answer.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "go", "php"],
  trigger: /\bres(?:ponse)?\s*\.|\bhttp\.(?:Error|NotFound|Redirect)\(|\bheader\(\s*["']Location:/i,
  *check(root, { language }): Iterable<RuleMatch> {
    const kind = language === "go" || language === "php" ? language : "script";
    const [answers, later] = [ANSWERS[kind], LATER[kind]];
    if (answers === undefined || later === undefined) return;
    for (const branch of root.findAll({ rule: { kind: "if_statement" } })) {
      if (branch.field("alternative") !== null) continue;
      const block = branch.field("consequence") ?? branch.field("body");
      const last = block === null ? undefined : statementsOf(block).at(-1);
      if (last === undefined || last.kind() !== "expression_statement" || sizeOf(last) > MAX_CHARS) continue;
      if (!answers.test(last.text()) || !isAnsweredAgain(branch, later)) continue;
      yield { ...linesOf(last), also: [linesOf(branch).line] };
    }
  },
};
