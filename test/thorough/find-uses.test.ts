/** Looking for uses in hostile files ends in linear time. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { findUses } from "../../src/ecosystems/api/uses/find-uses.ts";
import { wantedNamesOf } from "../../src/ecosystems/api/uses/wanted-names.ts";
import { syntax, wantedUses, findUsesIn, shown } from "../support/find-uses-fixtures.ts";

{
  const suite = "findUses";
  test(`${suite}: reports imports of removed paths`, () => {
    const found = findUsesIn("typescript", 'import x from "pkg/lib/gone";\nimport y from "pkg";', {
      names: [],
      removedEntries: ["pkg/lib/gone"],
    });
    deepEqual(shown(found), ["1 pkg/lib/gone import"]);
    equal(found.imports.length, 2);
  });

  test(`${suite}: reports what a difference changes, with plain names and lost CommonJS support`, () => {
    const removed = { kind: "removed" } as const;
    const wanted = wantedNamesOf(
      "npm",
      {
        changes: [{ entry: "pkg", name: "foo", kind: "value", change: removed }],
        facts: [
          { kind: "require-dropped", entry: "pkg" },
          { kind: "entry-removed", entry: "pkg/gone", isFile: true },
        ],
      },
      ["bar"],
    );
    const text = 'const { foo, bar } = require("pkg");\nfoo(bar);\nimport "pkg/gone";\nimport "pkg";';
    const file = { path: "a.ts", language: "typescript", text, isTest: false };
    const found = findUses(file, { ...wantedUses("typescript", { names: [] }), ...wanted }, syntax);
    ok(found !== null);
    deepEqual(shown(found), [
      "1 foo import",
      "1 bar import",
      "1 pkg import",
      "2 foo",
      "2 bar",
      "3 pkg/gone import",
    ]);
  });

  test(`${suite}: gives the place and what the code writes there`, () => {
    const [, place] = findUsesIn("typescript", 'import { foo as f } from "pkg";\nif (a)   f.call(1);', {
      names: ["foo"],
    }).places;
    deepEqual(place, {
      path: "a",
      line: 2,
      column: 10,
      text: "if (a)   f.call(1);",
      name: "foo",
      symbol: "f.call",
      role: "use",
      isTypeOnly: false,
      isTest: false,
    });
  });

  test(`${suite}: says what it couldn't follow`, () => {
    equal(findUsesIn("typescript", 'export * from "pkg";', { names: ["foo"] }).isOpen, true);
    equal(findUsesIn("python", "from pkg import *\nfoo()", { names: ["foo"] }).isOpen, true);
    equal(
      findUsesIn("typescript", `import "pkg";${" ".repeat(300_000)}`, { names: ["foo"] }).problem,
      "too-large",
    );
    const file = { path: "a.rb", language: "ruby", text: "", isTest: false };
    equal(findUses(file, wantedUses("typescript", { names: [] }), syntax), null);
  });

  test(`${suite}: ends with hostile files`, () => {
    const hostile = [
      `import { foo } from "pkg";${"foo(".repeat(3_000)}${")".repeat(3_000)}`,
      `import { foo } from "pkg";${"function f(foo) {".repeat(300)}foo();${"}".repeat(300)}`,
      `import { foo } from "pkg";\n${"foo();\n".repeat(5_000)}`,
      `import { ${Array.from({ length: 2_000 }, (_, at) => `a${at}`).join(",")} } from "pkg"; a1(); a2();`,
      'import { foo } from "pkg"; ((((((((\0 \uD800 {{{{ import from',
    ];
    for (const text of hostile) ok(findUsesIn("typescript", text, { names: ["foo"] }).imports.length > 0);
    equal(findUsesIn("typescript", hostile[2] ?? "", { names: ["foo"] }).problem, "limit");
  });
}
