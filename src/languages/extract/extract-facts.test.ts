/** Tests the lexers: imports and definitions as tables for each language, and any text in linear time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { countWord, type FileFacts, hashWord } from "../file-facts.ts";
import { decodeFacts, encodeFacts } from "./encode-facts.ts";
import { extractFacts } from "./extract-facts.ts";
import { someRuns } from "../../../test/support/extent.ts";

/** `line kind specifier [alias] {names}`, where an ordinary import has no kind. */
function importsOf({ imports }: FileFacts): readonly string[] {
  return imports.map(({ specifier, kind, names, moduleAlias, line }) => {
    const list = names.map(({ name, as }) => (name === as ? name : `${name} as ${as}`)).join(", ");
    const parts = [kind === "import" ? "" : kind, specifier, moduleAlias === null ? "" : `[${moduleAlias}]`];
    return [`${line}`, ...parts, names.length === 0 ? "" : `{${list}}`]
      .filter((part) => part !== "")
      .join(" ");
  });
}

/** `line kind name`, with a plus sign if it is exported. */
function definitionsOf({ definitions }: FileFacts): readonly string[] {
  return definitions.map(
    ({ name, kind, line, isExported }) => `${line} ${kind} ${isExported ? "+" : ""}${name}`,
  );
}

type Case = {
  readonly language: string;
  readonly name: string;
  readonly text: string;
  readonly imports?: readonly string[];
  readonly definitions?: readonly string[];
  readonly module?: string;
};

