/** One row per language: the code that declares `it`, and the code that uses it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "./ast-grep.ts";
import type { SyntaxLanguage } from "./syntax.ts";
import { declarationOf } from "./declaration.ts";

const syntax = createAstGrepSyntax();

const ROWS: readonly (readonly [SyntaxLanguage, readonly string[], readonly string[]])[] = [
  [
    "typescript",
    [
      "function it() {}",
      "const it = 1;",
      "class it {}",
      "interface it {}",
      "type it = string;",
      "enum it { a }",
      "class A { it() {} }",
      "class A { it = 1; }",
      "interface A { it: string }",
      "function* it() {}",
      "abstract class A { abstract it(): void }",
    ],
    [
      "it();",
      "a.it();",
      "new it();",
      'import { it } from "x";',
      "export { it };",
      "const a: it = 1;",
      "a = it;",
      "let a = { it: 1 };",
    ],
  ],
  [
    "tsx",
    ["const it = () => <a />;"],
    ["const a = <it />;", "const a = <it>x</it>;", "const a = <b it={1} />;"],
  ],
  ["javascript", ["function it() {}", "class A { it() {} }"], ["it();", "it.x = 1;"]],
  [
    "python",
    ["def it(): pass", "class it: pass", "it = 1", "async def it(): pass"],
    ["it()", "a.it()", "import it", "from a import it", "f(it=1)", "a = it", "@it\ndef f(): pass"],
  ],
  [
    "go",
    [
      "package a\nfunc it() {}",
      "package a\nfunc (s S) it() {}",
      "package a\ntype it struct{}",
      "package a\nvar it = 1",
      "package a\nconst it = 1",
      "package a\nfunc f() { it := 1 }",
      "package a\nfunc f() { a, it := g() }",
      "package a\ntype I interface { it() }",
    ],
    ["package a\nfunc f() { it() }", "package a\nfunc f() { a.it() }", "package a\nfunc f() { a := it }"],
  ],
  [
    "java",
    [
      "class it {}",
      "interface it {}",
      "enum it { A }",
      "class A { void it() {} }",
      "class A { int it = 1; }",
      "record it(int a) {}",
      "class it { it() {} }",
    ],
    [
      "class A { void f() { it(); } }",
      "class A { void f() { a.it(); } }",
      "class A extends it {}",
      "class A { void f() { new it(); } }",
      "@it class A {}",
    ],
  ],
  [
    "rust",
    [
      "fn it() {}",
      "struct it;",
      "enum it { A }",
      "trait it {}",
      "const it: i32 = 1;",
      "mod it {}",
      "type it = i32;",
      "fn f() { let it = 1; }",
      "enum E { it }",
      "macro_rules! it { () => {} }",
    ],
    ["fn f() { it(); }", "fn f() { a.it(); }", "use a::it;", "fn f() { it!(); }", "fn f() -> it { g() }"],
  ],
  [
    "c",
    [
      "int it(void) { return 1; }",
      "int it(void);",
      "int *it(void) { return 0; }",
      "int it = 1;",
      "struct it { int a; };",
      "typedef int it;",
      "enum it { A };",
      "#define it 1",
    ],
    ["int f(void) { return it(); }", "struct it a;", "int a = it;"],
  ],
  [
    "cpp",
    [
      "class it {};",
      "void A::it() {}",
      "namespace it {}",
      "struct A { void it(); };",
      "int it() { return 1; }",
    ],
    ["void f() { it(); }", "void f() { a.it(); }", "class A : public it {};"],
  ],
  [
    "csharp",
    [
      "class it {}",
      "interface it {}",
      "class A { void it() {} }",
      "class A { int it { get; set; } }",
      "class A { int it = 1; }",
      "enum it { A }",
      "record it(int A);",
      "struct it {}",
    ],
    ["class A { void f() { it(); } }", "class A { void f() { a.it(); } }", "class A : it {}"],
  ],
  [
    "kotlin",
    [
      "class it",
      "interface it { }",
      "object it",
      "private fun it() {}",
      "fun <T> List<T>.it(a: T) {}",
      "val it = 1",
      "class A(val it: Int)",
      "enum class A { it }",
      "typealias it = Int",
    ],
    [
      "fun f() { it() }",
      "fun f() { a.it() }",
      "class A : it()",
      "val a: it = b",
      "fun it.a() {}",
      "import a.it",
    ],
  ],
  ["ruby", ["def it; end", "def self.it; end", "it = 1"], ["it()", "a.it", "puts it"]],
  [
    "php",
    [
      "<?php function it() {}",
      "<?php class it {}",
      "<?php class A { function it() {} }",
      "<?php class A { const it = 1; }",
      "<?php class A { public $it = 1; }",
      "<?php interface it {}",
      "<?php trait it {}",
    ],
    [
      "<?php it();",
      "<?php $a->it();",
      "<?php A::it();",
      "<?php new it();",
      "<?php class A { public $a = $it; }",
      "<?php class A { const B = it; }",
    ],
  ],
  ["bash", ["it() { true; }", "function it { true; }", "it=1"], ["it", "echo $it", "echo it"]],
];

for (const [language, declaring, using] of ROWS) {
  test(`${language}: declarations and uses of a name`, () => {
    assert.ok(syntax.supports(language));
    const declares = (text: string): boolean => {
      const nodes = syntax.parse(language, text)?.findAll({ rule: { regex: "^it$" } }) ?? [];
      const leaves = nodes.filter((node) => node.children().length === 0);
      assert.ok(leaves.length > 0, text);
      return leaves.some((node) => declarationOf(node) !== null);
    };
    const wrong = [
      ...declaring.filter((text) => !declares(text)).map((text) => `declares: ${text}`),
      ...using.filter(declares).map((text) => `uses: ${text}`),
    ];
    assert.deepEqual(wrong, []);
  });
}
