/** A function whose only statement calls itself with its own arguments. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionKindsOf } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const KINDS: Readonly<Record<string, readonly string[]>> = {
  c: ["function_definition"],
  cpp: ["function_definition"],
  go: ["function_declaration", "method_declaration"],
  java: ["method_declaration"],
  csharp: ["method_declaration"],
  php: ["function_definition", "method_declaration"],
};

/** A longer function has more than one statement. */
const MAX_CHARS = 600;

type Head = { readonly name: string; readonly parameters: readonly string[]; readonly receiver: string };

function headOf(node: SyntaxNode, language: string): Head | null {
  const declarator = node.field("declarator");
  const name = (node.field("name") ?? declarator?.field("declarator"))?.text() ?? "";
  const list = node.field("parameters") ?? declarator?.field("parameters");
  if (!/^\w+[?!]?$/.test(name)) return null;
  // Such a method implements an interface by calling the public method of the same name.
  if (node.namedChildren().some((child) => child.kind() === "explicit_interface_specifier")) return null;
  // An overload for another kind of reference.
  if (list?.text().includes("&&") === true) return null;
  const parameters = (list?.namedChildren() ?? [])
    .filter((child) => !/comment|self_parameter/.test(child.kind()))
    .map((child) => nameOfParameter(child, language));
  const receiver = /^\(\s*(\w+)/.exec(node.field("receiver")?.text() ?? "")?.[1] ?? "";
  return { name, parameters, receiver };
}

function nameOfParameter(node: SyntaxNode, language: string): string {
  if (language === "go" || language === "rust") return /^(?:mut\s+)?(\w+)/.exec(node.text())?.[1] ?? "?";
  return /(\$?\w+)\s*(?:\[\s*\])?$/.exec(node.text())?.[1] ?? "?";
}

/** The only statement of the body, without `return` and the final semicolon. */
function onlyStatement(node: SyntaxNode): string | null {
  const body = node.field("body");
  if (body === null) return null;
  const text = body
    .text()
    .replace(/^=>|^\{|\}$/g, "")
    .trim()
    .replace(/^return\b/, "")
    .replace(/;$/, "")
    .trim();
  return /[;{}\n]/.test(text) ? null : text;
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kinds = KINDS[language] ?? functionKindsOf(language);
  for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const { start, end } = node.range();
    if (end.index - start.index > MAX_CHARS) continue;
    const head = headOf(node, language);
    const statement = head === null ? null : onlyStatement(node);
    if (head === null || statement === null || !callsItself(head, statement, language)) continue;
    // A method of a trait may call an inherent method of the same name.
    if (
      language === "rust" &&
      /^\s*impl\b[^{]*\bfor\b/.test(node.parent()?.parent()?.text().slice(0, 300) ?? "")
    )
      continue;
    yield {
      ...linesOf(node),
      endLine: linesOf(node).line,
      title: `Infinite recursion: ${nameOr(head.name, "a function")} only calls itself and never returns`,
    };
  }
}

const OWNERS: Readonly<Record<string, string>> = {
  go: "",
  ruby: "self.",
  php: "$this->",
  rust: "self.",
  cpp: "this->",
};

function callsItself({ name, parameters, receiver }: Head, statement: string, language: string): boolean {
  const owner = language === "go" ? (receiver === "" ? "" : `${receiver}.`) : (OWNERS[language] ?? "this.");
  const call = `${name}(${parameters.join(",")})`;
  const written = statement.replaceAll(/\s+(?!\w)|(?<!\w)\s+/g, "");
  const isBare = language !== "php" && language !== "rust" && !(language === "go" && receiver !== "");
  if (written === `${owner}${call}` || (isBare && written === call)) return true;
  return language === "ruby" && parameters.length === 0 && written === `self.${name}`;
}

export const infiniteRecursion: TreeRule = {
  kind: "tree",
  id: "infinite-recursion",
  title: "Infinite recursion: a function only calls itself and never returns",
  severity: "must-fix",
  category: "correctness",
  why: "Every call calls the same function again with the same arguments until the stack overflows.",
  fix: "Call the intended function, or read the field instead of its accessor.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /\w\s*\(|\bself\.\w/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad("src/User.java", 2, "class User {\n  String getName() {\n    return getName();\n  }\n}\n"),
      bad("src/user.go", 3, "package a\n\nfunc (u *User) Name() string {\n\treturn u.Name()\n}\n"),
      bad("src/User.cs", 2, "class User {\n  public void Save(Order order) => this.Save(order);\n}\n"),
      bad("src/user.php", 2, "<?php class User {\n  function name($a) { return $this->name($a); }\n}\n"),
      bad("src/user.c", 1, "int size(struct user *u) { return size(u); }\n"),
      bad("lib/user.rb", 1, "def name\n  self.name\nend\n"),
      bad("src/user.rs", 2, "impl User {\n    fn name(&self) -> &str { self.name() }\n}\n"),
    ],
    good: [
      good(
        "src/User.java",
        "class User {\n  String getName() {\n    return user.getName();\n  }\n  void f(int a) { f(a - 1); }\n}\n",
      ),
      good("src/List.cs", "class List {\n  IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();\n}\n"),
      good("src/A.java", "class A {\n  static A newA(int n) {\n    return new A(n);\n  }\n}\n"),
      good("src/user.rs", "impl Named for User {\n    fn name(&self) -> &str { self.name() }\n}\n"),
      good(
        "src/user.go",
        "package a\n\nfunc (u *User) Name() string {\n\treturn u.inner.Name()\n}\n\nfunc (u *User) Save() { Save() }\n",
      ),
      good(
        "src/user.php",
        "<?php class User {\n  function trim($a) { return trim($a); }\n  function up() { return parent::up(); }\n}\n",
      ),
      good("lib/user.rb", "def name\n  super\nend\n\ndef go(n)\n  self.go(n - 1)\nend\n"),
    ],
  },
};