const CASES: readonly Case[] = [
  {
    language: "typescript",
    name: "imports in every form",
    text: `#!/usr/bin/env node
import a from "./a.ts";
import b, { c as d, type e, default as f, "odd name" as g } from './b.ts';
import * as h from "h";
import i, * as j from "j";
import "./side.ts";
import type { K } from "./k.ts";
import type L from "./l.ts";
import type from "./type.ts";
import {
  m, // import "not this"
  n,
} from "./m.ts";
import o = require("o");
import p from"./p"; import data from "./data.json" with { type: "json" };
const { q, r: s } = require("./q");
const t = require("./t"), u = require('./u').v;
const w = await import("./w.ts");
const x = lazy(() => import("./x.ts"));
type Y = import("./y.ts").Z;
const url = import.meta.url;
load(\`./\${name}.ts\`, import(\`./dynamic/\${name}.ts\`));
object.require("no");
`,
    imports: [
      "2 ./a.ts {default as a}",
      "3 ./b.ts {default as b, c as d, e, default as f, odd name as g}",
      "4 h [h]",
      "5 j [j] {default as i}",
      "6 ./side.ts",
      "7 ./k.ts {K}",
      "8 ./l.ts {default as L}",
      "9 ./type.ts {default as type}",
      "10 ./m.ts {m, n}",
      "14 o [o]",
      "15 ./p {default as p}",
      "15 ./data.json {default as data}",
      "16 ./q {q, r as s}",
      "17 ./t [t]",
      "17 ./u {v as u}",
      "18 ./w.ts [w]",
      "19 ./x.ts",
      "20 ./y.ts",
    ],
  },
  {
    language: "tsx",
    name: "exports, definitions and what looks like them",
    text: `export * from "./all";
export * as ns from "./ns";
export { a, b as c } from "./named";
export type { T } from "./types";
import { used } from "./used";
import * as space from "./space";
/* export const no = 1; */ // import x from "no";
const text = \`\${(() => { return "}" })()} import y from "no" \`;
const pattern = /["'\`/]*{/g, half = 4 / 2 / 1;
export const [first, { second, third: fourth }] = list;
export default class Cart extends Base<{ a: 1 }> {
  #total = 0;
  static async add(item: Item): Promise<void> { const inner = () => {}; call(item); }
  get size() { return /[/}]/.test("x") ? 1 : 2; }
  constructor() { super(); }
  handle = async () => {};
}
export function Page() {
  return <p title="it's">Don't { used } do this: http://example.org/ </p>;
}
export interface Item<T> { method(): void }
export type Id = string;
export enum Color { Red }
export const enum Size { S }
export declare namespace Shop { const x: number }
export abstract class Shape {}
async function load() {}
function* each() {}
const arrow = async (x) => x, other = 1;
export { load as reload, each, used as given, space };
type = 5;
`,
    imports: [
      "1 re-export ./all {*}",
      "2 re-export ./ns [ns]",
      "3 re-export ./named {a, b as c}",
      "4 re-export ./types {T}",
      "5 ./used {used}",
      "6 ./space [space]",
      "30 re-export ./used {used as given}",
      "30 re-export ./space [space]",
    ],
    definitions: [
      "8 variable text",
      "9 variable pattern",
      "9 variable half",
      "10 variable +first",
      "10 variable +second",
      "10 variable +fourth",
      "11 class +default",
      "11 class +Cart",
      "13 method +add",
      "14 method +size",
      "18 function +Page",
      "21 type +Item",
      "22 type +Id",
      "23 class +Color",
      "24 class +Size",
      "25 module +Shop",
      "26 class +Shape",
      "27 function load",
      "28 function +each",
      "29 function arrow",
      "29 variable other",
      "27 function +reload",
    ],
  },
  {
    language: "javascript",
    name: "CommonJS",
    text: `var fs = require("fs"),
    path = require("path");
function helper() {}
class Tool { run() {} }
module.exports = { helper, Tool, other: 5, method() {}, ...rest };
exports.extra = 1;
module.exports.more = helper;
`,
    imports: ["1 fs [fs]", "2 path [path]"],
    definitions: [
      "1 variable fs",
      "2 variable path",
      "3 function +helper",
      "4 class +Tool",
      "4 method +run",
      "5 variable +other",
      "5 variable +method",
      "6 variable +extra",
      "7 variable +more",
    ],
  },
  {
    language: "javascript",
    name: "a module that is another one, and one default",
    text: `module.exports = require("./lib");\nmodule.exports = main;\nfunction main() {}\n`,
    imports: ["1 re-export ./lib {*}"],
    definitions: ["3 function main", "3 function +default"],
  },
  {
    language: "vue",
    name: "scripts in a component",
    text: `<template><p>import a from "no"</p></template>\n<script setup lang="ts">\nimport Cart from "./Cart.vue";\nconst a = 1;\n</script>\n<style>b {}</style>\n`,
    imports: ["3 ./Cart.vue {default as Cart}"],
    definitions: ["4 variable a"],
  },
  {
    language: "python",
    name: "imports in every form",
    text: `"""
import no
"""
import os, a.b as c
import a.b.c
from . import d
from ..e.f import (  # comment
    g as h,
    i,
)
from .j import *
from k import l, \\
    m as n
try: import fast
except ImportError: import slow
if True:
    from o import p
def f():
    import q
    x = """from no import no"""
    y = r'\\d'; import r
    yield from s
raise A from b
importlib.import_module("t.u")
z = f'{import_}'  # import no
`,
    imports: [
      "4 os [os]",
      "4 a.b [c]",
      "5 a.b.c [a.b.c]",
      "6 . {d}",
      "7 ..e.f {g as h, i}",
      "11 .j {*}",
      "12 k {l, m as n}",
      "14 fast [fast]",
      "15 slow [slow]",
      "17 o {p}",
      "19 q [q]",
      "21 r [r]",
      "24 t.u",
    ],
  },
  {
    language: "python",
    name: "definitions",
    text: `VERSION = "1"
a, _b = 1, 2
c: int = 5
d == e
f.g = 1
@decorator
class Cart(Base):
    field = 1
    def add(self, item={"a": 1}):
        def inner(): pass
        class Local: pass
    async def total(self): ...
    class Meta:
        def nested(self): pass
def helper(
    x: int = (1),
): pass
async def main(): pass
if TYPE_CHECKING:
    class Lazy: pass
    late = 1
type Alias = int
for i in x:
    print(i)
`,
    definitions: [
      "1 variable +VERSION",
      "2 variable +a",
      "2 variable _b",
      "3 variable +c",
      "7 class +Cart",
      "9 method +add",
      "12 method +total",
      "13 class +Meta",
      "14 method +nested",
      "15 function +helper",
      "18 function +main",
      "20 class +Lazy",
      "21 variable +late",
      "22 type +Alias",
    ],
  },
  {
    language: "go",
    name: "imports and definitions",
    text: `// Package shop sells.
package shop

import "fmt"
import (
	"os" // os
	j "encoding/json"
	. "strings"
	_ "embed"
	/* "no" */
)

const Max = 1
const (
	First, second = iota, 1
	Third
)
var cache = map[string]int{"a": 1}
type Cart struct {
	Items []Item
}
type (
	Item struct { Name string }
	id int
)
func New() *Cart { s := \`import "no"\`; return nil }
func (c *Cart) Add(item Item) { func() {}() }
func helper[T any](x T) {}
func init() {}
`,
    module: "shop",
    imports: ["4 fmt", "6 os", "7 encoding/json [j]", "8 strings {*}", "9 embed"],
    definitions: [
      "13 variable +Max",
      "15 variable +First",
      "15 variable second",
      "16 variable +Third",
      "18 variable cache",
      "19 type +Cart",
      "23 type +Item",
      "24 type id",
      "26 function +New",
      "27 method +Add",
      "28 function helper",
    ],
  },
  {
    language: "rust",
    name: "use trees, modules and paths",
    text: `//! use no::no;
/* use no; /* nested */ use no; */
use std::collections::HashMap;
use crate::shop::{self, cart::{Cart, Item as Thing}, *};
pub use self::api::Client;
pub(crate) use super::util as helpers;
use serde;
use ::log::info;
extern crate alloc as a;
mod cart;
pub mod api;
#[path = "other/file.rs"]
mod renamed;
mod inline {
    use super::Cart;
    use super::super::Top;
    mod deep;
    fn f() { super::helper::run(); }
}
fn g<'a>(x: &'a str) -> char { let s = r#"use no::"quoted";"#; crate::shop::total::<u8>(x); '"' }
`,
    imports: [
      "3 std::collections {HashMap}",
      "4 crate::shop [shop]",
      "4 crate::shop::cart {Cart, Item as Thing}",
      "4 crate::shop {*}",
      "5 re-export self::api {Client}",
      "6 re-export super {util as helpers}",
      "7 serde [serde]",
      "8 log {info}",
      "9 alloc [a]",
      "10 module cart [cart]",
      "11 module api [api]",
      "13 module other/file.rs [renamed]",
      "15 self {Cart}",
      "16 super {Top}",
      "17 module deep [deep]",
      "18 self::helper::run",
      "20 crate::shop::total",
    ],
  },
  {
    language: "rust",
    name: "definitions",
    text: `pub struct Cart<'a> { name: &'a str }
enum Kind { A }
pub trait Shape { fn area(&self) -> f64; fn twice(&self) -> f64 { 2.0 } }
impl<'a> Cart<'a> {
    pub const LIMIT: usize = 1;
    pub fn add(&mut self) { fn local() {} struct Hidden; }
    fn hidden(&self) {}
}
pub const fn compute() -> u8 { b'x' }
const MAX: usize = 5;
static mut STATE: u8 = 0;
pub type Alias = u8;
pub async unsafe fn run() {}
macro_rules! make { () => {} }
pub fn r#type() {}
`,
    definitions: [
      "1 class +Cart",
      "2 class Kind",
      "3 type +Shape",
      "3 method area",
      "3 method twice",
      "6 method +add",
      "7 method hidden",
      "9 function +compute",
      "10 variable MAX",
      "11 variable STATE",
      "12 type +Alias",
      "13 function +run",
      "14 function +make",
      "15 function +type",
    ],
  },
  {
    language: "java",
    name: "imports and definitions",
    text: `package com.shop;
import java.util.List;
import java.util.*;
import static com.shop.Util.helper;
// import no.No;
/** class No */
@Entity(name = "class No { void no() {} }")
public final class Cart<T extends Item> extends Base implements Shape {
  public static final String TEXT = """
    class No { }
    """;
  private List<Item> items = new ArrayList<>(call(1));
  public Cart() { super(); }
  @Override public <R> List<R> add(Item item) throws IOException { return new Foo() { void hidden() {} }; }
  abstract int[] total();
  enum Kind { A(1), B(2); int code() { return Cart.class.hashCode(); } }
  interface Visitor { void visit(Cart cart); }
  record Point(int x, int y) { int sum() { return x + y; } }
}
class Other {}
`,
    module: "com.shop",
    imports: ["2 java.util.List {List}", "3 java.util {*}", "4 com.shop.Util {helper}"],
    definitions: [
      "8 class +Cart",
      "9 variable +TEXT",
      "12 variable items",
      "14 method +add",
      "15 method total",
      "16 class Kind",
      "16 method code",
      "17 type Visitor",
      "17 method visit",
      "18 class Point",
      "18 method sum",
      "20 class Other",
    ],
  },
  {
    language: "kotlin",
    name: "imports and definitions",
    text: `package com.shop
import a.b.C
import a.b.D as E
import a.b.*
/* import no /* nested */ import no */
data class Cart(val items: List<Item> = listOf()) : Base(), Shape {
  val total: Int get() = items.sum()
  fun add(item: Item) { fun local() {}; val x = "\${if (a) "}" else "{"} import no" }
  private fun hidden() = 1
  companion object { const val MAX = 1; fun create() = Cart() }
}
class Plain
fun <T> List<T>.second(): T = this[1]
fun interface Action { fun run() }
object Registry { val all = mutableListOf<Cart>() }
typealias Id = String
val listener = object : Listener { override fun on() {} }
internal fun \`spaces in names\`() { val s = """ class No """ }
enum class Kind { A, B }
`,
    module: "com.shop",
    imports: ["2 a.b.C {C}", "3 a.b.D {D as E}", "4 a.b {*}"],
    definitions: [
      "6 class +Cart",
      "7 variable +total",
      "8 method +add",
      "9 method hidden",
      "10 variable +MAX",
      "10 method +create",
      "12 class +Plain",
      "13 function +second",
      "14 type +Action",
      "14 method +run",
      "15 class +Registry",
      "15 variable +all",
      "16 type +Id",
      "17 variable +listener",
      "18 function spaces in names",
      "19 class +Kind",
    ],
  },
  {
    language: "c",
    name: "includes and definitions",
    text: `#include "shop/cart.h"
#  include <stdio.h>
/* #include "no.h" */
#define MAX 10
#define ADD(a, b) \\
  ((a) + (b) {
#if A
static int helper(const char *text, void (*callback)(int))
#else
static int helper(void)
#endif
{
  if (text) { return call('"'); }
}
typedef struct cart { int total; } cart_t;
typedef void (*callback_t)(int);
struct item;
struct item *find_item(struct cart *cart, int id);
struct item { int id; };
enum kind { A, B };
int counter = 0;
const char *name = "int no() {";
EXPORT_MACRO(x)
void
run(void)
{
#ifdef X
  while (1) {
#else
  for (;;) {
#endif
  }
}
int after(int a) { return a; }
`,
    imports: ["1 include shop/cart.h", "2 system stdio.h"],
    definitions: [
      "4 variable +MAX",
      "5 function +ADD",
      "8 function helper",
      "15 class +cart",
      "15 type +cart_t",
      "16 type +callback_t",
      "18 function +find_item",
      "19 class +item",
      "20 class +kind",
      "21 variable +counter",
      "22 variable +name",
      "25 function +run",
      "34 function +after",
    ],
  },
  {
    language: "cpp",
    name: "definitions",
    text: `namespace shop::core {
template <typename T, typename U = std::vector<int>>
class API_EXPORT Cart final : public Base<T> {
 public:
  Cart(int a) : a_(a), b_{1} {}
  ~Cart();
  void add(const Item& item) const;
  int total() const override { return sum(1'000); }
  static Cart create();
};
enum class Color { Red };
using Id = std::string;
}  // namespace shop::core
extern "C" {
int c_function(void);
}
auto text = R"x(class No { )" )x";
void Cart::add(const Item& item) const { auto f = [] { return 1; }; }
std::vector<int> make() { return {}; }
`,
    definitions: [
      "1 module +core",
      "3 class +Cart",
      "5 method +Cart",
      "7 method +add",
      "8 method +total",
      "9 method +create",
      "11 class +Color",
      "12 type +Id",
      "15 function +c_function",
      "17 variable +text",
      "18 method +add",
      "19 function +make",
    ],
  },
  {
    language: "csharp",
    name: "usings and definitions",
    text: `global using System;
using Shop.Core;
using static Shop.Util;
using Alias = Shop.Models.Cart;
namespace Shop.Web
{
    public interface IShape { double Area(); }
    [Route("class No {")]
    public class Cart<T> : Base where T : class
    {
        private readonly string text = @"class ""No"" {", other = $"{(a ? "}" : "{")}";
        public int Count { get; set; }
        public string Name => $@"{x} class No";
        public Cart() : base(1) { }
        public async Task<List<T>> Add<R>(R item) { using var x = Open(); using (var y = Open()) { } return null; }
        internal void Run(string raw = """ class No { """) => Call();
    }
    public record Point(int X, int Y);
    public enum Kind { A, B }
    struct Size { public int Area() => 1; }
}
`,
    module: "Shop.Web",
    imports: [
      "1 re-export System {*}",
      "2 Shop.Core {*}",
      "3 Shop.Util {*}",
      "4 Shop.Models.Cart {Cart as Alias}",
    ],
    definitions: [
      "7 type +IShape",
      "7 method Area",
      "9 class +Cart",
      "11 variable text",
      "12 variable +Count",
      "13 variable +Name",
      "15 method +Add",
      "16 method +Run",
      "18 class +Point",
      "19 class +Kind",
      "20 class Size",
      "20 method +Area",
    ],
  },
  {
    language: "ruby",
    name: "requires and definitions",
    text: `# require "no"
require "json"
require_relative "cart/item"
require_relative "../lib"
require "dynamic/#{name}"
autoload :Cart, "shop/cart"
=begin
require "no"
=end
module Shop
  class Admin::Cart < Base
    MAX = 5
    MAX == 6
    SQL = <<~SQL.strip
      def no
      class No
    SQL
    def add(item) = items << item
    def empty? ; end
    def name=(value); end
    def self.create; %w[def no]; end
    pattern = /def "no/
    private
    def hidden; a / b; end
    private def other; end
  end
end
def helper
  load "x.rb"
end
__END__
def no
`,
    imports: ["2 json", "3 ./cart/item", "4 ../lib", "6 shop/cart {Cart}", "29 x.rb"],
    definitions: [
      "10 module +Shop",
      "11 class +Cart",
      "12 variable +MAX",
      "14 variable +SQL",
      "18 method +add",
      "19 method +empty?",
      "20 method +name=",
      "21 method +create",
      "24 method hidden",
      "25 method other",
      "28 function +helper",
    ],
  },
  {
    language: "php",
    name: "uses and definitions",
    text: `<html><?= "class No {" ?>
<?php
namespace App\\Shop;
use App\\Models\\Cart;
use App\\Models\\{Item, Order as Purchase, function total};
use function App\\helper;
use \\App\\Root as R, App\\Other;
// use No\\No; ?> use No\\No; <?php
require_once __DIR__ . '/lib/a.php';
require("b.php");
include dirname(__FILE__) . "/c.php";
include $dynamic . "/no.php";
#[Attribute]
final class Shop extends Base {
  use SomeTrait;
  const MAX = 5;
  private $x = fn() => 1;
  public function add(Item $item): void { $f = function () use ($item) {}; $this->class; Foo::class; }
  private static function hidden() { return <<<EOT
class No {
  EOT; }
}
interface Shape { public function area(); }
trait Named {}
enum Kind: string { case A = "a"; }
function helper() { return new class { function no() {} }; }
const VERSION = "1";
`,
    module: "App\\Shop",
    imports: [
      "4 App\\Models\\Cart {Cart}",
      "5 App\\Models\\Item {Item}",
      "5 App\\Models\\Order {Order as Purchase}",
      "5 App\\Models\\total {total}",
      "6 App\\helper {helper}",
      "7 App\\Root {Root as R}",
      "7 App\\Other {Other}",
      "9 include ./lib/a.php",
      "10 include b.php",
      "11 include ./c.php",
    ],
    definitions: [
      "14 class +Shop",
      "16 variable +MAX",
      "18 method +add",
      "19 method hidden",
      "23 type +Shape",
      "23 method +area",
      "24 class +Named",
      "25 class +Kind",
      "26 function +helper",
      "27 variable +VERSION",
    ],
  },
];

