/** Which uses of a changed export are reported, from the texts of a small repository before and after, and where the check is silent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenBy, type Files, shown } from "../../../test/support/broken-by.ts";

type Case = readonly [what: string, repository: Files, change: Files, expected: readonly string[]];

const TS = "export function add(id: string): string {\n  return id.trim().toLowerCase();\n}\n";
const TS_MORE = TS.replace("id: string", "id: string, size: number");
const use = (line: string): string => `import { add } from "./cart.ts";\n${line}\n`;

const ASYNC = "export async function load(id: string): Promise<string> {\n  return id;\n}\n";

const TYPESCRIPT: readonly Case[] = [
  [
    "calls behind await",
    {
      "cart.ts": ASYNC,
      "shop.ts":
        'import { load } from "./cart.ts";\n\nexport async function shop() {\n  const one = await load("a");\n  return (await load("b")).trim();\n}\n',
    },
    { "cart.ts": ASYNC.replace("id: string", "id: string, size: number") },
    ["calls load: shop.ts:4 shop.ts:5"],
  ],
  [
    "a removed export that is imported",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": "" },
    ["removed add: shop.ts:1"],
  ],
  [
    "a renamed export",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": TS.replace("add", "put") },
    ["removed add (now put): shop.ts:1"],
  ],
  [
    "only the keyword is removed",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": TS.replace("export ", "") },
    ["removed add: shop.ts:1"],
  ],
  [
    "a member of the module",
    { "cart.ts": TS, "shop.ts": 'import * as cart from "./cart";\n\ncart.add("a");\ncart.size();\n' },
    { "cart.ts": "export const size = () => 1;\n" },
    ["removed add: shop.ts:3"],
  ],
  [
    "a re-export",
    { "cart.ts": TS, "index.ts": 'export { add } from "./cart.ts";\n' },
    { "cart.ts": "" },
    ["removed add: index.ts:1"],
  ],
  [
    "a type",
    { "cart.ts": "export type Id = string;\n", "shop.ts": 'import type { Id } from "./cart.ts";\n' },
    { "cart.ts": "" },
    ["removed Id: shop.ts:1"],
  ],
  [
    "a default export",
    { "cart.ts": "export default function () {}\n", "shop.ts": 'import anything from "./cart.ts";\n' },
    { "cart.ts": "export const a = 1;\n" },
    ["removed default: shop.ts:1"],
  ],
  ["a deleted file", { "cart.ts": TS, "shop.ts": use("") }, { "cart.ts": null }, ["removed add: shop.ts:1"]],
  [
    "CommonJS",
    {
      "cart.js": "function add() {}\nmodule.exports = { add, size: 1 };\n",
      "shop.js": 'const { add } = require("./cart");\nconst cart = require("./cart.js");\ncart.add();\n',
    },
    { "cart.js": "module.exports = { size: 1 };\n" },
    ["removed add: shop.js:1 shop.js:3"],
  ],
  [
    "calls with too few arguments",
    { "cart.ts": TS, "shop.ts": use('add("a");\nadd("a", 1);\nconst b = { add };\n[].map(add);') },
    { "cart.ts": TS_MORE },
    ["calls add: shop.ts:2"],
  ],
  [
    "calls through a namespace, an alias and a barrel",
    {
      "cart.ts": TS,
      "index.ts": 'export { add } from "./cart.ts";\n',
      "far.ts": 'import { add as put } from "./index.ts";\nput("a");\n',
      "near.ts": 'import * as cart from "./cart.ts";\ncart.add("a");\n',
    },
    { "cart.ts": TS_MORE },
    ["calls add: far.ts:2 near.ts:2"],
  ],
  [
    "a constructor",
    {
      "cart.ts": "export class Cart {\n  constructor(id: string) {}\n}\n",
      "shop.ts": 'import { Cart } from "./cart.ts";\nnew Cart("a");\n',
    },
    { "cart.ts": "export class Cart {\n  constructor(id: string, size: number) {}\n}\n" },
    ["calls Cart: shop.ts:2"],
  ],
  [
    "calls with too many arguments",
    { "cart.ts": TS_MORE, "shop.ts": use('add("a", 1);') },
    { "cart.ts": TS },
    ["calls add: shop.ts:2"],
  ],
  [
    "a path of tsconfig.json",
    {
      "tsconfig.json": '{"compilerOptions":{"paths":{"~/*":["./src/*"]}}}',
      "src/cart.ts": TS,
      "src/shop.ts": 'import { add } from "~/cart";\nadd("a");\n',
    },
    { "src/cart.ts": TS_MORE },
    ["calls add: src/shop.ts:2"],
  ],
  [
    "adapted calls",
    { "cart.ts": TS, "shop.ts": use('add("a");') },
    { "cart.ts": TS_MORE, "shop.ts": use('add("a", 1);') },
    [],
  ],
  [
    "a new optional parameter",
    { "cart.ts": TS, "shop.ts": use('add("a");') },
    { "cart.ts": TS_MORE.replace("size:", "size?:") },
    [],
  ],
  ["a spread", { "cart.ts": TS, "shop.ts": use("add(...all);") }, { "cart.ts": TS_MORE }, []],
  [
    "a name that is declared again",
    { "cart.ts": TS, "shop.ts": use('function f(add) { add("a"); }') },
    { "cart.ts": TS_MORE },
    [],
  ],
  [
    "an expected error",
    { "cart.ts": TS, "shop.ts": use('// @ts-expect-error\nadd("a");') },
    { "cart.ts": TS_MORE },
    [],
  ],
  [
    "a mocked module",
    { "cart.ts": TS, "shop.test.ts": use('vi.mock("./cart.ts");\nadd("a");') },
    { "cart.ts": TS_MORE },
    [],
  ],
  [
    "overloads",
    { "cart.ts": TS, "shop.ts": use('add("a");') },
    { "cart.ts": `export function add(id: string, size: number): string;\n${TS_MORE}` },
    [],
  ],
  [
    "untyped parameters",
    { "cart.js": "export function add(id) {}\n", "shop.js": 'import { add } from "./cart.js";\nadd(1);\n' },
    { "cart.js": "export function add(id, size) {}\n" },
    [],
  ],
  [
    "export * from another file",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": 'export * from "./other.ts";\n' },
    [],
  ],
  [
    "a re-export in its place",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": 'export { add } from "./other.ts";\n' },
    [],
  ],
  [
    "an alias",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": "const put = 1;\nexport { put as add };\n" },
    [],
  ],
  [
    "computed exports",
    { "cart.js": "exports.add = 1;\n", "shop.js": 'const { add } = require("./cart");\n' },
    { "cart.js": "Object.assign(exports, all);\n" },
    [],
  ],
  [
    "another module of the same name",
    { "a/cart.ts": TS, "b/cart.ts": TS, "b/shop.ts": use("") },
    { "a/cart.ts": "" },
    [],
  ],
  ["another package", { "cart.ts": TS, "shop.ts": 'import { add } from "cart";\n' }, { "cart.ts": "" }, []],
  [
    "a file in the place of the deleted one",
    { "cart.ts": TS, "shop.ts": 'import { add } from "./cart";\n' },
    { "cart.ts": null, "cart/index.ts": TS },
    [],
  ],
  [
    "a file that doesn't parse",
    { "cart.ts": TS, "shop.ts": use("") },
    { "cart.ts": "export function (((\n" },
    [],
  ],
];

const PY = "def add(item, size=1):\n    return item\n";
const PY_MORE = PY.replace("item,", "item, kind,");
const from = (line: string): string => `from shop.cart import add\n${line}\n`;
const SHOP = { "pyproject.toml": "", "shop/__init__.py": "", "shop/cart.py": PY };

const PYTHON: readonly Case[] = [
  [
    "calls behind await",
    {
      ...SHOP,
      "shop/load.py": "async def load(item):\n    return item\n",
      "shop/a.py":
        "from shop.load import load\n\n\nasync def shop():\n    one = await load(1)\n    return (await load(2)).size\n",
    },
    { "shop/load.py": "async def load(item, size):\n    return item\n" },
    ["calls load: shop/a.py:5 shop/a.py:6"],
  ],
  [
    "a removed function",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": "" },
    ["removed add: shop/a.py:1"],
  ],
  [
    "relative imports and modules",
    {
      ...SHOP,
      "shop/a.py": "from .cart import add\n",
      "shop/b.py": "from . import cart\ncart.add(1)\n",
      "c.py": "import shop.cart\n\nshop.cart.add(1)\n",
      "d.py": "import shop.cart as k\nk.add(1)\n",
    },
    { "shop/cart.py": "" },
    ["removed add: c.py:3 d.py:2 shop/a.py:1 shop/b.py:2"],
  ],
  [
    "a name of __init__.py",
    { ...SHOP, "shop/__init__.py": "from .cart import add\n", "a.py": "from shop import add\n" },
    { "shop/__init__.py": "" },
    ["removed add: a.py:1"],
  ],
  [
    "calls",
    {
      ...SHOP,
      "shop/a.py": from("add(1)\nadd(1, 2)\nadd(1, kind=2)\nadd(1, size=3)\nadd(*all)\nadd(1, **more)"),
    },
    { "shop/cart.py": PY_MORE },
    ["calls add: shop/a.py:2 shop/a.py:5"],
  ],
  [
    "a keyword that is gone",
    { ...SHOP, "shop/a.py": from("add(1, size=3)\nadd(1)") },
    { "shop/cart.py": "def add(item):\n    return item\n" },
    ["calls add: shop/a.py:2"],
  ],
  [
    "too many arguments",
    { ...SHOP, "shop/a.py": from("add(1, 2)") },
    { "shop/cart.py": "def add(item):\n    return item\n" },
    ["calls add: shop/a.py:2"],
  ],
  [
    "through __init__.py",
    { ...SHOP, "shop/__init__.py": "from shop.cart import add\n", "a.py": "from shop import add\nadd(1)\n" },
    { "shop/cart.py": PY_MORE },
    ["calls add: a.py:2"],
  ],
  [
    "a constructor",
    {
      ...SHOP,
      "shop/box.py": "class Box:\n    def __init__(self, a):\n        pass\n",
      "a.py": "from shop.box import Box\nBox(1)\n",
    },
    { "shop/box.py": "class Box:\n    def __init__(self, a, b):\n        pass\n" },
    ["calls Box: a.py:2"],
  ],
  [
    "a deleted module",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": null },
    ["removed add: shop/a.py:1"],
  ],
  ["a decorator", { ...SHOP, "shop/a.py": from("add(1)") }, { "shop/cart.py": `@wraps\n${PY_MORE}` }, []],
  [
    "any arguments",
    { ...SHOP, "shop/a.py": from("add(1)") },
    { "shop/cart.py": "def add(*args, **kwargs):\n    pass\n" },
    [],
  ],
  [
    "a fallback import",
    { ...SHOP, "shop/a.py": "try:\n    from shop.cart import add\nexcept ImportError:\n    add = None\n" },
    { "shop/cart.py": "" },
    [],
  ],
  [
    "an import for the type checker",
    { ...SHOP, "shop/a.py": "if TYPE_CHECKING:\n    from shop.cart import add\n" },
    { "shop/cart.py": "" },
    [],
  ],
  [
    "a name that appears when the module runs",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": "def __getattr__(name):\n    return 1\n" },
    [],
  ],
  [
    "a star import in its place",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": "from .other import *\n" },
    [],
  ],
  [
    "an import in its place",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": "from .other import add\n" },
    [],
  ],
  [
    "an alias",
    { ...SHOP, "shop/a.py": from("") },
    { "shop/cart.py": `${PY.replace("add", "put")}add = put\n` },
    [],
  ],
  [
    "a name that is assigned again",
    { ...SHOP, "shop/a.py": from("add = 1\nadd(1)") },
    { "shop/cart.py": PY_MORE },
    [],
  ],
  [
    "an expected error",
    { ...SHOP, "shop/a.py": from("with pytest.raises(TypeError):\n    add(1)") },
    { "shop/cart.py": PY_MORE },
    [],
  ],
  [
    "a method of the same name",
    { ...SHOP, "shop/a.py": from("cart.add(1)\nself.add(2)") },
    { "shop/cart.py": PY_MORE },
    [],
  ],
  [
    "a base class",
    {
      ...SHOP,
      "shop/box.py": "class Box(Base):\n    def __init__(self, a):\n        pass\n",
      "a.py": "from shop.box import Box\nBox(1)\n",
    },
    { "shop/box.py": "class Box(Base):\n    def __init__(self, a, b):\n        pass\n" },
    [],
  ],
  [
    "a module that the file imports for itself",
    { ...SHOP, "shop/cart.py": "import json\n", "shop/a.py": "from shop.cart import json\n" },
    { "shop/cart.py": "" },
    [],
  ],
  [
    "the standard library",
    { ...SHOP, "json.py": PY, "shop/a.py": "from json import add\n" },
    { "json.py": "" },
    [],
  ],
];

const GO_FILE = "package cart\n\nfunc Add(id int) {}\n\nvar ErrEmpty = 1\n";
const GO_MORE = GO_FILE.replace("id int", "id, size int");
const MODULE = { "go.mod": "module example.com/shop\n", "cart/cart.go": GO_FILE };
const main = (line: string, path = '"example.com/shop/cart"'): string =>
  `package main\n\nimport ${path}\n\nfunc main() {\n\t${line}\n}\n`;

const GO: readonly Case[] = [
  [
    "a removed function",
    { ...MODULE, "main.go": main("cart.Add(1)") },
    { "cart/cart.go": "package cart\n" },
    ["removed Add: main.go:6"],
  ],
  [
    "an alias of the import",
    { ...MODULE, "main.go": main("c.Add(1)", 'c "example.com/shop/cart"') },
    { "cart/cart.go": "package cart\n" },
    ["removed Add: main.go:6"],
  ],
  [
    "a file of the same package",
    {
      ...MODULE,
      "cart/use.go": "package cart\n\nfunc use() {\n\tAdd(1)\n\t_ = T{ErrEmpty: 2}\n\tprintln(ErrEmpty)\n}\n",
    },
    { "cart/cart.go": "package cart\n" },
    ["removed Add: cart/use.go:4", "removed ErrEmpty: cart/use.go:6"],
  ],
  [
    "calls",
    { ...MODULE, "main.go": main("cart.Add(1)\n\tcart.Add(1, 2)\n\tcart.Add(two())\n\tcart.Add(all...)") },
    { "cart/cart.go": GO_MORE },
    ["calls Add: main.go:6"],
  ],
  [
    "a type",
    { ...MODULE, "cart/t.go": "package cart\n\ntype Box struct{}\n", "main.go": main("var b cart.Box") },
    { "cart/t.go": "package cart\n" },
    ["removed Box: main.go:6"],
  ],
  [
    "another file of the package has it now",
    { ...MODULE, "main.go": main("cart.Add(1)") },
    {
      "cart/cart.go": "package cart\n\nvar ErrEmpty = 1\n",
      "cart/add.go": "package cart\n\nfunc Add(id int) {}\n",
    },
    [],
  ],
  [
    "one for each system",
    {
      ...MODULE,
      "cart/cart_windows.go": "package cart\n\nfunc Add(id int) {}\n",
      "main.go": main("cart.Add(1)"),
    },
    { "cart/cart.go": GO_MORE },
    [],
  ],
  [
    "a variable with the package's name",
    { ...MODULE, "main.go": main("cart := New()\n\tcart.Add(1)") },
    { "cart/cart.go": GO_MORE },
    [],
  ],
  [
    "another package",
    { ...MODULE, "main.go": main("cart.Add(1)", '"example.com/other/cart"') },
    { "cart/cart.go": GO_MORE },
    [],
  ],
  [
    "a file that isn't built",
    { ...MODULE, "main.go": `//go:build ignore\n\n${main("cart.Add(1)")}` },
    { "cart/cart.go": GO_MORE },
    [],
  ],
  [
    "more parameters than one, all variadic",
    { ...MODULE, "main.go": main("cart.Add(1)") },
    { "cart/cart.go": GO_FILE.replace("id int", "ids ...int") },
    [],
  ],
  [
    "methods",
    { ...MODULE, "cart/m.go": "package cart\n\nfunc (c *C) Put(a int) {}\n", "main.go": main("c.Put(1)") },
    { "cart/m.go": "package cart\n\nfunc (c *C) Put(a, b int) {}\n" },
    [],
  ],
];

const CLASS =
  "export class Cart {\n  add(id: string): void {}\n  static of(id: string) {\n    return new Cart();\n  }\n}\n";
const CLASS_MORE = CLASS.replace("add(id: string)", "add(id: string, size: number)").replace(
  "of(id: string)",
  "of(id: string, size: number)",
);
const shop = (lines: string): string => `import { Cart } from "./cart.ts";\n${lines}\n`;

const METHODS: readonly Case[] = [
  [
    "calls on variables, parameters and fields of the class, and on the class",
    {
      "cart.ts": CLASS,
      "a.ts": shop('const cart = new Cart();\ncart.add("a");\nCart.of("a");\nawait Cart.of("a");'),
      "b.ts": shop('export function put(cart: Cart) {\n  return cart?.add("a");\n}'),
      "c.ts": shop(
        'class Shop {\n  constructor(private readonly cart: Cart) {}\n  buy() {\n    this.cart.add("a");\n  }\n}',
      ),
    },
    { "cart.ts": CLASS_MORE },
    ["calls Cart.add: a.ts:3 b.ts:3 c.ts:5", "calls Cart.of: a.ts:4 a.ts:5"],
  ],
  [
    "a removed method",
    { "cart.ts": CLASS, "a.ts": shop('const cart = new Cart();\ncart.add("a");') },
    { "cart.ts": CLASS.replace("  add(id: string): void {}\n", "") },
    ["removed Cart.add: a.ts:3"],
  ],
  ["adapted calls", { "cart.ts": CLASS, "a.ts": shop('Cart.of("a", 1);') }, { "cart.ts": CLASS_MORE }, []],
  [
    "variables of the same name, other types and another class",
    {
      "cart.ts": CLASS,
      "a.ts": shop('const cart = new Cart();\nfunction f(cart) {\n  cart.add("a");\n}'),
      "b.ts": shop(
        'let cart = new Cart();\nexport const put = (list: Cart[]) => list.add("a");\ncart.add("a");',
      ),
      "c.ts": 'class Cart {}\nconst cart = new Cart();\ncart.add("a");\n',
      "d.ts": shop(
        'class A {\n  box: Cart;\n}\nclass B {\n  box = 1;\n  c() {\n    this.box.add("a");\n  }\n}',
      ),
    },
    { "cart.ts": CLASS_MORE },
    [],
  ],
  [
    "a base class",
    { "cart.ts": CLASS.replace("Cart {", "Cart extends Base {"), "a.ts": shop('Cart.of("a");') },
    { "cart.ts": CLASS_MORE.replace("Cart {", "Cart extends Base {") },
    [],
  ],
  [
    "a private method, and one that is a property now",
    {
      "cart.ts": CLASS.replace("add(", "private add("),
      "a.ts": shop('const cart = new Cart();\ncart.add("a");\nCart.of("a");'),
    },
    { "cart.ts": CLASS.replace("add(", "private add(").replace(/static of[^]*$/, "static of = make;\n}\n") },
    [],
  ],
];

const GO_PRIVATE = "package cart\n\nfunc load(id int) {}\n\nvar limit = 1\n";
const GO_PRIVATE_MORE = GO_PRIVATE.replace("id int", "id, size int");

const GO_NAMES: readonly Case[] = [
  [
    "calls in other files of the package",
    {
      ...MODULE,
      "cart/l.go": GO_PRIVATE,
      "cart/use.go": "package cart\n\nfunc use() {\n\tload(1)\n\tload(1, 2)\n}\n",
      "cart/use_test.go": "package cart\n\nfunc test() {\n\tload(1)\n}\n",
      "other/use.go": "package cart\n\nfunc use() {\n\tload(1)\n}\n",
    },
    { "cart/l.go": GO_PRIVATE_MORE },
    ["calls load: cart/use.go:4 cart/use_test.go:4"],
  ],
  [
    "a removed variable",
    { ...MODULE, "cart/l.go": GO_PRIVATE, "cart/use.go": "package cart\n\nvar two = limit * 2\n" },
    { "cart/l.go": GO_PRIVATE.replace("var limit = 1\n", "") },
    ["removed limit: cart/use.go:3"],
  ],
  [
    "local names, imports and fields",
    {
      ...MODULE,
      "cart/l.go": GO_PRIVATE,
      "cart/a.go": "package cart\n\nfunc a(limit int) {\n\tprintln(limit)\n}\n",
      "cart/b.go": 'package cart\n\nimport "example.com/x/go-limit/v2"\n\nfunc b() {\n\tlimit.Do()\n}\n',
      "cart/c.go":
        "package cart\n\nfunc c(v any) {\n\tswitch limit := v.(type) {\n\tcase int:\n\t\tprintln(limit)\n\t}\n}\n",
      "cart/d.go":
        "package cart\n\ntype d struct{ limit int }\n\nfunc (x d) e() int { return x.limit }\n\nvar f = d{limit: 2}\n",
    },
    { "cart/l.go": GO_PRIVATE.replace("var limit = 1\n", "") },
    [],
  ],
  [
    "an own main and init",
    {
      ...MODULE,
      "cart/l.go": "package cart\n\nfunc init() {}\n",
      "cart/m.go": "package cart\n\nvar x = init\n",
    },
    { "cart/l.go": "package cart\n" },
    [],
  ],
];

const JAVA_FILE =
  "package shop.cart;\n\npublic class Cart {\n  public Cart(int id) {}\n\n  public void add(int id) {}\n\n  public static Cart of(int id) {\n    return new Cart(id);\n  }\n}\n";
const JAVA_MORE = JAVA_FILE.replaceAll("(int id)", "(int id, int size)");
const inJava = (lines: string, more = ""): string =>
  `package shop;\n\nimport shop.cart.Cart;${more}\n\nclass Shop {\n  void buy() {\n    ${lines}\n  }\n}\n`;
const CART_JAVA = "src/main/java/shop/cart/Cart.java";

const JAVA: readonly Case[] = [
  [
    "a deleted class that is imported",
    { [CART_JAVA]: JAVA_FILE, "Shop.java": inJava("") },
    { [CART_JAVA]: null },
    ["removed Cart: Shop.java:3"],
  ],
  [
    "calls of constructors and methods",
    {
      [CART_JAVA]: JAVA_FILE,
      "Shop.java": inJava("Cart cart = new Cart(1);\n    cart.add(1);\n    Cart.of(1);\n    cart.add(1, 2);"),
    },
    { [CART_JAVA]: JAVA_MORE },
    ["calls Cart: Shop.java:7", "calls Cart.add: Shop.java:8", "calls Cart.of: Shop.java:9"],
  ],
  [
    "the first constructor",
    {
      [CART_JAVA]: "package shop.cart;\n\npublic class Cart {}\n",
      "Shop.java": inJava("var cart = new Cart();"),
    },
    { [CART_JAVA]: "package shop.cart;\n\npublic class Cart {\n  public Cart(int id) {}\n}\n" },
    ["calls Cart: Shop.java:7"],
  ],
  [
    "a file of the same package, in another folder",
    {
      [CART_JAVA]: JAVA_FILE,
      "src/test/java/shop/cart/CartTest.java":
        "package shop.cart;\n\nclass CartTest {\n  Cart cart = new Cart(1);\n}\n",
    },
    { [CART_JAVA]: null },
    ["removed Cart: src/test/java/shop/cart/CartTest.java:4"],
  ],
  [
    "a class of another package, and a nested one",
    {
      [CART_JAVA]: JAVA_FILE,
      "Shop.java": inJava("new Cart(1);").replace("shop.cart.Cart", "other.cart.Cart"),
      "Box.java": inJava("new Cart(1);").replace("void buy", "class Cart {}\n  void buy"),
      "Far.java": "package far;\n\nclass Far {\n  Object cart = new Other.Cart(1);\n}\n",
    },
    { [CART_JAVA]: JAVA_MORE },
    [],
  ],
  [
    "overloads",
    { [CART_JAVA]: JAVA_FILE, "Shop.java": inJava("new Cart(1).add(1);\n    Cart.of(1);") },
    {
      [CART_JAVA]: JAVA_MORE.replace(
        "public void",
        "public Cart(int id) {}\n\n  public static Cart of(int id) {\n    return null;\n  }\n\n  public void",
      ),
    },
    [],
  ],
  [
    "a class that moved to another folder, or to Kotlin",
    { [CART_JAVA]: JAVA_FILE, "Shop.java": inJava("new Cart(1);") },
    { [CART_JAVA]: null, "core/build/Cart.kt": "package shop.cart\n\nclass Cart(val id: Int)\n" },
    [],
  ],
  [
    "generated members and base classes",
    {
      [CART_JAVA]: JAVA_FILE.replace("class Cart", "class Cart extends Base"),
      "Shop.java": inJava("Cart.of(1);"),
      "Box.java": "package shop.cart;\n\nimport lombok.Data;\n\n@Data\npublic class Box {\n  int id;\n}\n",
      "Use.java": "package shop.cart;\n\nclass Use {\n  Box box = new Box();\n}\n",
    },
    {
      [CART_JAVA]: JAVA_MORE.replace("class Cart", "class Cart extends Base"),
      "Box.java":
        "package shop.cart;\n\nimport lombok.Data;\n\n@Data\npublic class Box {\n  Box(int id) {}\n}\n",
    },
    [],
  ],
];

const PHP_FILE =
  "<?php\nnamespace Shop\\Cart;\n\nclass Cart\n{\n    public function __construct(private int $id) {}\n\n    public static function of(int $id): self\n    {\n        return new self($id);\n    }\n}\n";
const PHP_MORE = PHP_FILE.replaceAll("int $id)", "int $id, int $size)");
const inPhp = (lines: string): string => `<?php\nnamespace Shop;\n\nuse Shop\\Cart\\Cart;\n\n${lines}\n`;

const PHP: readonly Case[] = [
  [
    "calls of constructors and static methods",
    {
      "src/Cart/Cart.php": PHP_FILE,
      "src/Shop.php": inPhp("new Cart(1);\nCart::of(1);\nnew Cart(1, 2);\nCart::of(...$all);"),
      "src/Cart/Box.php": "<?php\nnamespace Shop\\Cart;\n\n$cart = new Cart(id: 1);\n",
      "src/Alias.php": "<?php\nuse Shop\\Cart\\Cart as Basket;\n\nnew Basket(1);\n",
    },
    { "src/Cart/Cart.php": PHP_MORE },
    ["calls Cart: src/Alias.php:4 src/Cart/Box.php:4 src/Shop.php:6", "calls Cart.of: src/Shop.php:7"],
  ],
  [
    "more arguments than needed, and a class that is gone",
    { "src/Cart/Cart.php": PHP_MORE, "src/Shop.php": inPhp("new Cart(1, 2);") },
    { "src/Cart/Cart.php": PHP_FILE },
    [],
  ],
  [
    "another class of the name",
    {
      "src/Cart/Cart.php": PHP_FILE,
      "src/A.php": "<?php\nnamespace Shop;\n\nuse Other\\Cart;\n\nnew Cart(1);\n",
      "src/B.php": "<?php\nnamespace Shop;\n\nnew Cart(1);\n",
      "src/C.php": "<?php\nnamespace Shop\\Cart;\n\nuse Other\\{Box, Cart};\n\nnew Cart(1);\n",
      "src/D.php": "<?php\nnamespace Shop;\n\nnew \\Cart(1);\n",
    },
    { "src/Cart/Cart.php": PHP_MORE },
    [],
  ],
  [
    "a class without a namespace, and static methods of a base class",
    {
      "a/Box.php": "<?php\nclass Box\n{\n    public function __construct(int $id) {}\n}\n",
      "b/use.php": "<?php\nnew Box(1);\n",
      "src/Cart/Cart.php": PHP_FILE.replace("class Cart", "class Cart extends Base"),
      "src/Shop.php": inPhp("Cart::of(1);"),
    },
    {
      "a/Box.php": "<?php\nclass Box\n{\n    public function __construct(int $id, int $size) {}\n}\n",
      "src/Cart/Cart.php": PHP_MORE.replace("class Cart", "class Cart extends Base"),
    },
    [],
  ],
];

const RUST_FILE =
  "pub fn load(id: u32) {}\n\npub struct Cart;\n\nimpl Cart {\n    pub fn new(id: u32) -> Self {\n        Cart\n    }\n}\n";
const RUST_MORE = RUST_FILE.replaceAll("id: u32", "id: u32, size: u32");

const RUST: readonly Case[] = [
  [
    "calls through names, modules, full paths and types",
    {
      "src/shop/cart.rs": RUST_FILE,
      "src/a.rs":
        "use crate::shop::cart::{load, Cart};\n\nfn a() {\n    load(1);\n    Cart::new(1);\n    load(1, 2);\n}\n",
      "src/b.rs": "use crate::shop::cart;\n\nfn b() {\n    cart::load(1);\n}\n",
      "src/shop/mod.rs":
        "mod cart;\n\nfn c() {\n    self::cart::load(1);\n    crate::shop::cart::load(1);\n}\n",
      "src/shop/d.rs":
        "mod tests {\n    use super::super::cart::load as put;\n\n    fn d() {\n        put(1);\n    }\n}\n",
    },
    { "src/shop/cart.rs": RUST_MORE },
    [
      "calls load: src/a.rs:4 src/b.rs:4 src/shop/d.rs:5 src/shop/mod.rs:4 src/shop/mod.rs:5",
      "calls Cart.new: src/a.rs:5",
    ],
  ],
  [
    "a removed function",
    {
      "core/src/lib.rs": "pub fn load() {}\nmod b;\npub use b::keep;\n",
      "core/src/a.rs": "use crate::load;\n",
      "core/src/b.rs": "pub fn keep() {}\n",
    },
    { "core/src/lib.rs": "mod b;\npub use b::keep;\n", "core/src/b.rs": "" },
    ["removed load: core/src/a.rs:1", "removed keep: core/src/lib.rs:2"],
  ],
  [
    "calls through a name that another module passes on",
    {
      "src/shop/cart.rs": RUST_FILE,
      "src/shop/mod.rs": "mod cart;\n\npub(crate) use cart::load;\n",
      "src/a.rs": "use crate::shop;\n\nfn a() {\n    shop::load(1);\n    crate::shop::load(1);\n}\n",
    },
    { "src/shop/cart.rs": RUST_MORE },
    ["calls load: src/a.rs:4 src/a.rs:5"],
  ],
  [
    "a file that became a folder",
    { "src/cart.rs": RUST_FILE, "src/a.rs": "use crate::cart::load;\n" },
    { "src/cart.rs": null, "src/cart/mod.rs": RUST_FILE },
    [],
  ],
  [
    "other crates, names of the file, and what is passed on",
    {
      "core/src/cart.rs": RUST_FILE,
      "app/src/a.rs": "use crate::cart::load;\n\nfn a() {\n    load(1);\n}\n",
      "core/src/b.rs": "use crate::cart::load;\n\nfn b() {\n    let load = |x| x;\n    load(1);\n}\n",
      "core/src/c.rs": "use other::cart::load;\n\nfn c() {\n    load(1);\n}\n",
      "core/tests/d.rs": "use crate::cart::load;\n\nfn d() {\n    load(1);\n}\n",
    },
    { "core/src/cart.rs": RUST_MORE },
    [],
  ],
  [
    "one for each system, and code that macros write",
    {
      "src/cart.rs": "#[cfg(unix)]\npub fn load(id: u32) {}\n\n#[cfg(windows)]\npub fn load(id: u32) {}\n",
      "src/made.rs": "pub fn make() {}\n",
      "src/a.rs": "use crate::cart::load;\nuse crate::made::make;\n\nfn a() {\n    load(1);\n}\n",
    },
    {
      "src/cart.rs":
        "#[cfg(unix)]\npub fn load(id: u32, b: u32) {}\n\n#[cfg(windows)]\npub fn load(id: u32) {}\n",
      "src/made.rs": "declare! { make }\n",
    },
    [],
  ],
];

for (const [language, cases] of [
  ["TypeScript", TYPESCRIPT],
  ["Python", PYTHON],
  ["Go", GO],
  ["Go's own package", GO_NAMES],
  ["methods of TypeScript", METHODS],
  ["Java", JAVA],
  ["PHP", PHP],
  ["Rust", RUST],
] as const) {
  for (const [what, repository, change, expected] of cases) {
    const verb = expected.length > 0 ? "reports" : "is silent about";
    test(`changed exports of ${language}: ${verb} ${what}`, () =>
      assert.deepEqual(shown(brokenBy(repository, change)), expected));
  }
}

test("changed exports: the place is a changed line of the declaration", () => {
  const places = (after: string | null, before = TS): unknown =>
    brokenBy({ "cart.ts": before, "shop.ts": use('add("a");') }, { "cart.ts": after }).map(
      ({ line, side }) => [line, side],
    );
  assert.deepEqual(places(""), [[1, "old"]]);
  assert.deepEqual(places(TS_MORE), [[1, "new"]]);
  assert.deepEqual(places(`\n\n${TS.replace("id: string", "\n  id: string,\n  size: number,\n")}`), [
    [3, "new"],
  ]);
  const listed = "function add() {}\nexport {\n  add,\n};\n";
  assert.deepEqual(places("function add() {}\n", listed), [[3, "old"]]);
});
