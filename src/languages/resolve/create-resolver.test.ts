import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { importFact, namedFact, sketchTree, type TreeSketch } from "../../../test/support/code-tree.ts";
import type { ImportFact } from "../file-facts.ts";
import { buildImportGraph } from "./build-import-graph.ts";
import { isResolutionManifest } from "./create-resolver.ts";

type Case = readonly [from: string, imported: string | ImportFact, expected: string];

/** `expected`: paths separated by spaces; a leading "~" marks a guess. */
function check(title: string, tree: TreeSketch, cases: readonly Case[]): void {
  const { resolver } = sketchTree(tree);
  for (const [from, imported, expected] of cases) {
    const fact = typeof imported === "string" ? importFact(imported) : imported;
    const names = fact.names.map((each) => each.name).join();
    test(`${title}: ${fact.specifier} ${names} in ${from} is ${expected || "nothing"}`, () => {
      const { paths, isExact } = resolver.resolve(from, fact);
      assert.equal(`${paths.length > 0 && !isExact ? "~" : ""}${paths.join(" ")}`, expected);
    });
  }
}

check(
  "relative scripts",
  {
    "src/a.ts": {},
    "src/b.ts": {},
    "src/b/index.ts": {},
    "src/c/index.tsx": {},
    "src/c/d.js": {},
    "src/c/d.ts": {},
    "src/e.jsx": {},
    "src/f.d.ts": {},
    "src/g.mts": {},
    "src/View.vue": {},
    "src/data.json": {},
    "src/h.ios.tsx": {},
    "src/h.android.tsx": {},
    "src/old/package.json": '{ "main": "./entry" }',
    "src/old/entry.js": {},
    "src.ts": {},
    "src/index.js": {},
  },
  [
    ["src/a.ts", "./b", "src/b.ts"],
    ["src/a.ts", "./b/", "src/b/index.ts"],
    ["src/a.ts", "./c", "src/c/index.tsx"],
    ["src/a.ts", "./c/d.js", "src/c/d.ts"],
    ["src/e.jsx", "./c/d.js", "src/c/d.js"],
    ["src/a.ts", "./e.js", "src/e.jsx"],
    ["src/a.ts", "./f", "src/f.d.ts"],
    ["src/a.ts", "./g.mjs", "src/g.mts"],
    ["src/a.ts", "./View.vue", "src/View.vue"],
    ["src/View.vue", "./a", "src/a.ts"],
    ["src/a.ts", "./data.json?raw", "src/data.json"],
    ["src/a.ts", "./h", "~src/h.android.tsx src/h.ios.tsx"],
    ["src/a.ts", "./old", "src/old/entry.js"],
    ["src/a.ts", ".", "src/index.js"],
    ["src/a.ts", "..", ""],
    ["src/a.ts", "./a", ""],
    ["src/a.ts", "../../outside", ""],
    ["src/a.ts", "node:fs", ""],
    ["src/a.ts", "react", ""],
  ],
);

check(
  "configured scripts",
  {
    "tsconfig.base.json":
      '{ "compilerOptions": { "paths": { "@shop/*": ["libs/*/src"], "@shop/cart": ["./libs/basket/src/cart.ts"] } } }',
    "tsconfig.json":
      '// settings\n{ "extends": "./tsconfig.base", /* more */ "compilerOptions": { "strict": true, }, }',
    "libs/basket/src/index.ts": {},
    "libs/basket/src/cart.ts": {},
    "app/tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
    "app/tsconfig.app.json": '{ "compilerOptions": { "baseUrl": "./src", "paths": { "~*": ["./*"] } } }',
    "app/src/main.ts": {},
    "app/src/util/text.ts": {},
    "web/src/page.ts": {},
    "web/src/part.ts": {},
    "web/package.json": "{}",
    "tool/deno.json": '{ "imports": { "$lib/": "./library/", "std": "jsr:@std/fs" } }',
    "tool/library/x.ts": {},
    "tool/y.ts": {},
  },
  [
    ["libs/basket/src/cart.ts", "@shop/basket", "libs/basket/src/index.ts"],
    ["libs/basket/src/index.ts", "@shop/cart", "libs/basket/src/cart.ts"],
    ["app/src/main.ts", "util/text", "app/src/util/text.ts"],
    ["app/src/main.ts", "~util/text", "app/src/util/text.ts"],
    ["app/src/main.ts", "@shop/basket", "~libs/basket/src/index.ts"],
    ["web/src/page.ts", "@/part", "~web/src/part.ts"],
    ["tool/y.ts", "$lib/x.ts", "tool/library/x.ts"],
    ["tool/y.ts", "std", ""],
  ],
);