for (const { language, name, text, imports, definitions, module } of CASES) {
  test(`${language}: ${name}`, () => {
    const facts = extractFacts(language, text);
    if (imports !== undefined) assert.deepEqual(importsOf(facts), imports);
    if (definitions !== undefined) assert.deepEqual(definitionsOf(facts), definitions);
    assert.equal(facts.module, module ?? null);
    const windows = extractFacts(language, text.replaceAll("\n", "\r\n"));
    assert.deepEqual([importsOf(windows), definitionsOf(windows)], [importsOf(facts), definitionsOf(facts)]);
  });
}

test("words are counted in code, comments and strings, whatever the language", () => {
  const { words } = extractFacts("unknown", "// cart Cart\nconst cart = 'naïve cart'; ab 123 x_1 $price");
  const count = (word: string): number => countWord(words, hashWord(word));
  assert.deepEqual(
    ["cart", "Cart", "const", "naïve", "x_1", "price", "ab", "123", "other"].map(count),
    [3, 1, 1, 1, 1, 1, 0, 0, 0],
  );
  assert.equal(words.total, 8);
  const many = extractFacts(
    "unknown",
    Array.from({ length: 5_000 }, (_, index) => `word_${index}`).join(" "),
  );
  assert.equal(many.words.hashes.length, new Set(many.words.hashes).size);
  assert.deepEqual(many.words.hashes, many.words.hashes.toSorted());
  assert.equal(countWord(extractFacts("unknown", "many ".repeat(70_000)).words, hashWord("many")), 65_535);
});

test("facts survive encoding, and any other text is refused", () => {
  for (const { language, text } of CASES) {
    const facts = extractFacts(language, text);
    assert.deepEqual(decodeFacts(encodeFacts(facts)), facts);
  }
  const good = encodeFacts(extractFacts("python", "import os\ndef f(): pass\n"));
  for (const bad of [
    "",
    "null",
    "[]",
    "{}",
    good.slice(0, -3),
    good.replace('"os"', "5"),
    good.replace("[[", "[[5,["),
  ]) {
    assert.equal(decodeFacts(bad), null, bad);
  }
  fc.assert(fc.property(fc.json(), (json) => decodeFacts(json) === null || json.startsWith("[")));
});

const LANGUAGES = [...new Set(CASES.map(({ language }) => language)), "svelte", "unknown"];

const PIECES = CASES.flatMap(({ text }) => text.split(/(\s+)/));

test("any text has facts", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...LANGUAGES), anything, (language, text) => {
      const facts = extractFacts(language, text);
      const lines = text.split("\n").length;
      return [...facts.imports, ...facts.definitions].every(({ line }) => line >= 1 && line <= lines);
    }),
    { numRuns: someRuns(1_000) },
  );
});
