/** Outdated calls of C#, Ruby and Kotlin, where a name counts only if one file of the repository declares it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenBy, type Files, shown } from "../../../test/support/broken-by.ts";

type Edit = readonly [from: string | RegExp, to: string];

/** `found`: the name that is reported for the call; "" for none. `also`: another file. `declared`: edits of both versions. */
type Case = readonly [
  what: string,
  call: string,
  edit: Edit,
  found: string,
  more?: {
    readonly also?: string;
    readonly declared?: Edit;
    readonly before?: string;
    readonly others?: Files;
  },
];

const TAXES = `namespace Shop.Tax;

public class Taxes
{
    public Taxes(int year) { }
    public static decimal For(decimal net, string country = "DE") => net;
    public static decimal Round(decimal net) => net;
    public static int Sum(params int[] all) => all.Length;
}
`;

const USING = "using Shop.Tax;\nnamespace Shop.Cart;";
const MORE: Edit = ["For(decimal net", "For(decimal net, int year"];
const MADE: Edit = ["Taxes(int year", "Taxes(int year, int day"];
const HAS_BASE: Edit = ["class Taxes", "class Taxes : Base"];
const IS_PARTIAL: Edit = ["class", "partial class"];
const PRIVATE: Edit = [
  "    public Taxes",
  "    private static int For(int a, int b) => a;\n    public Taxes",
];
const EXTENDS: Edit = ["For(decimal net", "For(this decimal net"];
const OVERLOAD: Edit = [
  "For(decimal net",
  "For(int net) => net;\n  public static decimal For(decimal net, int year",
];
const SECOND: Edit = ["public Taxes(int year", "public Taxes(int year) { }\n  public Taxes(string name"];
const PRIMARY: Edit = ["class Taxes\n{\n    public Taxes(int year) { }", "class Taxes(int year)\n{"];

const IN_CODE = "global using System;\nglobal using Shop.Tax;\n";
const IN_GROUP = '<Using Include="System; Shop.Tax" />';
const SDK = '<Project Sdk="Microsoft.NET.Sdk"></Project>';
const project = (inside: string): string => `<Project><ItemGroup>${inside}</ItemGroup></Project>`;

/** Of files that say nothing of the namespace. */
const IN_PROJECTS: readonly (readonly [what: string, found: string, others: Files])[] = [
  ["a namespace of the project's code", "Taxes.For", { "a.csproj": SDK, "in/all.cs": IN_CODE }],
  ["a namespace of the project file", "Taxes.For", { "a.csproj": project(IN_GROUP) }],
  [
    "a namespace of all projects",
    "Taxes.For",
    { "a.csproj": SDK, "Directory.Build.props": project(IN_GROUP) },
  ],
  ["a namespace of no project", "", { "all.cs": IN_CODE, "Directory.Build.props": project(IN_GROUP) }],
  [
    "a namespace of another project",
    "",
    { "a.csproj": SDK, "b/b.csproj": project(IN_GROUP), "b/all.cs": IN_CODE },
  ],
  ["a folder of two projects", "", { "a.csproj": project(IN_GROUP), "b.csproj": SDK, "all.cs": IN_CODE }],
  ["a namespace of some builds", "", { "a.csproj": SDK, "all.cs": `#if OLD\n${IN_CODE}#endif\n` }],
  [
    "a namespace under a condition",
    "",
    { "a.csproj": project(IN_GROUP).replace("<ItemGroup", "<ItemGroup Condition=\"'$(A)' == 'b'\"") },
  ],
  [
    "a namespace that is taken away",
    "",
    {
      "a.csproj": project('<Using Remove="Shop.Tax" />'),
      "Directory.Build.props": project(IN_GROUP),
    },
  ],
  [
    "a project that chooses its code",
    "",
    { "a.csproj": project('<Compile Remove="in/**" />'), "in/all.cs": IN_CODE },
  ],
  [
    "static members of the project",
    "",
    { "a.csproj": project('<Using Include="Shop.Tax" Static="true" />') },
  ],
  [
    "an alias of the project",
    "",
    { "a.csproj": project(IN_GROUP), "all.cs": "global using Taxes = Other.Taxes;\n" },
  ],
];