check(
  "workspaces",
  {
    "package.json":
      '{ "workspaces": ["packages/*", "!packages/hidden"], "dependencies": { "fixture": "^1.0.0" } }',
    "packages/core/package.json":
      '{ "name": "@shop/core", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./*": "./dist/parts/*.js", "./style.css": "./style.css", "./internal/*": null }, "imports": { "#text": "./src/text.ts", "#parts/*": { "default": "./src/parts/*.ts" } } }',
    "packages/core/src/index.ts": {},
    "packages/core/src/text.ts": {},
    "packages/core/src/parts/price.ts": {},
    "packages/core/style.css": {},
    "packages/app/package.json": '{ "name": "app", "main": "dist/app.umd.js" }',
    "packages/app/src/index.ts": {},
    "packages/app/src/deep/x.ts": {},
    "packages/app/direct.ts": {},
    "packages/typed/package.json":
      '{ "name": "typed", "exports": { "types": "./index.d.ts", "default": "./main.js" } }',
    "packages/typed/index.d.ts": {},
    "packages/typed/main.js": {},
    "test/fixture/package.json": '{ "name": "fixture" }',
    "test/fixture/index.js": {},
    "test/unlisted/package.json": '{ "name": "unlisted", "module": "./main.js" }',
    "test/unlisted/main.js": {},
  },
  [
    ["packages/app/src/index.ts", "@shop/core", "packages/core/src/index.ts"],
    ["packages/app/src/index.ts", "@shop/core/price", "packages/core/src/parts/price.ts"],
    ["packages/app/src/index.ts", "@shop/core/style.css", "packages/core/style.css"],
    ["packages/app/src/index.ts", "@shop/core/internal/x", ""],
    ["packages/core/src/index.ts", "#text", "packages/core/src/text.ts"],
    ["packages/core/src/index.ts", "#parts/price", "packages/core/src/parts/price.ts"],
    ["packages/core/src/index.ts", "#gone", ""],
    ["packages/core/src/text.ts", "@shop/core", "packages/core/src/index.ts"],
    ["packages/core/src/index.ts", "app", "~packages/app/src/index.ts"],
    ["packages/core/src/index.ts", "app/direct", "packages/app/direct.ts"],
    ["packages/core/src/index.ts", "app/deep/x", "~packages/app/src/deep/x.ts"],
    ["packages/core/src/index.ts", "typed", "packages/typed/main.js"],
    ["packages/core/src/index.ts", "fixture", ""],
    ["packages/core/src/index.ts", "unlisted", "~test/unlisted/main.js"],
  ],
);

check(
  "pnpm workspaces",
  {
    "pnpm-workspace.yaml": "packages:\n  # all\n  - 'libs/**'\n  - \"!libs/old\"\ncatalog:\n  - other/*\n",
    "libs/a/b/package.json": '{ "name": "b", "source": "src/main.ts" }',
    "libs/a/b/src/main.ts": {},
    "x.ts": {},
  },
  [["x.ts", "b", "libs/a/b/src/main.ts"]],
);

