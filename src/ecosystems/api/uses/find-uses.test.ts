/** Which uses of a package are found, one case per construct. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { EcosystemId } from "../../ecosystem.ts";
import { findUses } from "./find-uses.ts";
import { importNamesOf, searchTermsOf } from "./import-names.ts";
import { summarizeUses } from "./summarize-uses.ts";
import { syntax, wantedUses, findUsesIn, shown } from "../../../../test/support/find-uses-fixtures.ts";

const CASES: Readonly<
  Record<string, readonly (readonly [string, string, readonly string[], readonly string[]])[]>
> = {
  typescript: [
    ["a named import", 'import { foo } from "pkg";\nfoo();', ["foo"], ["1 foo import", "2 foo"]],
    ["an alias", 'import { foo as bar } from "pkg";\nbar();\nfoo();', ["foo"], ["1 foo import", "2 foo"]],
    [
      "a namespace",
      'import * as ns from "pkg";\nns.foo();\nns.other();\nns["foo"];',
      ["foo"],
      ["2 foo", "4 foo"],
    ],
    ["a default import", 'import d from "pkg";\nd();', ["default"], ["1 default import", "2 default"]],
    ["members of a default import", 'import d from "pkg";\nd.foo();', ["foo"], ["2 foo"]],
    [
      "a subpath",
      'import { foo } from "pkg/sub";\nfoo();',
      ["pkg/sub foo", "foo"],
      ["1 foo import", "2 foo"],
    ],
    ["only that subpath", 'import { foo } from "pkg";\nfoo();', ["pkg/sub foo"], []],
    ["another package", 'import { foo } from "pkg-other";\nfoo();', ["foo"], []],
    [
      "require",
      'const p = require("pkg");\np.foo();\nconst { foo: f } = require("pkg");\nf();\nrequire("pkg").foo();',
      ["foo"],
      ["2 foo", "3 foo import", "4 foo", "5 foo"],
    ],
    ["a required function", 'const p = require("pkg");\np();', ["default"], ["2 default"]],
    ["import = require", 'import p = require("pkg");\np.foo();', ["foo"], ["2 foo"]],
    [
      "dynamic import",
      'const { foo } = await import("pkg");\nfoo();\n(await import("pkg")).foo;\nimport("pkg").then(({ foo: g }) => g());\nimport("pkg").then((m) => m.foo());',
      ["foo"],
      ["1 foo import", "2 foo", "3 foo", "4 foo import", "4 foo", "5 foo"],
    ],
    [
      "re-exports",
      'export { foo, bar as baz } from "pkg";\nimport { foo as f } from "pkg";\nexport { f };',
      ["foo"],
      ["1 foo re-export", "2 foo import", "3 foo re-export"],
    ],
    [
      "types",
      'import type { Foo } from "pkg";\nimport { type Bar } from "pkg";\nlet a: Foo;\nlet b: Array<Bar>;',
      ["Foo", "Bar"],
      ["1 Foo import type", "2 Bar import type", "3 Foo type", "4 Bar type"],
    ],
    [
      "a type of a namespace",
      'import * as ns from "pkg";\nlet a: ns.Foo;\nlet b: typeof ns.foo;',
      ["Foo", "foo"],
      ["2 Foo type", "3 foo type"],
    ],
    [
      "destructuring a namespace",
      'import * as ns from "pkg";\nconst { foo } = ns;\nfoo();',
      ["foo"],
      ["2 foo import", "3 foo"],
    ],
    [
      "methods of an object",
      'import { Foo } from "pkg";\nconst a = new Foo();\na.bar();\na.other();',
      ["Foo.bar"],
      ["3 Foo.bar"],
    ],
    [
      "other methods of an object",
      'import { Foo } from "pkg";\nconst a = new Foo();\na.other();\na.headers.get();',
      ["Foo", "~get"],
      ["1 Foo import", "2 Foo"],
    ],
    [
      "the type of a module",
      'const a: typeof import("pkg") = b;\nimport("pkg").then(load);',
      ["default"],
      [],
    ],
    [
      "methods of a parameter",
      'import { Foo } from "pkg";\nfunction f(a: Foo) { a.bar(); }',
      ["Foo.bar"],
      ["2 Foo.bar"],
    ],
    [
      "static methods",
      'import { Foo } from "pkg";\nFoo.bar();',
      ["Foo.bar", "Foo"],
      ["1 Foo import", "2 Foo.bar"],
    ],
    [
      "a parameter that hides it",
      'import { foo } from "pkg";\nfunction f(foo) { foo(); }\nconst g = (foo) => foo();\nfoo();',
      ["foo"],
      ["1 foo import", "4 foo"],
    ],
    [
      "a variable that hides it",
      'import { foo } from "pkg";\nfunction f() { const foo = 1; foo; }\n{ let foo = 2; foo; }',
      ["foo"],
      ["1 foo import"],
    ],
    [
      "a property of the same name",
      'import { foo } from "pkg";\na.foo();\nb = { foo: 1 };\nc = { foo };',
      ["foo"],
      ["1 foo import", "4 foo"],
    ],
    [
      "a plain name",
      'import { z } from "pkg";\nz.foo();\nz.bar.foo();\nother.foo();',
      ["~foo"],
      ["2 foo", "3 foo"],
    ],
    [
      "a plain method",
      'import { Foo } from "pkg";\nconst a = new Foo();\na.bar();',
      ["~Foo.bar"],
      ["3 Foo.bar"],
    ],
    ["a name that isn't wanted", 'import { bar } from "pkg";\nbar();', ["foo"], []],
    [
      "names of objects",
      'import * as ns from "pkg";\nns.constructor;\nns.__proto__;',
      ["__proto__"],
      ["3 __proto__"],
    ],
  ],
  tsx: [
    [
      "JSX",
      'import { Foo, ns } from "pkg";\nconst a = <Foo a={1}><ns.Bar /></Foo>;',
      ["Foo", "ns.Bar"],
      ["1 Foo import", "2 Foo", "2 ns.Bar"],
    ],
  ],
  javascript: [
    [
      "Flow and JSX",
      '// @flow\nimport type { Foo } from "pkg";\nimport { bar } from "pkg";\nconst a = (x: Foo) => <div>{bar(x)}</div>;',
      ["bar"],
      ["3 bar import", "4 bar"],
    ],
  ],
  vue: [
    [
      "a component",
      '<template><p>{{ foo }}</p></template>\n<script setup lang="ts">\nimport { foo } from "pkg";\nfoo();\n</script>',
      ["foo"],
      ["3 foo import", "4 foo"],
    ],
  ],
  python: [
    [
      "from … import",
      "from pkg import foo, bar as b\nfoo()\nb.x",
      ["foo", "bar"],
      ["1 foo import", "1 bar import", "2 foo", "3 bar"],
    ],
    [
      "import",
      "import pkg\nimport pkg.sub as s\npkg.foo(1)\npkg.sub.bar\ns.bar()",
      ["foo", "pkg.sub bar"],
      ["3 foo", "4 bar", "5 bar"],
    ],
    ["a module", "from pkg import sub\nsub.bar()", ["pkg.sub bar"], ["2 bar"]],
    [
      "methods",
      "from pkg import Foo\na = Foo()\na.bar()\nwith Foo() as b:\n    b.bar()\ndef f(c: Foo):\n    c.bar()",
      ["Foo.bar"],
      ["3 Foo.bar", "5 Foo.bar", "7 Foo.bar"],
    ],
    [
      "only for types",
      "if TYPE_CHECKING:\n    from pkg import Foo\ndef f(a: Foo): ...",
      ["Foo"],
      ["2 Foo import type", "3 Foo type"],
    ],
    [
      "a parameter that hides it",
      "from pkg import foo\ndef f(foo):\n    foo()\ng(foo=1)",
      ["foo"],
      ["1 foo import"],
    ],
    ["another package", "from pkgs import foo\nimport pkg2\nfoo()", ["foo"], []],
    ["a plain name", "import pkg\npkg.sub.foo()", ["~foo"], ["2 foo"]],
  ],
  go: [
    [
      "an import",
      'package a\nimport "example.com/pkg"\nfunc f() { pkg.Foo(); pkg.Bar() }',
      ["Foo"],
      ["3 Foo"],
    ],
    [
      "an alias and a major version",
      'package a\nimport p "example.com/pkg/v3/sub"\nvar x = p.Foo',
      ["example.com/pkg/sub Foo"],
      ["3 Foo"],
    ],
    [
      "types, methods and fields",
      'package a\nimport "example.com/pkg"\nfunc f(a *pkg.Foo) { a.Bar(); b := &pkg.Foo{Baz: 1}; b.Bar() }',
      ["Foo.Bar", "Foo.Baz"],
      ["3 Foo.Bar", "3 Foo.Baz", "3 Foo.Bar"],
    ],
    [
      "a name by convention",
      'package a\nimport "example.com/pkg/go-thing"\nvar x = thing.Foo',
      ["example.com/pkg/go-thing Foo"],
      ["3 Foo"],
    ],
    [
      "a variable that hides it",
      'package a\nimport "example.com/pkg"\nfunc f(pkg T) { pkg.Foo() }',
      ["Foo"],
      [],
    ],
  ],
  rust: [
    [
      "use",
      "use pkg::{foo, sub::Bar as B};\nfn f() { foo(); B::new(); }",
      ["foo", "pkg::sub Bar"],
      ["1 foo import", "1 Bar import", "2 foo", "2 Bar"],
    ],
    ["a path", "fn f() { pkg::sub::foo(); }", ["pkg::sub foo"], ["1 foo"]],
    ["a module", "use pkg::sub;\nfn f() { sub::foo(); }", ["pkg::sub foo"], ["2 foo"]],
    [
      "methods",
      "use pkg::Foo;\nfn f(a: &Foo) { a.bar(); let b = Foo::new(); b.bar(); }",
      ["Foo.bar"],
      ["2 Foo.bar", "2 Foo.bar"],
    ],
    ["in a macro", 'use pkg::sub;\nfn f() { println!("{}", sub::foo(1)); }', ["pkg::sub foo"], ["2 foo"]],
    ["pub use", "pub use pkg::foo;", ["foo"], ["1 foo re-export"]],
  ],
  java: [
    [
      "an import",
      "import org.pkg.Foo;\nclass A { void f() { Foo.bar(); new Foo(); } }",
      ["Foo.bar", "Foo"],
      ["1 Foo import", "2 Foo.bar", "2 Foo"],
    ],
    [
      "methods of a variable",
      "import org.pkg.Foo;\nclass A { Foo a; void f(Foo b) { a.bar(); b.bar(); b.baz(); } }",
      ["Foo.bar"],
      ["2 Foo.bar", "2 Foo.bar"],
    ],
    [
      "a static import",
      "import static org.pkg.Foo.bar;\nclass A { void f() { bar(); other.bar(); } }",
      ["Foo.bar"],
      ["1 Foo.bar import", "2 Foo.bar"],
    ],
    ["on demand", "import org.pkg.*;\nclass A { Foo a; Other b; }", ["Foo"], ["2 Foo"]],
    ["another package", "import org.other.Foo;\nclass A { Foo a; }", ["Foo"], []],
  ],
};

for (const [language, cases] of Object.entries(CASES)) {
  {
    const suite = `findUses in ${language}`;
    for (const [what, text, names, expected] of cases) {
      test(`${suite}: ${what}`, () => deepEqual(shown(findUsesIn(language, text, { names })), expected));
    }
  }
}

{
  const suite = "summarizeUses";
  const summary = (files: readonly (readonly [string, string, boolean])[], names: readonly string[]) =>
    summarizeUses(
      files.flatMap(
        ([path, text, isTest]) =>
          findUses(
            { path, language: "typescript", text, isTest },
            wantedUses("typescript", { names }),
            syntax,
          ) ?? [],
      ),
    );

  test(`${suite}: counts files, uses and names`, () => {
    const found = summary(
      [
        ["src/a.ts", 'import { foo, bar } from "pkg";\nfoo();\nfoo();\nbar();', false],
        ["src/a.test.ts", 'import { foo } from "pkg";\nfoo();', true],
        ["src/types.ts", 'import type { T } from "pkg";\nlet a: T;', false],
        ["src/none.ts", "foo();", false],
      ],
      ["foo"],
    );
    equal(found.verdict, "used");
    deepEqual(found.importingFiles, { runtime: 1, tests: 1, typesOnly: 1 });
    equal(found.useCount, 5);
    deepEqual(found.names, [{ name: "foo", places: 3, files: 2 }]);
    deepEqual(
      found.places.map(({ path, line }) => `${path}:${line}`),
      ["src/a.ts:2", "src/a.ts:3", "src/a.test.ts:2"],
    );
  });

  const VERDICTS: readonly (readonly [string, readonly (readonly [string, string, boolean])[]])[] = [
    ["not-found", [["a.ts", 'import { bar } from "pkg";', false]]],
    [
      "only-tests-and-types",
      [
        ["a.test.ts", 'import { bar } from "pkg";', true],
        ["b.ts", 'import type { T } from "pkg";', false],
      ],
    ],
    ["not-imported", [["a.ts", "", false]]],
    ["used", [["a.ts", 'import { foo } from "pkg";', false]]],
  ];
  for (const [verdict, files] of VERDICTS)
    test(`${suite}: ${verdict}`, () => equal(summary(files, ["foo"]).verdict, verdict));
}

{
  const suite = "importNamesOf";
  const CASES_OF_NAMES: readonly (readonly [
    EcosystemId,
    string,
    Readonly<Record<string, string>>,
    readonly string[],
  ])[] = [
    ["npm", "@scope/pkg", {}, ["@scope/pkg"]],
    ["pypi", "PyYAML", { "PyYAML.egg-info/top_level.txt": "_yaml\nyaml\n" }, ["_yaml", "yaml"]],
    [
      "pypi",
      "attrs",
      { "src/attr/__init__.py": "", "src/attrs/__init__.py": "", "tests/test_a.py": "", "setup.py": "" },
      ["attr", "attrs"],
    ],
    ["pypi", "six", { "six.py": "", "test_six.py": "", "setup.py": "" }, ["six", "test_six"]],
    ["pypi", "some-name", {}, ["some_name"]],
    ["cargo", "serde-json", {}, ["serde_json"]],
    ["cargo", "md-5", { "Cargo.toml": '[package]\nname = "md-5"\n[lib]\nname = "md5"\n' }, ["md5"]],
    ["go", "github.com/a/b/v3", {}, ["github.com/a/b"]],
    ["go", "gopkg.in/yaml.v3", {}, ["gopkg.in/yaml"]],
    [
      "maven",
      "com.x:y",
      { "com/x/y/A.java": "package com.x.y;", "com/x/y/z/B.java": "package com.x.y.z;" },
      ["com.x.y", "com.x.y.z"],
    ],
    ["maven", "com.x:y", {}, ["com.x"]],
  ];
  for (const [ecosystem, name, files, expected] of CASES_OF_NAMES) {
    test(`${suite}: ${ecosystem} ${name} ${Object.keys(files)[0] ?? ""}`, () =>
      deepEqual(importNamesOf({ ecosystem, name }, [new Map(Object.entries(files))]), expected));
  }

  test(`${suite}: searches for the shortest names`, () => {
    deepEqual(searchTermsOf("maven", ["com.x.y.z", "com.x.y"]), ["com.x.y"]);
    deepEqual(searchTermsOf("npm", ["pkg"]), ["pkg"]);
  });
}