const CSHARP: readonly Case[] = [
  ["a missing argument", "Taxes.For(1)", MORE, "Taxes.For"],
  ["an unknown name", 'Taxes.For(1, country: "FR")', ["string country", "string land"], "Taxes.For"],
  ["a method that is gone", "Taxes.Round(1)", ["Round", "Cut"], "Taxes.Round"],
  ["a constructor", "new Taxes(2026)", MADE, "Taxes"],
  ["a constructor of a class with a base", "new Taxes(2026)", MADE, "Taxes", { declared: HAS_BASE }],
  [
    "a primary constructor",
    "new Taxes(1)",
    ["(int year", "(int day, int year"],
    "Taxes",
    { declared: PRIMARY },
  ],
  ["an overload that is private", "Taxes.For(1)", MORE, "Taxes.For", { declared: PRIVATE }],
  ...IN_PROJECTS.map(([what, found, others]): Case => [
    what,
    "Taxes.For(1)",
    MORE,
    found,
    { before: "namespace Cart;", others },
  ]),
  ["an enum's member of that name", "Taxes.For(1)", MORE, "Taxes.For", { also: "enum Kind { Taxes }\n" }],
  ["a namespace around", "Taxes.For(1)", MORE, "Taxes.For", { before: "namespace Shop.Tax.Pages;" }],
  ["a block of a namespace", "Taxes.For(1)", MORE, "Taxes.For", { declared: [/Tax;([^]*)$/, "Tax\n{$1}"] }],
  ["adapted calls", "Taxes.For(1, 2026)", MORE, ""],
  ["adapted names", "Taxes.For(1, year: 2026)", MORE, ""],
  ["params", "Taxes.Sum(1, 2, 3)", ["params int[]", "int first, params int[]"], ""],
  ["another namespace", "Taxes.For(1)", MORE, "", { before: "using Other;" }],
  ["using static", "For(1)", MORE, "", { before: "using static Shop.Tax.Taxes;" }],
  ["an alias", "Taxes.For(1)", MORE, "", { before: "using Shop.Tax;\nusing Taxes = Other.Taxes;" }],
  ["another class", "Taxes.For(1)", MORE, "", { also: "namespace X;\ninterface Taxes { }\n" }],
  [
    "a property",
    "Taxes.For(1)",
    MORE,
    "",
    { also: "namespace X;\nclass B { protected ITaxes Taxes { get; } }\n" },
  ],
  ["an overload", "Taxes.For(1)", OVERLOAD, ""],
  ["a second constructor", "new Taxes(1)", SECOND, ""],
  ["a partial class", "Taxes.For(1)", MORE, "", { declared: IS_PARTIAL }],
  ["a base class", "Taxes.For(1)", MORE, "", { declared: HAS_BASE }],
  ["an extension", "1m.For()", ["net, string", "net, int year, string"], "", { declared: EXTENDS }],
  ["code for some builds", "\n#if OLD\nTaxes.For(1)\n#else\n1\n#endif\n", MORE, ""],
  [
    "a class for some builds",
    "Taxes.For(1)",
    MORE,
    "",
    { declared: ["{\n", "{\n#if OLD\n  int a;\n#endif\n"] },
  ],
  ["a class that is gone", "Taxes.For(1)", ["class Taxes", "class Rates"], ""],
];

const RATES = `module Shop
  class Taxes
    def initialize(country, year: 2026)
      @country = country
    end

    def self.for(net, country = "DE", rounded: true)
      net
    end

    def self.all(*names, &block)
      names
    end

    def self.sum(names)
      names
    end
    # end of class
  end
end
`;

const RB_MORE: Edit = ["for(net", "for(net, year"];
const at = (text: string): Edit => ["    # end of class", text];