check(
  "Python",
  {
    "pyproject.toml": "",
    "src/shop/__init__.py": {},
    "src/shop/cart.py": {},
    "src/shop/db/__init__.py": {},
    "src/shop/db/models.py": {},
    "src/shop/space/deep.py": {},
    "src/shop/logging.py": {},
    "tests/conftest.py": {},
    "tests/helpers.py": {},
    "tests/orders/__init__.py": {},
    "tests/orders/models.py": {},
    "tests/orders/tests.py": {},
    "tests/logging/__init__.py": {},
    "services/pay/setup.py": {},
    "services/pay/pay/__init__.py": {},
    "vendored/yaml/__init__.py": {},
  },
  [
    ["src/shop/cart.py", "shop.db.models", "src/shop/db/models.py"],
    ["src/shop/cart.py", namedFact("shop.db", "models"), "src/shop/db/models.py"],
    [
      "src/shop/cart.py",
      namedFact("shop.db", "models, connect"),
      "src/shop/db/__init__.py src/shop/db/models.py",
    ],
    ["src/shop/cart.py", namedFact("shop", "*"), "src/shop/__init__.py"],
    ["src/shop/cart.py", namedFact(".", "db"), "src/shop/db/__init__.py"],
    ["src/shop/db/models.py", namedFact("..cart", "Cart"), "src/shop/cart.py"],
    ["src/shop/db/models.py", namedFact("....cart", "Cart"), ""],
    ["src/shop/db/models.py", namedFact(".....cart", "Cart"), ""],
    ["src/shop/cart.py", namedFact("shop.space.deep", "x"), "src/shop/space/deep.py"],
    ["src/shop/cart.py", "logging", ""],
    ["tests/orders/tests.py", namedFact("orders.models", "Order"), "tests/orders/models.py"],
    ["tests/orders/tests.py", "helpers", "tests/helpers.py"],
    ["tests/orders/tests.py", "shop.cart", "src/shop/cart.py"],
    ["tests/orders/tests.py", "pay", "services/pay/pay/__init__.py"],
    ["src/shop/cart.py", "yaml", "~vendored/yaml/__init__.py"],
    ["src/shop/cart.py", "requests", ""],
  ],
);

check(
  "Go",
  {
    "go.mod": "module example.com/shop\n\nreplace (\n\texample.com/fork => ./third/fork // local\n)\n",
    "main.go": { module: "main" },
    "cart/a.go": { module: "cart" },
    "cart/b.go": { module: "cart" },
    "cart/b_test.go": { module: "cart" },
    "third/fork/f.go": { module: "fork" },
    "vendor/example.com/dep/d.go": { module: "dep" },
    "tool/go.mod": "module example.com/shop/tool\n",
    "tool/run.go": { module: "tool" },
  },
  [
    ["main.go", "example.com/shop/cart", "cart/a.go cart/b.go"],
    ["cart/a.go", "example.com/shop", "main.go"],
    ["main.go", "example.com/fork", "third/fork/f.go"],
    ["main.go", "example.com/dep", "vendor/example.com/dep/d.go"],
    ["main.go", "example.com/shop/tool", "tool/run.go"],
    ["tool/run.go", "example.com/shop/cart", "~cart/a.go cart/b.go"],
    ["main.go", "example.com/shopping", ""],
    ["main.go", "fmt", ""],
  ],
);

const moduleFact = (name: string, specifier = name): ImportFact =>
  importFact(specifier, { kind: "module", moduleAlias: name });

