/** Outlines of each language: kinds, places, lines, exports and parameters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { outlineFile } from "./outline-file.ts";
import { enclosingDeclaration } from "./outline.ts";

const syntax = createAstGrepSyntax();

/** "1-3 +function a.b(x, y?, ...z)": `+` is exported, `-` isn't. */
function shown(language: string, text: string): readonly string[] | null {
  const outline = outlineFile(language, text, syntax);
  return (
    outline?.map(({ name, containers, kind, startLine, endLine, isExported, parameters }) => {
      const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
      const list = parameters?.map(
        (each) =>
          (each.by === "name" ? "@" : "") +
          (each.isRest ? `...${each.name}` : `${each.name}${each.isOptional ? "?" : ""}`),
      );
      const calls = list === undefined ? "" : `(${list.join(", ")})`;
      return `${lines} ${isExported ? "+" : "-"}${kind} ${[...containers, name].join(".")}${calls}`;
    }) ?? null
  );
}

const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "typescript",
    "exports at the declaration",
    "export function a(x: number, y?: string, z = 1, ...rest: string[]): void {}\nexport const b = 1, c = (x) => 2;\nexport default class D {}\nexport interface E { f(): void }\nexport type G = string;\nexport enum H { I }\nexport declare function j(this: Window): void;\nexport namespace K { export function l() {} function m() {} }",
    [
      "1 +function a(x, y?, z?, ...rest)",
      "2 +variable b",
      "2 +function c(x)",
      "3 +class D",
      "4 +type E",
      "4 +method E.f()",
      "5 +type G",
      "6 +type H",
      "7 +function j()",
      "8 +function K.l()",
      "8 -function K.m()",
    ],
  ],
  [
    "typescript",
    "members of a class",
    "export class A {\n  @dec()\n  static async b({ c }: X) {\n    const d = () => {\n      function e() {}\n    };\n  }\n  #f = 1;\n  private g() {}\n  h = (x) => x;\n  constructor(private i: X) {}\n  abstract j(): void;\n}",
    [
      "1-13 +class A",
      "2-7 +method A.b()",
      "4-6 -function A.b.d()",
      "5 -function A.b.d.e()",
      "8 -variable A.#f",
      "9 -method A.g()",
      "10 +method A.h(x)",
      "11 +method A.constructor(i)",
      "12 +method A.j()",
    ],
  ],
  [
    "javascript",
    "exports elsewhere",
    "function a() {}\nfunction b() {}\nconst c = function () {};\nexport { a, b as bee };\nexport default c;",
    ["1 +function a()", "2 -function b()", "3 +function c()"],
  ],
  ["javascript", "an anonymous default", "export default function (x) {}", ["1 +function default(x)"]],
  [
    "javascript",
    "CommonJS",
    "function a() {}\nexports.b = function (x) {};\nmodule.exports.c = (y) => y;\nmodule.exports = { a, d };\nconst d = 1;\nconst e = () => <div />;",
    ["1 +function a()", "2 +function b(x)", "3 +function c(y)", "5 +variable d", "6 -function e()"],
  ],
  [
    "javascript",
    "functions that are assigned",
    "const api = { a() {}, b: (x) => 1, c: 2 };\nCart.prototype.add = function (x) {};\nuse(() => {\n  function inner() {}\n  const plain = 1;\n});",
    [
      "1 -variable api",
      "1 -method api.a()",
      "1 -method api.b(x)",
      "2 -method Cart.add(x)",
      "4 -function inner()",
    ],
  ],
  [
    "python",
    "functions, classes and names",
    "@dec\ndef a(b, c=1, /, *, d: int, e: int = 2, **f):\n    def g(): pass\n    x = 1\nclass A(B):\n    y: int = 1\n    def m(self, x: int, *z: int): pass\n    @staticmethod\n    def s(x): pass\n    def _p(self): pass\nX = 1\ndef _q(): pass\n",
    [
      "1-4 +function a(b, c?, @d, @e?, @...f)",
      "3 -function a.g()",
      "5-10 +class A",
      "6 +variable A.y",
      "7 +method A.m(x, ...z)",
      "8-9 +method A.s(x)",
      "10 -method A._p()",
      "11 +variable X",
      "12 -function _q()",
    ],
  ],
  [
    "python",
    "__all__",
    '__all__ = ["_a"]\ndef _a(): pass\ndef b(): pass\nif X:\n    def c(): pass\n',
    ["2 +function _a()", "3 -function b()", "5 -function c()"],
  ],
  [
    "go",
    "declarations",
    "package p\ntype A struct { B int }\ntype I interface { M(a int) error }\ntype (\n\tX = Y\n\tz func(a int)\n)\nconst ( C = 1 )\nvar e int\nfunc (a *A[T]) M(x, y int, z ...string) (int, error) {\n\tf := func(a int) {}\n\tg := 1\n}\nfunc F[T any](T) {}\nfunc (u unit) N() {}",
    [
      "2 +class A",
      "3 +class I",
      "3 +method I.M(a)",
      "5 +type X",
      "6 -type z",
      "8 +variable C",
      "9 -variable e",
      "10-13 +method A.M(x, y, ...z)",
      "11 -function A.M.f(a)",
      "14 +function F()",
      "15 -method unit.N()",
    ],
  ],
  [
    "rust",
    "items",
    "#[inline]\npub fn f(mut a: i32, (b, c): (i32, i32)) -> X {\n  let g = |a| 1;\n}\npub(crate) struct S { a: i32 }\nimpl<T> Show for S<T> { fn m(self) {} }\nimpl S { pub fn n(&self, a: i32) {} fn o() {} }\npub trait T { fn m(&self); }\nmod inner { pub const X: i32 = 1; }\nfn p() {}",
    [
      "1-4 +function f(a, )",
      "3 -function f.g(a)",
      "5 +class S",
      "6 +method S.m()",
      "7 +method S.n(a)",
      "7 -function S.o()",
      "8 +class T",
      "8 +method T.m()",
      "9 +variable inner.X",
      "10 -function p()",
    ],
  ],
  [
    "java",
    "members",
    "@A\npublic class C<T> {\n  private int x = 1;\n  C(int a) {}\n  public <T> void m(final int a, String... b) { new X() { void k() {} }; }\n  interface I { void q(); }\n  record R(int a) {}\n}",
    [
      "1-8 +class C",
      "3 -variable C.x",
      "4 +method C.C(a)",
      "5 +method C.m(a, ...b)",
      "5 -method C.m.k()",
      "6 +class C.I",
      "6 +method C.I.q()",
      "7 +class C.R(a)",
    ],
  ],
  [
    "c",
    "functions, prototypes and types",
    "static int f(int a, char *b, ...) { int c = 1; }\nint g(void);\nchar *h(int);\nstruct S { int a; };\ntypedef struct { int b; } T;\ntypedef int (*fp)(int);\n#define X(a) a\nint v = 1;",
    [
      "1 -function f(a, b, ...)",
      "2 +function g()",
      "3 +function h()",
      "4 +class S",
      "5 +type T",
      "6 +type fp",
      "7 +function X(a)",
      "8 +variable v",
    ],
  ],
  [
    "cpp",
    "classes and namespaces",
    "namespace n {\nclass A : public B {\npublic:\n  A(int a = 1);\n  virtual int m(int a) const = 0;\nprivate:\n  void p();\n};\ntemplate <typename T>\nT f(T a) { auto g = [](int a) { return a; }; }\n}\nint A::z(int a) {}\nusing X = Y;\nnamespace { void anon() {} }",
    [
      "2-8 +class n.A",
      "4 +method n.A.A(a?)",
      "5 +method n.A.m(a)",
      "7 -method n.A.p()",
      "9-10 +function n.f(a)",
      "10 -function n.f.g(a)",
      "12 +method A.z(a)",
      "13 +type X",
      "14 -function anon()",
    ],
  ],
  [
    "csharp",
    "types and members",
    'namespace N;\npublic class C {\n  public int P { get; set; }\n  int f = 1;\n  public C(int a) {}\n  public void M(int a, string b = "x", params int[] c) { int L(int q) => q; }\n}\ninterface I { void M(); }\nrecord R(int A);',
    [
      "2-7 +class C",
      "3 +variable C.P",
      "4 -variable C.f",
      "5 +method C.C(a)",
      "6 +method C.M(a, b?, ...c)",
      "6 -function C.M.L(q)",
      "8 +class I",
      "8 +method I.M()",
      "9 +class R(A)",
    ],
  ],
  [
    "kotlin",
    "functions, classes, objects and companions",
    'package a.b\n\n@Ann(1)\ninternal fun <T> List<T>.ext(a: Int, vararg b: String, c: () -> Unit = {}): Int {\n  val local = 1\n  fun inner() {}\n  return 1\n}\ndata class A(val x: Int = 1, y: String) : Base(x) {\n  constructor(a: Int) : this(a, "")\n  private fun p() {}\n  val q: Int get() = 1\n  companion object {\n    fun make(x: Int) = A(x)\n  }\n  init { val z = 1 }\n}\nobject O { fun `a name`() {} }\nsealed interface I { fun f() }\ntypealias F = () -> Unit\nprivate const val K = 1',
    [
      "3-8 +function ext(a, ...b, @c?)",
      "6 -function ext.inner()",
      "9-17 +class A(x?, y)",
      "10 +method A.constructor(a)",
      "11 -method A.p()",
      "12 +variable A.q",
      "14 +method A.Companion.make(x)",
      "18 +class O",
      "18 +method O.a name()",
      "19 +class I",
      "19 +method I.f()",
      "20 +type F",
      "21 -variable K",
    ],
  ],
  [
    "ruby",
    "methods and visibility",
    "class A < B\n  def a; end\n  private\n  def m(a, b = 1, *c, d:, e: 2, **f, &g) end\n  def self.s; end\n  X = 1\nend\nmodule M\n  private def z; end\nend",
    [
      "1-7 +class A",
      "2 +method A.a()",
      "4 -method A.m(a, b?, ...c, @d, @e?, @...f)",
      "5 +method A.s()",
      "6 +variable A.X",
      "8-10 +class M",
      "9 -method M.z()",
    ],
  ],
  [
    "php",
    "functions and classes",
    "<?php\nfunction f(int $a, ?string $b = null, ...$c) {}\nabstract class C {\n  private $p;\n  const X = 1;\n  public function __construct(private int $z) {}\n  private function q() {}\n}\n$g = function ($a) {};",
    [
      "2 +function f(a, b?, ...c)",
      "3-8 +class C",
      "4 -variable C.p",
      "5 +variable C.X",
      "6 +method C.__construct(z)",
      "7 -method C.q()",
      "9 -function g(a)",
    ],
  ],
];

for (const [language, what, text, expected] of CASES) {
  test(`outline of ${language}: ${what}`, () => assert.deepEqual(shown(language, text), expected));
}

test("outline: signatures have no body, one line, and no bytes of another character", () => {
  const text =
    "// é😀\nexport function a(\n  x: number,\n): void {\n  return;\n}\nconst b: Foo = { big: 1 };\n";
  const outline = outlineFile("typescript", text, syntax) ?? [];
  assert.deepEqual(
    outline.map(({ signature, bodyLine }) => [signature, bodyLine]),
    [
      ["export function a( x: number, ): void", 4],
      ["const b: Foo", null],
    ],
  );
  assert.equal(enclosingDeclaration(outline, 5)?.name, "a");
  assert.equal(enclosingDeclaration(outline, 7), null);
});

test("outline: null for other languages, too many declarations, and text that is too large", () => {
  assert.equal(outlineFile("markdown", "# a", syntax), null);
  assert.equal(outlineFile("constructor", "", syntax), null);
  assert.equal(outlineFile("go", "func a(){}\n".repeat(6_000), syntax), null);
  assert.equal(outlineFile("go", " ".repeat(300_000), syntax), null);
  assert.deepEqual(outlineFile("typescript", "function (((", syntax), []);
});
