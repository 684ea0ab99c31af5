/** Reports leftover breakpoints. Logging is ignored, because it's usually intended. */
import { createAncestorTest } from "../syntax/ancestors.ts";
import { SCRIPT_LANGUAGES, type SyntaxNode } from "../../syntax/syntax.ts";
import { findPatterns } from "../syntax/pattern-matches.ts";
import { anyKind, withFields } from "../syntax/pattern-parts.ts";
import type { CodePattern, TreeRule } from "../rule.ts";

/** Debuggers, their tests and their documentation stop programs on purpose. */
const ABOUT_DEBUGGING = /debug|pdb|xdebug|dbg|breakpoint|devtools|repl/i;
/** Linter comments that mark a breakpoint as intended. */
const MEANT = /noqa: ?T100|rubocop:disable Lint\/Debugger|no-debugger/;

const STOPS: readonly CodePattern[] = [
  { languages: SCRIPT_LANGUAGES, rule: { kind: "debugger_statement" }, severity: "medium" },
  {
    languages: ["python"],
    rule: {
      kind: "expression_statement",
      regex:
        "^(?:(?:pdb|ipdb|pudb|wdb|web_pdb)\\.set_trace|breakpoint|(?:debugpy|ptvsd)\\.breakpoint|__import__\\(['\"]i?pdb['\"]\\)\\.set_trace)\\(\\)$",
    },
  },
  {
    languages: ["ruby"],
    rule: {
      ...anyKind("call identifier"),
      regex: "^(?:binding\\.(?:pry|irb|b|break)|byebug)$",
      // Ruby has no statement node: a bare call is a direct child of a body.
      inside: anyKind("body_statement block_body program then else block do_block"),
    },
  },
  {
    languages: ["php"],
    rule: { kind: "expression_statement", regex: "(?s)^(?:xdebug_break\\(\\)|dd\\(.{0,400}\\));?\\s*$" },
  },
  { languages: ["go"], rule: { kind: "expression_statement", regex: "^runtime\\.Breakpoint\\(\\)$" } },
  {
    languages: ["csharp"],
    rule: {
      kind: "expression_statement",
      regex: "^(?:System\\.Diagnostics\\.)?Debugger\\.(?:Break|Launch)\\(\\);?$",
    },
  },
  {
    languages: ["rust"],
    rule: {
      kind: "macro_invocation",
      regex: "^dbg!",
      not: { inside: { ...withFields("mod_item", { name: "^tests?$" }), stopBy: "end" } },
    },
    severity: "minor",
    detail: "`dbg!` prints to standard error, even in release builds.",
  },
];

/** Functions and classes for breakpoints and dumps call these by design. */
const STOPPING = /^_?(?:dd|dump)|break|debug|trace/i;
const NAMED =
  /^(?:method_declaration|function_definition|function_declaration|class_definition|class_declaration)$/;
const CONDITIONS = /^(?:if_statement|if|unless|if_modifier|preproc_if|preproc_ifdef|statement_clause)$/;

export const leftoverDebugger: TreeRule = {
  kind: "tree",
  id: "leftover-debugger",
  title: "Debugger statement left in",
  severity: "must-fix",
  category: "correctness",
  why: "A breakpoint stops the program and waits for input. On a server or in CI, the program hangs.",
  fix: "Remove the statement.",
  languages: ["javascript", "typescript", "tsx", "python", "ruby", "php", "go", "rust", "csharp"],
  inTests: true,
  trigger:
    /\bdebugger\b|set_trace\(\)|\bbreakpoint\(\)|\bbinding\.\w|\bbyebug\b|\bxdebug_break\b|\bdd\(|\bruntime\.Breakpoint\b|\bdbg!|\bDebugger\.(?:Break|Launch)\b/,
  *check(root, file) {
    if (ABOUT_DEBUGGING.test(file.path) || (file.language === "rust" && file.category === "test")) return;
    const isAskedFor = createAncestorTest(asksForIt);
    for (const { node, match } of findPatterns(STOPS, root, file)) {
      const around = file.lines?.slice(Math.max(match.line - 2, 0), match.line) ?? [];
      if (!around.some((line) => MEANT.test(line)) && !isAskedFor(node)) yield match;
    }
  },
};

/** A condition about debugging, or a function or class made for it. */
function asksForIt(ancestor: SyntaxNode): boolean {
  return (
    (CONDITIONS.test(ancestor.kind()) && /debug/i.test(conditionText(ancestor))) ||
    (NAMED.test(ancestor.kind()) && STOPPING.test(ancestor.field("name")?.text() ?? ""))
  );
}

function conditionText(node: SyntaxNode): string {
  return (node.field("condition") ?? node.namedChildren()[0])?.text() ?? "";
}