const RUBY: readonly Case[] = [
  ["a missing argument", "Taxes.for(1)", RB_MORE, "Shop::Taxes.for"],
  ["a missing argument without parentheses", "Taxes.for 1", RB_MORE, "Shop::Taxes.for"],
  ["a missing keyword", "Taxes.for(1)", ["rounded: true", "rounded:"], "Shop::Taxes.for"],
  ["an unknown keyword", "Taxes.for(1, rounded: 1)", ["rounded: true", "cut: true"], "Shop::Taxes.for"],
  ["a constructor", "Shop::Taxes.new(1)", ["(country", "(country, size"], "Shop::Taxes"],
  ["a method that is gone", "Taxes.all { |name| name }", ["self.all", "self.list"], "Shop::Taxes.all"],
  ["adapted calls", "Taxes.for(1, 2026)", RB_MORE, ""],
  ["an adapted keyword", "Taxes.for(1, rounded: 1)", ["rounded: true", "rounded:"], ""],
  ["a splat", "Taxes.for(*all)", RB_MORE, ""],
  ["a double splat", "Taxes.for(1, **all)", ["rounded: true", "rounded:"], ""],
  ["a hash", "Taxes.sum(a: 1, b: 2)", ["sum(names", "sum(names, size = 1"], ""],
  ["a block", "Taxes.sum(1, &block)", ["sum(names", "sum(names, size = 1, &block"], ""],
  ["another module", "Other::Taxes.for(1)", RB_MORE, ""],
  ["another constant", "::Taxes.for(1)", RB_MORE, ""],
  ["a class that is reopened", "Taxes.for(1)", RB_MORE, "", { also: "class Shop::Taxes\nend\n" }],
  [
    "a class that is opened to nest others",
    "Taxes.for(1)",
    RB_MORE,
    "Shop::Taxes.for",
    {
      also: "module Shop\n  class Taxes\n    # nested\n    class Rate\n      def a; end\n    end\n  end\nend\n",
    },
  ],
  [
    "a class that is opened for more",
    "Taxes.for(1)",
    RB_MORE,
    "",
    { also: "class Shop::Taxes\n  class Rate\n  end\n  extend More\nend\n" },
  ],
  [
    "another module of that name, with classes",
    "Taxes.for(1)",
    RB_MORE,
    "",
    { also: "module Other\n  module Taxes\n    class Rate\n    end\n  end\nend\n" },
  ],
  ["a namesake", "Taxes.for(1)", RB_MORE, "", { also: "Taxes = Struct.new(:a)\n" }],
  ["a method from elsewhere", "Taxes.for(1)", RB_MORE, "", { also: "Shop::Taxes.extend(More)\n" }],
  ["a method that is wrapped", "Taxes.for(1)", RB_MORE, "", { declared: at("memoize :for") }],
  [
    "methods that are made",
    "Taxes.all",
    ["self.all", "self.list"],
    "",
    { declared: at("define_method(name) {}") },
  ],
  [
    "a base class",
    "Taxes.all",
    ["self.all", "self.list"],
    "",
    { declared: ["class Taxes", "class Taxes < Base"] },
  ],
  ["an instance", "taxes.for(1)", RB_MORE, ""],
  ["a name as data", "Taxes.send(:for, 1)", RB_MORE, ""],
  ["an expected error", "expect { Taxes.for(1) }.to raise_error(ArgumentError)", RB_MORE, ""],
  ["a class that is gone", "Taxes.for(1)", ["class Taxes", "class Rates"], ""],
];

const PRICES = `package shop.tax

fun taxFor(net: Int, country: String = "DE", vararg more: Int): Int = net

fun rounded(net: Int, then: () -> Unit = {}) = then()

fun Int.plusTax(year: Int): Int = this + year

class Rate(val year: Int, val land: String = "DE") : Base()

object Rates {
    fun of(year: Int) = Rate(year)
}

class Bill {
    companion object {
        fun of(net: Int) = Bill()
    }
}
`;

