/** Reports focused tests (`.only`, `fit`, `focus: true`) in test files. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { replaceInLine } from "../lines/replace-in-line.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

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
  examples: {
    bad: [
      bad("src/a.test.ts", 1, 'it.only("adds", () => {\n  expect(1 + 1).toBe(2);\n});\n'),
      bad("test/b.spec.js", 1, 'describe.only("sums", function () {});\n'),
      bad("test/c.spec.js", 2, 'describe("sums", () => {\n  fit("adds", () => {});\n});\n'),
      bad("e2e/d.spec.ts", 1, 'test.describe.only("login", () => {});\n'),
      bad("src/e.test.tsx", 1, "test.only.each([1, 2])(`adds %d`, (n) => check(n));\n"),
      bad(
        "spec/f_spec.rb",
        2,
        'RSpec.describe Sum do\n  it "adds", focus: true do\n    expect(1).to eq(1)\n  end\nend\n',
      ),
      bad("spec/g_spec.rb", 2, 'RSpec.describe Sum do\n  fit "adds" do\n  end\nend\n'),
    ],
    good: [
      good("src/a.test.ts", 'it("adds", () => {});\nconst only = list.only;\n'),
      good("test/b.spec.js", 'const chart = fit("linear");\nfit(points, { width: 3 });\n'),
      good("src/layout.ts", 'describe.only("x", () => {});\n'),
      good("test/c.spec.ts", 'const text = "it.only(\'x\', () => {})";\n// it.only("y", () => {});\n'),
      good(
        "spec/d_spec.rb",
        'it "moves the focus" do\n  page.focus\n  expect(input).to have_attributes(focus: true)\nend\n',
      ),
    ],
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
