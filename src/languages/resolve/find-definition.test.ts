import assert from "node:assert/strict";
import { test } from "node:test";
import { importFact, namedFact, sketchTree } from "../../../test/support/code-tree.ts";
import { findImportedDefinition } from "./find-definition.ts";
import { findImporters, linkImports } from "./find-importers.ts";

const shop = sketchTree({
  "src/total.ts": { defines: ["total", "default"] },
  "src/prices.ts": { imports: [namedFact("./total", "total as sum", { kind: "re-export" })] },
  "src/index.ts": { imports: [namedFact("./prices", "*", { kind: "re-export" })] },
  "src/named.ts": { imports: [namedFact("./index.ts", "sum as add")] },
  "src/module.ts": { imports: [importFact("./total.js", { moduleAlias: "totals" })], words: "total" },
  "src/unused.ts": { imports: [importFact("./total.js", { moduleAlias: "totals" })] },
  "src/default.ts": { imports: [namedFact("./total", "default as total")] },
  "src/missing.ts": { imports: [namedFact("./total", "gone")] },
  "src/outside.ts": { imports: [namedFact("lodash", "sum")] },
  "src/circle.ts": { imports: [namedFact("./square", "*", { kind: "re-export" })] },
  "src/square.ts": { imports: [namedFact("./circle", "*", { kind: "re-export" })] },
  "src/in-circle.ts": { imports: [namedFact("./circle", "radius")] },
});

const definitions = [
  ["src/named.ts", "add", ["src/total.ts total 1"], true],
  ["src/module.ts", "totals.total", ["src/total.ts total 1"], true],
  ["src/default.ts", "total", ["src/total.ts default 2"], true],
  ["src/missing.ts", "gone", ["src/total.ts gone null"], false],
  ["src/outside.ts", "sum", [], false],
  ["src/in-circle.ts", "radius", ["src/circle.ts radius null"], false],
  ["src/named.ts", "unknown", [], false],
] as const;

for (const [path, name, expected, isExact] of definitions) {
  test(`${path} imports ${name} from ${expected.join() || "nowhere"}`, () => {
    const found = findImportedDefinition({ path, name }, shop);
    assert.deepEqual(
      found.definitions.map((each) => `${each.path} ${each.name} ${each.line}`),
      expected,
    );
    assert.equal(found.isExact, isExact);
  });
}

test("importers are found through re-exports, with their kind and alias", () => {
  const links = linkImports(shop.facts, shop.resolver);
  const importers = findImporters({ path: "src/total.ts", name: "total" }, links);
  assert.deepEqual(
    importers.map(
      (each) => `${each.path} ${each.kind} ${each.alias} ${each.isCertain} ${each.through.join()}`,
    ),
    [
      "src/index.ts wildcard sum true src/prices.ts",
      "src/module.ts module-imported totals.total true ",
      "src/named.ts named add true src/prices.ts,src/index.ts",
      "src/prices.ts named sum true ",
    ],
  );
});

test("a Python package passes on what its __init__ imports", () => {
  const { facts, resolver } = sketchTree({
    "shop/__init__.py": { imports: [namedFact(".cart", "Cart")] },
    "shop/cart.py": { defines: ["Cart"] },
    "app.py": { imports: [namedFact("shop", "Cart as Basket")] },
    "tests/test_cart.py": { imports: [importFact("shop", { moduleAlias: "shop" })], words: "Cart" },
    "tests/test_module.py": { imports: [namedFact("shop", "cart as c")], words: "Cart" },
  });
  const found = findImportedDefinition({ path: "app.py", name: "Basket" }, { facts, resolver });
  assert.deepEqual(found, { definitions: [{ path: "shop/cart.py", name: "Cart", line: 1 }], isExact: true });
  const member = findImportedDefinition(
    { path: "tests/test_module.py", name: "c.Cart" },
    { facts, resolver },
  );
  assert.deepEqual(member, found);
  const importers = findImporters({ path: "shop/cart.py", name: "Cart" }, linkImports(facts, resolver));
  assert.deepEqual(
    importers.map((each) => `${each.path} ${each.kind} ${each.alias}`),
    [
      "app.py named Basket",
      "shop/__init__.py named Cart",
      "tests/test_cart.py module-imported shop.Cart",
      "tests/test_module.py module-imported c.Cart",
    ],
  );
});

test("each name of an import belongs to its own file, and a name can be a module", () => {
  const { facts, resolver } = sketchTree({
    "shop/__init__.py": {},
    "shop/cart.py": { defines: ["order"] },
    "shop/order.py": { defines: ["Order"] },
    "app.py": { imports: [namedFact("shop", "cart, order")] },
  });
  const found = findImportedDefinition({ path: "app.py", name: "order" }, { facts, resolver });
  assert.deepEqual(found, {
    definitions: [{ path: "shop/order.py", name: "order", line: 1 }],
    isExact: true,
  });
  const importers = findImporters({ path: "shop/cart.py", name: "order" }, linkImports(facts, resolver));
  assert.deepEqual(
    importers.map((each) => `${each.kind} ${each.alias}`),
    ["module-imported cart.order"],
  );
});

test("Rust's pub use is followed", () => {
  const tree = sketchTree({
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": {
      imports: [importFact("cart", { kind: "module" }), namedFact("cart", "Cart", { kind: "re-export" })],
    },
    "src/cart.rs": { defines: ["Cart"] },
    "tests/all.rs": { imports: [namedFact("shop", "Cart")] },
  });
  const found = findImportedDefinition({ path: "tests/all.rs", name: "Cart" }, tree);
  assert.deepEqual(found, { definitions: [{ path: "src/cart.rs", name: "Cart", line: 1 }], isExact: true });
});

test("files of the same package use a name without an import, which isn't certain", () => {
  const { facts, resolver } = sketchTree({
    "go.mod": "module example.com/shop\n",
    "cart.go": { module: "shop", defines: ["NewCart"] },
    "order.go": { module: "shop", words: "NewCart" },
    "cmd/main.go": { module: "main", imports: [importFact("example.com/shop")], words: "NewCart" },
  });
  const importers = findImporters({ path: "cart.go", name: "NewCart" }, linkImports(facts, resolver));
  assert.deepEqual(
    importers.map((each) => `${each.path} ${each.kind} ${each.alias} ${each.isCertain}`),
    ["cmd/main.go module-imported shop.NewCart true", "order.go unimported NewCart false"],
  );
});
