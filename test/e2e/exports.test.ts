/** Changed exports, from a real repository to the findings of the command line, without a model. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

const BEFORE = {
  "src/cart.ts": "export function addItem(id: string): string {\n  return id;\n}\nexport const LIMIT = 3;\n",
  "src/shop.ts": 'import { addItem, LIMIT } from "./cart.ts";\n\naddItem(`${LIMIT}`);\n',
  "pyproject.toml": "",
  "store/__init__.py": "",
  "store/cart.py": "def add(item):\n    return item\n",
  "store/shop.py": "from store.cart import add\n\nadd(1)\n",
  "go.mod": "module example.com/store\n",
  "cart/cart.go": "package cart\n\nfunc Add(id int) int { return id }\n",
  "main.go": 'package main\n\nimport "example.com/store/cart"\n\nfunc main() { println(cart.Add(1)) }\n',
};
const AFTER = {
  "src/cart.ts": "export function addItem(id: string, size: number): string {\n  return id + size;\n}\n",
  "store/cart.py": "def add(item, size):\n    return item * size\n",
  "cart/cart.go": "package cart\n\nfunc Insert(id int) int { return id }\n",
};

function changed(t: TestContext, also: Readonly<Record<string, string>> = {}): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries(BEFORE)) made.write(path, text);
  made.commit("root");
  for (const [path, text] of Object.entries({ ...AFTER, ...also })) made.write(path, text);
  made.commit("Carts have sizes");
  return made;
}

type Output = {
  readonly findings: readonly Shown[];
  readonly receipt: { readonly gaps: readonly { readonly check: string; readonly reason: string }[] };
};

type Shown = {
  readonly rule: string;
  readonly path: string;
  readonly startLine: number;
  readonly body: string;
};

async function findings(cwd: string, args: readonly string[], input?: string): Promise<readonly Shown[]> {
  const { stdout, stderr } = await runKodiai(["review", "--format", "json", ...args], {
    cwd,
    ...(input === undefined ? {} : { input }),
  });
  const { findings: all, receipt }: Output = JSON.parse(stdout);
  const missed = receipt.gaps.filter(({ check, reason }) => /exports/.test(check) && reason !== "off");
  assert.deepEqual(missed, [], stderr);
  return all.filter(({ rule }) => rule === "call-not-adapted" || rule === "removed-export-used");
}

test("exports: calls and imports that the change leaves behind are found in three languages", async (t) => {
  const { path } = changed(t);
  const found = await findings(path, ["--commit", "HEAD"]);
  const places = found.map(
    (each) => `${each.rule} ${each.path} ${/[\w/]+\.\w+:\d+/.exec(each.body)?.[0] ?? ""}`,
  );
  assert.deepEqual(places.toSorted(), [
    "call-not-adapted src/cart.ts src/shop.ts:3",
    "call-not-adapted store/cart.py store/shop.py:3",
    "removed-export-used cart/cart.go main.go:5",
    "removed-export-used src/cart.ts src/shop.ts:1",
  ]);
});

test("exports: uncommitted files count, adapted ones don't, and a diff alone says nothing", async (t) => {
  const made = changed(t, {
    "src/shop.ts": 'import { addItem } from "./cart.ts";\n\naddItem("a", 1);\n',
    "store/shop.py": "from store.cart import add\n\nadd(1, 2)\n",
    "main.go": BEFORE["main.go"].replace("cart.Add", "cart.Insert"),
  });
  assert.deepEqual(await findings(made.path, ["--commit", "HEAD"]), []);
  made.write("cart/cart.go", BEFORE["cart/cart.go"]);
  const [only, ...others] = await findings(made.path, []);
  assert.deepEqual([only?.path, others], ["cart/cart.go", []]);
  assert.match(only?.body ?? "", /main\.go:5/);
  assert.deepEqual(await findings(made.path, ["--diff", "-"], made.git("diff")), []);
});

const UNIQUE = {
  "Tax/Taxes.cs":
    "namespace Shop.Tax;\n\npublic static class Taxes\n{\n    public static int For(int net) => net;\n}\n",
  "Tax/Rates.cs":
    "namespace Shop.Tax;\n\npublic static class Rates\n{\n    public static int For(int net) => net;\n}\n",
  "Cart/Cart.cs":
    "using Shop.Tax;\n\nnamespace Shop.Cart;\n\npublic class Cart\n{\n    int A() => Taxes.For(1);\n    int B() => Rates.For(1);\n}\n",
  "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
  "Web/Usings.cs": "global using Shop.Tax;\n",
  "Web/Pages/Page.cs": "namespace Shop.Web;\n\nclass Page\n{\n    int A() => Taxes.For(1);\n}\n",
  "Api/Api.csproj":
    '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><Using Include="Shop.Tax" /></ItemGroup></Project>\n',
  "Api/Page.cs": "namespace Shop.Api;\n\nclass Page\n{\n    int A() => Taxes.For(1);\n}\n",
  "Old/Old.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
  "Old/Page.cs": "namespace Shop.Old;\n\nclass Page\n{\n    int A() => Taxes.For(1);\n}\n",
  "Other/Cart.cs": "using Other.Tax;\n\nnamespace Other;\n\nclass Cart\n{\n    int A() => Taxes.For(1);\n}\n",
  "prices/Prices.kt":
    'package shop.prices\n\nfun taxFor(net: Int, land: String = "DE"): Int = net\n\nobject Rates {\n    fun of(year: Int) = year\n}\n\nfun rounded(net: Int, then: () -> Unit) = then()\n',
  "cart/Cart.kt":
    'package shop.cart\n\nimport shop.prices.*\n\nclass Cart {\n    fun a() = taxFor(1, land = "FR")\n    fun b() = Rates.of(2026)\n    fun c() = rounded(1) { }\n}\n',
  "cart/Names.kt":
    "package shop.cart\n\nopen class Names {\n    fun rounded(net: Int, then: () -> Unit) = then()\n}\n",
  "lib/taxes.rb": "module Shop\n  class Taxes\n    def self.for(net)\n      net\n    end\n  end\nend\n",
  "lib/rates.rb": "module Shop\n  class Rates\n    def self.for(net)\n      net\n    end\n  end\nend\n",
  "lib/more_rates.rb": "class Shop::Rates\nend\n",
  "lib/cart.rb":
    "module Shop\n  def self.a\n    Taxes.for(1)\n  end\n\n  def self.b(all)\n    Taxes.for(*all)\n    Rates.for(1)\n  end\nend\n",
};

test("exports: calls of C#, Ruby and Kotlin are found where a name has one declaration", async (t) => {
  const { "Tax/Taxes.cs": taxes, "Tax/Rates.cs": rates } = UNIQUE;
  const [wider, overload] = [
    "For(int net, int year)",
    "For(int net) => net;\n    public static int For(int net, int year)",
  ];
  const made = changed(t, UNIQUE);
  made.write("Tax/Taxes.cs", taxes.replace("For(int net)", wider));
  made.write("Tax/Rates.cs", rates.replace("For(int net)", overload));
  made.write(
    "prices/Prices.kt",
    UNIQUE["prices/Prices.kt"]
      .replace("land: String", "country: String")
      .replace("of(year: Int", "of(year: Int, day: Int")
      .replace("rounded(net: Int", "rounded(net: Int, digits: Int"),
  );
  for (const path of ["lib/taxes.rb", "lib/rates.rb"] as const)
    made.write(path, UNIQUE[path].replace("for(net)", "for(net, year)"));
  const found = await findings(made.path, []);
  assert.deepEqual(
    found
      .map(
        (each) => `${each.path}:${each.startLine} ${each.body.match(/[\w/]+\.(?:cs|rb|kt):\d+/g)?.join(" ")}`,
      )
      .toSorted(),
    [
      "Tax/Taxes.cs:5 Api/Page.cs:5 Cart/Cart.cs:7 Web/Pages/Page.cs:5",
      "lib/taxes.rb:3 lib/cart.rb:3",
      "prices/Prices.kt:3 cart/Cart.kt:6 cart/Cart.kt:7",
    ],
  );
});