check(
  "Rust",
  {
    "Cargo.toml":
      '[package]\nname = "my-shop"\n[dependencies]\npay = { package = "shop-pay", path = "pay" }\n',
    "src/lib.rs": {
      imports: [moduleFact("cart"), moduleFact("odd", "strange.rs"), moduleFact("order")],
      defines: ["Shop"],
    },
    "src/cart.rs": { imports: [moduleFact("item")], defines: ["Cart"] },
    "src/cart/item.rs": { defines: ["Item"] },
    "src/order/mod.rs": { defines: ["inline"] },
    "src/strange.rs": {},
    "src/main.rs": { imports: [moduleFact("cart")] },
    "tests/all.rs": { imports: [moduleFact("common")] },
    "tests/common/mod.rs": {},
    "pay/Cargo.toml": '[package]\nname = "shop-pay"\n[lib]\nname = "paying"\npath = "code/pay.rs"\n',
    "pay/code/pay.rs": { imports: [moduleFact("card")] },
    "pay/code/card.rs": {},
  },
  [
    ["src/lib.rs", moduleFact("cart"), "src/cart.rs"],
    ["src/lib.rs", moduleFact("odd", "strange.rs"), "src/strange.rs"],
    ["src/cart.rs", moduleFact("item"), "src/cart/item.rs"],
    ["src/order/mod.rs", namedFact("crate::cart", "Cart, item"), "src/cart.rs src/cart/item.rs"],
    ["src/order/mod.rs", namedFact("crate::cart::item", "*"), "src/cart/item.rs"],
    ["src/cart/item.rs", namedFact("super", "Cart"), "src/cart.rs"],
    ["src/cart/item.rs", namedFact("super::super", "Shop"), "src/lib.rs"],
    ["src/cart/item.rs", namedFact("crate::order::inline", "X"), "src/order/mod.rs"],
    ["src/cart/item.rs", namedFact("crate::order::unknown", "X"), "~src/order/mod.rs"],
    ["src/lib.rs", namedFact("self::odd", "x"), "src/strange.rs"],
    ["src/lib.rs", namedFact("cart", "Cart"), "src/cart.rs"],
    ["tests/all.rs", namedFact("my_shop::cart", "Cart"), "src/cart.rs"],
    ["tests/all.rs", moduleFact("common"), "tests/common/mod.rs"],
    ["src/lib.rs", namedFact("pay", "card"), "pay/code/card.rs"],
    ["src/lib.rs", namedFact("paying::card", "x"), "pay/code/card.rs"],
    ["src/lib.rs", namedFact("std::fmt", "Debug"), ""],
    ["src/lib.rs", namedFact("super", "x"), ""],
  ],
);

check(
  "Java and Kotlin",
  {
    "core/src/main/java/com/shop/Cart.java": { module: "com.shop", defines: ["Cart"] },
    "core/src/main/java/com/shop/pay/Card.java": { module: "com.shop.pay", defines: ["Card"] },
    "core/src/main/java/com/shop/pay/Cash.java": { module: "com.shop.pay", defines: ["Cash"] },
    "app/Main.kt": { module: "com.app", defines: ["main"], words: "Card" },
    "app/util.kt": { module: "com.app.util", defines: ["format", "Text"] },
    "a/Twin.java": { module: "twin", defines: ["Twin"] },
    "b/Twin.java": { module: "twin", defines: ["Twin"] },
    "a/Nest.java": { module: "twin", defines: ["Nest", "Single"] },
    "a/Single.java": { module: "twin", defines: ["Single"] },
    "a/extension.kt": { module: "twin", words: "shorten" },
  },
  [
    ["app/Main.kt", namedFact("com.shop.Cart", "Cart"), "core/src/main/java/com/shop/Cart.java"],
    ["app/Main.kt", namedFact("com.shop.Cart.Item", "Item"), "core/src/main/java/com/shop/Cart.java"],
    ["app/Main.kt", namedFact("com.shop.Cart", "*"), "core/src/main/java/com/shop/Cart.java"],
    ["app/Main.kt", namedFact("com.shop.pay", "*"), "~core/src/main/java/com/shop/pay/Card.java"],
    ["app/Main.kt", namedFact("com.app.util.format", "format"), "app/util.kt"],
    ["app/Main.kt", namedFact("twin.Twin", "Twin"), "~a/Twin.java b/Twin.java"],
    ["a/Nest.java", namedFact("twin.Twin", "Twin"), "~a/Twin.java"],
    ["app/Main.kt", namedFact("twin.Single", "Single"), "a/Single.java"],
    ["app/Main.kt", namedFact("twin.shorten", "shorten"), "~a/extension.kt"],
    ["app/Main.kt", namedFact("java.util.List", "List"), ""],
  ],
);