const KT_MORE: Edit = ["taxFor(net: Int", "taxFor(net: Int, year: Int"];
const KT_MADE: Edit = ["Rate(val year: Int", "Rate(val year: Int, val day: Int"];
const KT_OF: Edit = ["of(year: Int", "of(year: Int, day: Int"];
const KT_BLOCK: Edit = ["rounded(net: Int", "rounded(net: Int, digits: Int"];
const KT_PLUS: Edit = ["plusTax(year: Int", "plusTax(year: Int, day: Int"];
const KT_GONE: Edit = ["fun taxFor", "fun taxOf"];
const IMPORTED = (name: string): string => `package shop.cart\n\nimport shop.tax.${name}\n`;
const ONLY_PACKAGE = "package shop.cart\n";

const KOTLIN: readonly Case[] = [
  ["a missing argument", "taxFor(1)", KT_MORE, "taxFor"],
  ["a missing argument in its package", "taxFor(1)", KT_MORE, "taxFor", { before: "package shop.tax\n" }],
  ["a missing argument after an import", "taxFor(1)", KT_MORE, "taxFor", { before: IMPORTED("taxFor") }],
  ["another name for it", "t(1)", KT_MORE, "taxFor", { before: IMPORTED("taxFor as t") }],
  ["an unknown name", 'taxFor(1, country = "FR")', ["country: String", "land: String"], "taxFor"],
  ["a function that is gone", "taxFor(1)", KT_GONE, "taxFor", { before: IMPORTED("taxFor") }],
  [
    "a function of another name in its package",
    "taxFor(1)",
    KT_GONE,
    "taxFor",
    { before: "package shop.tax\n" },
  ],
  ["a constructor", "Rate(2026)", KT_MADE, "Rate"],
  ["a constructor of a base class", "object : Rate(2026) {}", KT_MADE, "Rate"],
  ["a function of an object", "Rates.of(2026)", KT_OF, "Rates.of"],
  ["a function of a companion", "Bill.of(1)", ["of(net: Int", "of(net: Int, year: Int"], "Bill.of"],
  ["a companion by its name", "Bill.Companion.of(1)", ["of(net: Int", "of(net: Int, year: Int"], "Bill.of"],
  ["a function of an object that is gone", "Rates.of(2026)", ["fun of(year", "fun at(year"], "Rates.of"],
  ["a lambda after the parentheses", "rounded(1) { }", KT_BLOCK, "rounded"],
  ["an extension", "1.plusTax(2026)", KT_PLUS, "plusTax", { before: IMPORTED("plusTax") }],
  ["adapted calls", "taxFor(1, 2026)", KT_MORE, ""],
  ["adapted names", "taxFor(1, year = 2026)", KT_MORE, ""],
  ["a name before the others", "taxFor(net = 1, 2026)", KT_MORE, ""],
  ["a spread", "taxFor(*all)", KT_MORE, ""],
  ["an adapted lambda", "rounded(1, 2) { }", KT_BLOCK, ""],
  ["a default", "taxFor(1)", ["taxFor(net: Int", "taxFor(net: Int, year: Int = 1"], ""],
  ["another package", "taxFor(1)", KT_MORE, "", { before: ONLY_PACKAGE }],
  ["another import", "taxFor(1)", KT_MORE, "", { before: "package shop.tax\n\nimport other.taxFor\n" }],
  [
    "a function that is gone, with packages of others",
    "taxFor(1)",
    ['fun taxFor(net: Int, country: String = "DE", vararg more: Int): Int = net\n', ""],
    "",
    { before: "package shop.tax\n\nimport other.tools.*\n" },
  ],
  [
    "an overload",
    "taxFor(1)",
    ["fun taxFor(net: Int", "fun taxFor(net: Int) = net\nfun taxFor(net: Int, year: Int"],
    "",
  ],
  ["an overload elsewhere", "taxFor(1)", KT_MORE, "", { also: "package other\nfun taxFor(a: String) {}\n" }],
  [
    "a method of that name",
    "taxFor(1)",
    KT_MORE,
    "",
    { also: "package other\nopen class A { fun taxFor(a: Int) {} }\n" },
  ],
  [
    "a property of that name",
    "taxFor(1)",
    KT_MORE,
    "",
    { also: "package other\nopen class A(val taxFor: (Int) -> Unit)\n" },
  ],
  [
    "a file that isn't understood",
    "taxFor(1)",
    KT_MORE,
    "",
    { also: "package other\n)) fun taxFor(a: Int) {}\n" },
  ],
  ["a variable of that name", "{ taxFor: (Int) -> Int -> taxFor(1) }", KT_MORE, ""],
  [
    "a second constructor",
    "Rate(1)",
    KT_MADE,
    "",
    { declared: [": Base()", ": Base() {\n  constructor() : this(1)\n}"] },
  ],
  [
    "a function that makes one",
    "Rate(1)",
    KT_MADE,
    "",
    { also: "package shop.tax\nfun Rate(a: Int) = Rate(a, 1)\n" },
  ],
  [
    "a companion that makes one",
    "Rate(1)",
    KT_MADE,
    "",
    { declared: [": Base()", ": Base() {\n  companion object { operator fun invoke(a: Int) = 1 }\n}"] },
  ],
  [
    "an object of another type",
    "Rates.of(1)",
    KT_OF,
    "",
    { declared: ["object Rates", "object Rates : Base()"] },
  ],
  [
    "an extension of an object",
    "Rates.of(1)",
    KT_OF,
    "",
    { also: "package other\nfun Rates.of(a: Int) = a\n" },
  ],
  ["a function of each system", "taxFor(1)", KT_MORE, "", { declared: ["fun taxFor", "expect fun taxFor"] }],
  [
    "an extension and a function of the value",
    "1.plusTax(1) + a.plusTax(1, 2)",
    KT_PLUS,
    "",
    { before: IMPORTED("plusTax") },
  ],
  ["an extension without an import", "1.plusTax(2026)", KT_PLUS, ""],
  [
    "Java",
    "taxFor(1)",
    KT_MORE,
    "",
    {
      before: ONLY_PACKAGE,
      others: { "A.java": "package shop.tax;\nclass A { void f() { PricesKt.taxFor(1); new Rate(1); } }\n" },
    },
  ],
];

