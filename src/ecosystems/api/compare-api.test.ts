/** Which changes of Python, Go, Rust and Java sources are reported, one case per construct. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import type { EcosystemId } from "../ecosystem.ts";
import type { ApiDifference } from "../../languages/api/api-difference.ts";
import { apiFilesOf, compareApi } from "./compare-api.ts";

const syntax = createAstGrepSyntax();

type Files = Readonly<Record<string, string>>;

const NAMES: Partial<Record<EcosystemId, string>> = { go: "example.com/pkg", maven: "org:pkg" };
const MAIN: Partial<Record<EcosystemId, string>> = {
  pypi: "pkg/__init__.py",
  go: "a.go",
  cargo: "src/lib.rs",
  maven: "org/pkg/A.java",
};
const START: Partial<Record<EcosystemId, string>> = { go: "package pkg\n", maven: "package org.pkg;\n" };

function compare(ecosystem: EcosystemId, before: string | Files, after: string | Files): ApiDifference {
  const archive = (side: string | Files) =>
    new Map(
      Object.entries(
        typeof side === "string" ? { [MAIN[ecosystem] ?? ""]: (START[ecosystem] ?? "") + side } : side,
      ),
    );
  const found = compareApi(
    { ecosystem, name: NAMES[ecosystem] ?? "pkg" },
    { before: archive(before), after: archive(after) },
    syntax,
  );
  ok(found !== null);
  return found;
}

function shown({ changes, facts }: ApiDifference): readonly string[] {
  const main = new Set(["pkg", "example.com/pkg", "org.pkg"]);
  const at = (entry: string): string => (main.has(entry) ? "" : ` @${entry}`);
  return [
    ...changes.map(({ entry, name, change }) =>
      change.kind === "changed"
        ? `changed ${name} (${change.aspect})${at(entry)}`
        : change.kind === "renamed"
          ? `renamed ${name} ${change.to}${at(entry)}`
          : `removed ${name}${at(entry)}`,
    ),
    ...facts.map(
      (fact) =>
        `${fact.kind} ${"entry" in fact ? fact.entry : "engine" in fact ? fact.engine : "ability" in fact ? fact.ability : Object.values(fact)[1]}`,
    ),
  ].toSorted();
}

type Case = readonly [string, string | Files, string | Files, readonly string[]];

const PYTHON: readonly Case[] = [
  [
    "functions, classes and constants",
    "def a(): ...\nclass B: ...\nC = 1\n_d = 2\n",
    "",
    ["removed B", "removed C", "removed a"],
  ],
  [
    "parameters",
    "def a(x, y=1): ...\ndef b(x): ...\ndef c(x): ...\ndef d(*args): ...\ndef e(x): ...",
    "def a(x): ...\ndef b(x, y): ...\ndef c(x, y=1, *, z=2): ...\ndef d(): ...\ndef e(x: int) -> str: ...",
    ["changed a (parameters)", "changed b (parameters)", "changed d (parameters)"],
  ],
  ["a renamed parameter", "def a(x): ...", "def a(y): ...", ["changed a (parameters)"]],
  [
    "methods",
    "class A:\n  def b(self, x): ...\n  def c(self): ...\n  @property\n  def d(self): ...\n  def _e(self): ...\n  f = 1",
    "class A:\n  def b(self): ...\n  @property\n  def d(self): ...",
    ["changed A.b (parameters)", "removed A.c", "removed A.f"],
  ],
  [
    "a constructor",
    "class A:\n  def __init__(self, x): ...",
    "class A:\n  def __init__(self, x, y): ...",
    ["changed A (parameters)"],
  ],
  [
    "a method that moved to a base class",
    "class A:\n  def b(self): ...",
    "class _Base:\n  def b(self): ...\nclass A(_Base): ...",
    [],
  ],
  [
    "a base class from elsewhere",
    "class A:\n  def b(self): ...",
    "from other import Base\nclass A(Base): ...",
    [],
  ],
  [
    "an attribute that __init__ sets",
    "class A:\n  b = 1",
    "class A:\n  def __init__(self):\n    self.b = 1",
    [],
  ],
  ["__all__", '__all__ = ["a"]\ndef a(): ...\ndef b(): ...', "", ["removed a"]],
  [
    "re-exports",
    {
      "pkg/__init__.py": "from .sub import a, b as c\nfrom ._x import *",
      "pkg/sub.py": "def a(): ...\ndef b(): ...",
      "pkg/_x.py": "def d(): ...",
    },
    { "pkg/__init__.py": "", "pkg/sub.py": "def a(): ...\ndef b(): ..." },
    ["removed a", "removed c", "removed d"],
  ],
  [
    "a signature behind a re-export",
    { "pkg/__init__.py": "from ._x import a", "pkg/_x.py": "def a(x): ..." },
    { "pkg/__init__.py": "from ._y import a", "pkg/_y.py": "def a(x, y): ..." },
    ["changed a (parameters)"],
  ],
  [
    "imports of a module",
    { "pkg/__init__.py": "", "pkg/sub.py": "import os\nfrom typing import Any\ndef a(): ..." },
    { "pkg/__init__.py": "", "pkg/sub.py": "from .other import a", "pkg/other.py": "def a(): ..." },
    [],
  ],
  [
    "modules",
    { "pkg/__init__.py": "", "pkg/sub.py": "", "pkg/_x.py": "", "tests/test_a.py": "" },
    { "pkg/__init__.py": "" },
    ["entry-removed pkg.sub"],
  ],
  [
    "a source layout",
    { "src/pkg/__init__.py": "def a(): ...", "setup.py": "" },
    { "src/pkg/__init__.py": "", "setup.py": "" },
    ["removed a"],
  ],
  [
    "conditions",
    "try:\n  from _c import a\nexcept ImportError:\n  def a(): ...\nif X:\n  def b(): ...",
    "",
    ["removed a", "removed b"],
  ],
  ["names that appear when it runs", "def a(): ...", "def __getattr__(name): ...", []],
  ["names from another package", "def a(): ...", "from other import *", []],
  [
    "any arguments",
    "class A:\n  def b(*args, **kw): ...",
    "class A:\n  def b(self, x, *args, **kw): ...",
    [],
  ],
];

const GO: readonly Case[] = [
  [
    "functions, types and values",
    "func A() {}\nfunc b() {}\ntype C struct{}\nconst (\n D = 1\n e = 2\n)\nvar F, G int",
    "",
    ["removed A", "removed C", "removed D", "removed F", "removed G"],
  ],
  [
    "parameters",
    "func A(x, y int) {}\nfunc B(x int) {}\nfunc C(x int) error { return nil }\nfunc D(x interface{}) {}",
    "func A(a int, b int) {}\nfunc B(x string) {}\nfunc C(x int) (int, error) { return 0, nil }\nfunc D(x any) {}",
    ["changed B (parameter-types)", "changed C (returns)"],
  ],
  [
    "methods and fields",
    "type A struct { B int; c int }\nfunc (a *A) D() {}\nfunc (a A) E(x int) {}",
    "type A struct {}\nfunc (a A) E(x string) {}",
    ["changed A.E (parameter-types)", "removed A.B", "removed A.D"],
  ],
  [
    "embedded types",
    "type A struct{}\nfunc (a A) B() {}",
    "type base struct{}\ntype Base struct{}\nfunc (b Base) B() {}\ntype A struct{ Base }",
    [],
  ],
  [
    "interfaces",
    "type A interface { B(x int) error; C() }",
    "type A interface { B(x int) error }",
    ["removed A.C"],
  ],
  [
    "folders",
    {
      "a.go": "package pkg",
      "sub/b.go": "package sub\nfunc A() {}",
      "internal/c.go": "package internal\nfunc A() {}",
      "a_test.go": "package pkg\nfunc A() {}",
      "cmd/main.go": "package main\nfunc A() {}",
    },
    { "a.go": "package pkg" },
    ["entry-removed example.com/pkg/sub"],
  ],
  [
    "a new major path",
    { "go.mod": "module example.com/pkg/v2", "a.go": "package pkg\nfunc A() {}" },
    { "go.mod": "module example.com/pkg/v3", "a.go": "package pkg" },
    ["removed A"],
  ],
];

const RUST: readonly Case[] = [
  [
    "items",
    "pub fn a() {}\nfn b() {}\npub struct C;\npub(crate) fn d() {}\npub const E: u8 = 1;\npub trait F {}\npub type G = u8;",
    "",
    ["removed C", "removed E", "removed F", "removed G", "removed a"],
  ],
  [
    "signatures",
    "pub fn a(x: &str) {}\npub fn b() -> u8 { 1 }\npub fn c<'a>(x: &'a str) {}",
    "pub fn a(x: String) {}\npub fn b() -> u16 { 1 }\npub fn c(x: &str) {}",
    ["changed a (parameter-types)", "changed b (returns)"],
  ],
  [
    "members",
    "pub struct A { pub b: u8, c: u8 }\nimpl A { pub fn d(&self) {} fn e() {} }\npub enum F { G, H }\npub trait I { fn j(&self); }",
    "pub struct A {}\npub enum F { G }\npub trait I {}",
    ["removed A.b", "removed A.d", "removed F.H", "removed I.j"],
  ],
  [
    "modules",
    {
      "src/lib.rs": "pub mod a;\nmod b;\npub use b::C;\npub use crate::b::*;",
      "src/a.rs": "pub fn x() {}\npub mod deep { pub fn y() {} }",
      "src/b/mod.rs": "pub struct C;\npub fn d() {}",
    },
    { "src/lib.rs": "pub mod a;", "src/a.rs": "" },
    ["entry-removed pkg::a::deep", "removed C", "removed d", "removed x @pkg::a"],
  ],
  ["macros", "#[macro_export]\nmacro_rules! a { () => {} }\nmacro_rules! b { () => {} }", "", ["removed a"]],
  [
    "tests and hidden items",
    "#[cfg(test)]\nmod tests { pub fn a() {} }\n#[doc(hidden)]\npub fn b() {}",
    "",
    [],
  ],
  ["names that a macro may declare", "pub fn a() {}", "items! { pub fn a() {} }", []],
  ["names from another crate", "pub fn a() {}", "pub use other::*;", []],
];

const JAVA: readonly Case[] = [
  ["types", "public class A {}\nclass B {}\n", "", ["removed A"]],
  [
    "members",
    "public class A { public int b; protected void c() {} void d() {} public A(int x) {} private int e; public static class F {} }",
    "public class A { public A(String x) {} }",
    ["changed A (parameter-types)", "removed A.F", "removed A.b", "removed A.c"],
  ],
  [
    "parameters",
    "public class A { public void b(int x) {} public void c(java.util.List<String> x) {} public int d() { return 1; } }",
    "public class A { public void b(long x) {} public void c(List<Object> x) {} public long d() { return 1; } }",
    ["changed A.b (parameter-types)", "changed A.d (returns)"],
  ],
  [
    "overloads",
    "public class A { public void b(int x) {} public void b(String x) {} }",
    "public class A { public void b(int x) {} }",
    ["changed A.b (parameter-types)"],
  ],
  [
    "interfaces and enums",
    "public interface A { void b(); int C = 1; }",
    "public interface A {}",
    ["removed A.C", "removed A.b"],
  ],
  [
    "enum constants",
    "public enum A { B, C; public void d() {} }",
    "public enum A { B }",
    ["removed A.C", "removed A.d"],
  ],
  [
    "a method that moved to a base class",
    "public class A { public void b() {} }",
    "class Base { public void b() {} }\npublic class A extends Base {}",
    [],
  ],
];

for (const [ecosystem, cases] of [
  ["pypi", PYTHON],
  ["go", GO],
  ["cargo", RUST],
  ["maven", JAVA],
] as const) {
  {
    const suite = `compareApi of ${ecosystem}`;
    for (const [what, before, after, expected] of cases) {
      test(`${suite}: ${what}`, () => deepEqual(shown(compare(ecosystem, before, after)), expected));
      test(`${suite}: ${what}, unchanged`, () => deepEqual(shown(compare(ecosystem, before, before)), []));
    }
  }
}

{
  const suite = "compareApi";
  test(`${suite}: has no answer for other ecosystems`, () => {
    const none = { before: new Map<string, string>(), after: new Map<string, string>() };
    equal(compareApi({ ecosystem: "rubygems", name: "a" }, none, syntax), null);
    equal(apiFilesOf("rubygems"), null);
  });

  test(`${suite}: says when it has no sources`, () => {
    for (const ecosystem of ["npm", "pypi", "go", "cargo", "maven"] as const) {
      const found = compare(ecosystem, {}, {});
      deepEqual(found.changes, []);
      ok(
        found.gaps.some(({ reason }) => reason === "no-source"),
        ecosystem,
      );
    }
  });

  test(`${suite}: reads the files that it asks for`, () => {
    const wants = (ecosystem: EcosystemId, path: string): boolean => apiFilesOf(ecosystem)?.(path) === true;
    ok(wants("npm", "dist/index.d.mts") && wants("npm", "lib/a.cjs") && wants("npm", "package.json"));
    ok(!wants("npm", "dist/a.min.js") && !wants("npm", "README.md") && !wants("npm", "src/a.ts"));
    ok(
      wants("pypi", "pkg/a.py") &&
        wants("go", "go.mod") &&
        wants("cargo", "src/lib.rs") &&
        wants("maven", "a/B.java"),
    );
  });

  test(`${suite}: shows what changed`, () => {
    const [change] = compare(
      "pypi",
      "class A:\n  def __init__(self, x, y=1): ...",
      "class A:\n  def __init__(self, x, z): ...",
    ).changes;
    deepEqual(change?.change, { kind: "changed", aspect: "parameters", before: "(x,y?)", after: "(x,z)" });
  });

  test(`${suite}: limits what it reports`, () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `export declare const a${at}: 1;`).join("\n");
    const files = (text: string): Files => ({ "package.json": '{"types":"i.d.ts"}', "i.d.ts": text });
    const found = compare("npm", files(many), files("export {};"));
    deepEqual([found.changes.length, found.omittedCount], [2_000, 1_000]);
  });

  test(`${suite}: ends with hostile sources`, () => {
    const deep = 800;
    const hostile: readonly (readonly [EcosystemId, string | Files])[] = [
      [
        "pypi",
        `${Array.from({ length: deep }, (_, at) => `${" ".repeat(at)}if x:`).join("\n")}\n${" ".repeat(deep)}a = 1`,
      ],
      ["pypi", { "pkg/__init__.py": "from .a import *", "pkg/a.py": "from . import *\nfrom .a import b\n" }],
      ["pypi", "class A(B): ...\nclass B(A): ..."],
      ["go", `type A struct {${"B struct {".repeat(deep)}${"}".repeat(deep)}}`],
      ["cargo", `${"pub mod a {".repeat(deep)}${"}".repeat(deep)}`],
      [
        "cargo",
        "pub use self::a::*;\npub mod a { pub use super::*; pub use self::b::c; pub mod b { pub use super::*; } }",
      ],
      ["maven", `${"public class A {".repeat(deep)}${"}".repeat(deep)}`],
    ];
    for (const [ecosystem, files] of hostile) deepEqual(shown(compare(ecosystem, files, files)), []);
  });
}