check(
  "C and C++",
  {
    "src/cart.c": {},
    "src/cart.h": {},
    "include/shop/api.h": {},
    "src/string.h": {},
    "a/config.h": {},
    "b/config.h": {},
    "include/made.h.in": {},
  },
  [
    ["src/cart.c", importFact("cart.h", { kind: "include" }), "src/cart.h"],
    ["src/cart.c", importFact("shop/api.h", { kind: "include" }), "include/shop/api.h"],
    ["src/cart.c", importFact("shop/api.h", { kind: "system" }), "include/shop/api.h"],
    ["src/cart.c", importFact("../include/shop/api.h", { kind: "include" }), "include/shop/api.h"],
    ["src/cart.c", importFact("string.h", { kind: "system" }), ""],
    ["src/cart.c", importFact("vector", { kind: "system" }), ""],
    ["src/cart.c", importFact("made.h", { kind: "include" }), "~include/made.h.in"],
    ["src/cart.c", importFact("config.h", { kind: "include" }), "~a/config.h b/config.h"],
  ],
);

check(
  "C#",
  {
    "src/Cart.cs": { module: "Shop", defines: ["Cart"] },
    "src/Pay/Card.cs": { module: "Shop.Pay", defines: ["Card"] },
    "src/Pay/Cash.cs": { module: "Shop.Pay", defines: ["Cash"] },
    "app/Main.cs": { module: "App", words: "Card addAll" },
    "src/Extensions.cs": { module: "Shop.Extensions", defines: ["addAll"] },
  },
  [
    ["app/Main.cs", namedFact("Shop.Pay", "*"), "~src/Pay/Card.cs"],
    ["app/Main.cs", namedFact("Shop.Pay.Cash", "Cash as Money"), "src/Pay/Cash.cs"],
    ["app/Main.cs", namedFact("Shop.Cart", "*"), "src/Cart.cs"],
    ["app/Main.cs", namedFact("Shop.Cart.Item", "Item as Line"), "src/Cart.cs"],
    ["app/Main.cs", namedFact("Shop.Extensions", "*"), "~src/Extensions.cs"],
    ["app/Main.cs", namedFact("System.Linq", "*"), ""],
  ],
);

check(
  "Ruby",
  {
    "shop.gemspec": {},
    "lib/shop.rb": {},
    "lib/shop/cart.rb": {},
    "test/helper.rb": {},
    "test/test_cart.rb": {},
    "app/models/user.rb": {},
  },
  [
    ["lib/shop.rb", "shop/cart", "lib/shop/cart.rb"],
    ["lib/shop/cart.rb", "./../shop", "lib/shop.rb"],
    ["test/test_cart.rb", "helper", "test/helper.rb"],
    ["test/test_cart.rb", "./helper", "test/helper.rb"],
    ["test/test_cart.rb", "user", "app/models/user.rb"],
    ["test/test_cart.rb", "json", ""],
  ],
);

check(
  "PHP",
  {
    "composer.json":
      '{ "autoload": { "psr-4": { "Shop\\\\": ["src/", "more"], "": "other" }, "psr-0": { "Old_": "old/" } }, "autoload-dev": { "psr-4": { "Shop\\\\Tests\\\\": "tests" } } }',
    "src/Pay/Card.php": { module: "Shop\\Pay", defines: ["Card"] },
    "more/Cash.php": { module: "Shop", defines: ["Cash"] },
    "old/Old/Thing.php": { defines: ["Old_Thing"] },
    "tests/CardTest.php": { module: "Shop\\Tests", words: "Card" },
    "elsewhere.php": { module: "Else", defines: ["Where"] },
    "web/index.php": {},
    "web/part.php": {},
  },
  [
    ["tests/CardTest.php", namedFact("Shop\\Pay\\Card", "Card"), "src/Pay/Card.php"],
    ["tests/CardTest.php", namedFact("Shop\\Cash", "Cash"), "more/Cash.php"],
    ["tests/CardTest.php", namedFact("Old_Thing", "Old_Thing"), "old/Old/Thing.php"],
    ["tests/CardTest.php", namedFact("Else\\Where", "Where"), "~elsewhere.php"],
    ["tests/CardTest.php", namedFact("Shop\\Pay", "Pay"), "~src/Pay/Card.php"],
    ["tests/CardTest.php", namedFact("Symfony\\Console", "Console"), ""],
    ["web/index.php", importFact("./part.php", { kind: "include" }), "web/part.php"],
    ["tests/CardTest.php", importFact("web/part.php", { kind: "include" }), "~web/part.php"],
  ],
);

