/** Changed exports without a commit, as a diff alone, and in languages where a name must have one declaration. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BEFORE, changed, findings } from "../support/export-fixtures.ts";

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
