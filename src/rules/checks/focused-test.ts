/** Reports focused tests (`.only`, `fit`, `focus: true`) in test files. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { replaceInLine } from "../lines/replace-in-line.ts";
import { type FileView, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const ONLY =
  /^(?:(?:describe|it|test|context|suite|specify|bench|Deno\.test)(?:\.(?:describe|concurrent|serial|sequential|parallel|failing))?)\.only(?:\.each)?$/;
const FOCUSED_NAME = /^(?:fdescribe|fit|fcontext|ddescribe|iit)(?:\.each)?$/;
const TEXT_KINDS: ReadonlySet<string> = new Set(["string", "template_string"]);
const RUBY_FOCUSED: ReadonlySet<string> = new Set(["fit", "fdescribe", "fcontext", "fspecify", "fexample"]);
const RUBY_GROUPS: ReadonlySet<string> = new Set([
  "describe",
  "context",
  "it",
  "specify",
  "example",
  "feature",
  "scenario",
]);
const RUBY_FOCUS = /^(?::focus|focus: true|:focus => true)$/;

export const focusedTest: TreeRule = {
  kind: "tree",
  id: "focused-test",
  title: "Focused test disables the rest of the suite",
  severity: "must-fix",
  category: "tests",
  why: "Every other test in the file or suite is skipped, so CI passes without running them.",
  fix: "Remove the focus before merging.",
  languages: ["javascript", "typescript", "tsx", "ruby"],
  inTests: true,
  trigger: /\.only\b|\b(?:fdescribe|fit|fcontext|ddescribe|iit|fspecify|fexample)\b|\bfocus\b/,
  *check(root, file) {
    if (file.category !== "test") return;
    yield* file.language === "ruby" ? focusedRuby(root) : focusedScript(root, file);
  },
};

function* focusedScript(root: SyntaxNode, file: FileView): Generator<RuleMatch> {
  for (const call of root.findAll({ rule: { kind: "call_expression" } })) {
    const callee = call.field("function");
    if (callee === null || !isFocusedCall(call, callee)) continue;
    yield { ...linesOf(callee), ...replaceInLine(file, callee, withoutFocus(callee.text())) };
  }
}

function withoutFocus(name: string): string {
  return name.replace(".only", "").replace(/^(?:f(?=describe|it|context)|d(?=describe)|i(?=it))/, "");
}

function isFocusedCall(call: SyntaxNode, callee: SyntaxNode): boolean {
  const name = callee.kind() === "call_expression" ? (callee.field("function")?.text() ?? "") : callee.text();
  if (name.length > 60) return false;
  const isTable = name.endsWith(".each");
  // `only.each(table)` alone is half of a call; the test calls its result.
  if (isTable !== (callee.kind() === "call_expression")) return false;
  if (!ONLY.test(name) && !FOCUSED_NAME.test(name)) return false;
  const [title, body] = call.field("arguments")?.namedChildren() ?? [];
  return title !== undefined && TEXT_KINDS.has(title.kind()) && body !== undefined;
}

function* focusedRuby(root: SyntaxNode): Generator<RuleMatch> {
  for (const call of root.findAll({ rule: { kind: "call" } })) {
    const method = call.field("method")?.text() ?? "";
    const hasBlock = call.field("block") !== null;
    if (!hasBlock) continue;
    const args = call.field("arguments")?.namedChildren() ?? [];
    const isFocused =
      (RUBY_FOCUSED.has(method) && args.length > 0) ||
      (RUBY_GROUPS.has(method) && args.some((argument) => RUBY_FOCUS.test(argument.text())));
    if (isFocused) yield { line: linesOf(call).line };
  }
}
