/** An exception that is created as a whole statement and never thrown. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const JAVASCRIPT = /^new\s+((?:\w*Error|\w*Exception))\s*\(/;

/** The class of an exception that a statement only creates. */
const CREATED: Readonly<Record<string, RegExp>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  csharp: /^new\s+([\w.]*Exception)\s*\(/,
  java: /^new\s+([\w.]*(?:Exception|Error))\s*\(/,
  php: /^new\s+(\\?[\w\\]*(?:Exception|Error))\s*\(/,
  ruby: /^((?:[A-Z]\w*::)*(?:[A-Z]\w*)?Error)\.new(?:\(|\s|$)/,
};

/** A statement of a Ruby body that isn't the body's value. */
function rubyStatements(root: SyntaxNode): readonly SyntaxNode[] {
  return statementListsIn(root, "ruby").flatMap((statements) => statements.slice(0, -1));
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const created = CREATED[language];
  if (created === undefined) return;
  const statements =
    language === "ruby" ? rubyStatements(root) : root.findAll({ rule: { kind: "expression_statement" } });
  for (const statement of statements) {
    const inner = language === "ruby" ? statement : statement.namedChildren()[0];
    if (inner === undefined || !/^(?:new_expression|object_creation_expression|call)$/.test(inner.kind()))
      continue;
    const name = created.exec(inner.text().slice(0, 200))?.[1];
    if (name === undefined || statement.parent()?.kind() === "arrow_function") continue;
    // A Ruby call on the new object, such as `Error.new(x).report`, does something.
    if (language === "ruby" && inner.field("method")?.text() !== "new") continue;
    yield {
      line: linesOf(statement).line,
      title: `Exception never ${language === "ruby" ? "raised" : "thrown"}: ${nameOr(name.replaceAll("\\", ""), "it")} is only created`,
    };
  }
}

export const exceptionNotThrown: TreeRule = {
  kind: "tree",
  id: "exception-not-thrown",
  title: "Exception never thrown: it is only created",
  severity: "must-fix",
  category: "correctness",
  why: "Creating an exception does nothing. The code continues as if the check had passed.",
  fix: "Add `throw` (`raise` in Ruby), or remove the statement.",
  languages: ["javascript", "typescript", "tsx", "csharp", "java", "php", "ruby"],
  inTests: false,
  trigger: /\bnew\s+[\w\\.]*(?:Error|Exception)\s*\(|Error\.new\b/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/a.ts",
        2,
        "export function check(age: number) {\n  if (age < 0) new RangeError('age');\n  return age;\n}\n",
      ),
      bad(
        "A.cs",
        3,
        'class A {\n  void Check(int age) {\n    if (age < 0) new ArgumentException("age");\n  }\n}\n',
      ),
      bad(
        "src/A.java",
        3,
        'class A {\n  void check(int age) {\n    if (age < 0) { new IllegalArgumentException("age"); }\n  }\n}\n',
      ),
      bad(
        "a.php",
        3,
        "<?php\nfunction check($age) {\n  if ($age < 0) { new \\InvalidArgumentException('age'); }\n}\n",
      ),
      bad("a.rb", 2, "def check(age)\n  ArgumentError.new('age')\n  age\nend\n"),
    ],
    good: [
      good(
        "src/a.ts",
        "export function check(age: number) {\n  if (age < 0) throw new RangeError('age');\n  return new Error('x');\n}\n",
      ),
      good("src/b.js", "export const make = () => new Error('x');\nconst e = new Error('x');\n"),
      good("A.cs", 'class A {\n  Exception Make() => new InvalidOperationException("x");\n}\n'),
      good("a.rb", "def make\n  log('x')\n  ArgumentError.new('age')\nend\n"),
      good("b.rb", "def check\n  Report::Error.new('age').send\n  1\nend\n"),
    ],
  },
};