const inCart = (call: string): string =>
  `module Shop\n  class Cart\n    def total\n      ${call}\n    end\n  end\nend\n`;

function edited(text: string, [from, to]: Edit): string {
  const after = text.replace(from, to);
  assert.notEqual(after, text);
  return after;
}

for (const [language, extension, text, cases] of [
  ["C#", "cs", TAXES, CSHARP],
  ["Ruby", "rb", RATES, RUBY],
  ["Kotlin", "kt", PRICES, KOTLIN],
] as const) {
  for (const [what, call, edit, found, { also, declared, before, others } = {}] of cases) {
    test(`calls of ${language}: ${found === "" ? "silent about" : "reports"} ${what}`, () => {
      const old = declared === undefined ? text : edited(text, declared);
      const caller = {
        cs: `${before ?? USING}\nclass Cart\n{\n  object Total() => ${call};\n}\n`,
        rb: inCart(call),
        kt: `${before ?? IMPORTED("*")}\nclass Cart {\n  fun total() = ${call}\n}\n`,
      }[extension];
      const files: Files = {
        [`taxes.${extension}`]: old,
        [`cart.${extension}`]: caller,
        ...(also === undefined ? {} : { [`also.${extension}`]: also }),
        ...others,
      };
      const broken = shown(brokenBy(files, { [`taxes.${extension}`]: edited(old, edit) }));
      assert.deepEqual(
        broken.map((each) => each.replace(/^\w+ | cart\.\w+:\d+$/g, "")),
        found === "" ? [] : [`${found}:`],
      );
    });
  }
}