const unimported: readonly (readonly [string, TreeSketch, string, readonly string[]])[] = [
  [
    "Go: files of a package",
    {
      "a.go": { module: "shop", defines: ["NewCart"] },
      "b.go": { module: "shop", words: "NewCart" },
      "b_test.go": { module: "shop", defines: ["NewCart"] },
      "c.go": { module: "other", defines: ["NewCart"] },
    },
    "b.go",
    ["a.go"],
  ],
  [
    "Java: classes of a package",
    {
      "a/Cart.java": { module: "shop", defines: ["Cart"] },
      "b/Main.java": { module: "shop", words: "Cart" },
    },
    "b/Main.java",
    ["a/Cart.java"],
  ],
  [
    "C#: types of the namespaces around, and of global usings",
    {
      "Cart.cs": { module: "Shop", defines: ["Cart"] },
      "Log.cs": { module: "Logs", defines: ["Logger"] },
      "Other.cs": { module: "Other", defines: ["Cart"] },
      "Usings.cs": { imports: [namedFact("Logs", "*", { kind: "re-export" })] },
      "Pay.cs": { module: "Shop.Pay", words: "Cart Logger" },
    },
    "Pay.cs",
    ["Cart.cs", "Log.cs"],
  ],
  [
    "Ruby: constants that are named like their file",
    {
      "app/models/shop/cart.rb": { defines: ["Shop", "Cart"] },
      "app/models/blog/cart.rb": { defines: ["Blog", "Cart"] },
      "app/models/html_page.rb": { defines: ["HTMLPage"] },
      "tools/lib/page.rb": { defines: ["Page"] },
      "app/models/admin/cart.rb": { defines: ["Cart"], words: "Admin" },
      "app/main.rb": { words: "Shop Cart HTMLPage Page" },
    },
    "app/main.rb",
    ["app/models/html_page.rb", "app/models/shop/cart.rb"],
  ],
  [
    "PHP: classes of a namespace",
    { "a.php": { module: "Shop", defines: ["Cart"] }, "b.php": { module: "Shop", words: "Cart" } },
    "b.php",
    ["a.php"],
  ],
  ["TypeScript: nothing", { "a.ts": { defines: ["cart"] }, "b.ts": { words: "cart" } }, "b.ts", []],
];

for (const [title, tree, from, expected] of unimported) {
  test(`without an import: ${title}`, () => {
    assert.deepEqual(sketchTree(tree).resolver.resolveUnimported(from), { paths: expected, isExact: false });
  });
}

test("in the graph, an import of a Go package leads to the files whose names are in use", () => {
  const { facts, resolver } = sketchTree({
    "go.mod": "module shop",
    "main.go": { module: "main", imports: [importFact("shop/cart")], words: "NewCart" },
    "cart/a.go": { module: "cart", defines: ["NewCart"] },
    "cart/b.go": { module: "cart", defines: ["NewItem"] },
    "side.go": { module: "main", imports: [importFact("shop/cart")] },
  });
  const { dependencies } = buildImportGraph(facts, resolver);
  assert.deepEqual([...(dependencies.get("main.go") ?? [])], ["cart/a.go"]);
  assert.deepEqual([...(dependencies.get("side.go") ?? [])], ["cart/a.go", "cart/b.go"]);
});

test("manifests are recognized", () => {
  const names = [
    "package.json",
    "a/tsconfig.app.json",
    "x/go.mod",
    "Cargo.toml",
    "pnpm-workspace.yaml",
    "b/composer.json",
  ];
  const others = [
    "package-lock.json",
    "node_modules/a/package.json",
    "a/node_modules/b/package.json",
    "cargo.lock",
    "a.ts",
  ];
  assert.deepEqual([...names, ...others].filter(isResolutionManifest), names);
});

test("the graph has edges of imports and of packages, both ways, in byte order", () => {
  const { facts, resolver } = sketchTree({
    "b.ts": { imports: [importFact("./c"), importFact("./a"), importFact("./b"), importFact("react")] },
    "a.ts": {},
    "c.ts": { imports: [importFact("./a")] },
    "x.go": { module: "x", words: "Run" },
    "y.go": { module: "x", defines: ["Run"] },
  });
  const { dependencies, dependents } = buildImportGraph(facts, resolver);
  const listed = (map: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
    [...map].map(([path, others]) => `${path}: ${[...others].join(" ")}`);
  assert.deepEqual(listed(dependencies), ["b.ts: a.ts c.ts", "c.ts: a.ts", "x.go: y.go"]);
  assert.deepEqual(listed(dependents), ["a.ts: b.ts c.ts", "c.ts: b.ts", "y.go: x.go"]);
});

const MANIFESTS = [
  "package.json",
  "tsconfig.json",
  "go.mod",
  "go.work",
  "Cargo.toml",
  "composer.json",
  "pnpm-workspace.yaml",
  "lerna.json",
];
const SOURCES = [
  "a.ts",
  "b/c.py",
  "d.go",
  "e.rs",
  "F.java",
  "g.c",
  "H.cs",
  "i.rb",
  "J.php",
  "k.vue",
  "l.unknown",
];

const hostileText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.constantFrom(
    "[".repeat(200_000),
    '{"a":'.repeat(100_000),
    '{"extends":"./tsconfig.json"}',
    '{"extends":["./tsconfig","./tsconfig.json"],"compilerOptions":{"paths":{"*":["*"]},"baseUrl":"../../.."}}',
    '{"name":"a","exports":{"./*":{"*":["./*",{"a":"../../*"}]}},"imports":{"#*":"#*"},"workspaces":["**","{a,b}{c,d}","../*"]}',
    '{"autoload":{"psr-4":{"":["",".."],"A\\\\":7}}}',
    '{"__proto__":{"paths":{}},"compilerOptions":{"paths":{"__proto__":["a"]}}}',
    "module \nreplace a => ./..\nuse ../..\n(((",
    '[package]\nname="a"\n[lib]\npath="../../x"\n[[bin]]\npath=7',
    `[${"a.".repeat(5_000)}a]`,
    "packages:\n - '" + "*".repeat(300),
    "/*".repeat(100_000),
    `{"a":"${'\\"'.repeat(200_000)}`,
    ",".repeat(200_000),
  ),
);

const specifier = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "./a",
    "../a",
    ".",
    "..",
    "",
    "/",
    "#",
    "#a",
    "a",
    "@a/b",
    "crate",
    "super::super",
    "self::e",
    "A\\B",
    "..........",
    "*",
    "a\0b",
    "constructor",
    "__proto__",
  ),
);

const importArbitrary: fc.Arbitrary<ImportFact> = fc.record({
  specifier,
  kind: fc.constantFrom("import", "re-export", "module", "include", "system"),
  names: fc.array(
    fc.record({ name: fc.oneof(fc.string(), fc.constantFrom("*", "a", "__proto__")), as: fc.string() }),
    { maxLength: 3 },
  ),
  moduleAlias: fc.option(fc.string()),
  line: fc.nat(),
});

test("any manifest and any import: no throw, only paths of the repository, never the file itself", () => {
  const manifests = fc.dictionary(
    fc.constantFrom(...MANIFESTS, ...MANIFESTS.map((name) => `b/${name}`)),
    hostileText,
    { maxKeys: 4 },
  );
  fc.assert(
    fc.property(manifests, fc.array(importArbitrary, { maxLength: 5 }), (texts, imports) => {
      const code = Object.fromEntries(
        SOURCES.map((path) => [path, { imports, defines: ["abc", "Abc"], module: "m" }]),
      );
      const tree = { ...texts, ...code };
      const { facts, resolver } = sketchTree(tree);
      for (const from of SOURCES) {
        for (const imported of imports) {
          for (const path of resolver.resolve(from, imported).paths) {
            assert.ok(Object.hasOwn(tree, path) && path !== from, `${from} → ${path}`);
          }
        }
      }
      buildImportGraph(facts, resolver);
    }),
    { numRuns: 100 },
  );
});
