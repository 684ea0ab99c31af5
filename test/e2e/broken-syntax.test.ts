/** A change that breaks the syntax of files: each of them is a finding that must be fixed, in the words of its parser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

/** Path, text before the change, text after it, and the line of the finding. */
const FILES: readonly (readonly [path: string, before: string, after: string, line: number])[] = [
  ["limits.json", '{\n  "max": 1,\n  "min": 2\n}\n', '{\n  "max": 1,\n  "min": 2,\n}\n', 3],
  ["app.yaml", "a:\n  b: [1, 2]\n", "a:\n  b: [1, 2\n", 2],
  ["app.toml", 'a = "1"\n', 'a = "1\n', 1],
  ["pom.xml", "<a>\n  <b/>\n</a>\n", "<a>\n  <b>\n</a>\n", 2],
  ["main.go", "package a\n\nfunc f() {\n\tg(1)\n}\n", "package a\n\nfunc f() {\n\tg(1\n}\n", 4],
  ["A.java", "class A {\n  int b = 1;\n}\n", "class A {\n  int b = (1;\n}\n", 2],
  ["lib.rs", "fn f() {\n    g();\n}\n", "fn f() {\n    g(;\n}\n", 2],
  ["a.php", "<?php\nfunction f() {\n  g();\n}\n", "<?php\nfunction f() {\n  if (g()) {\n}\n", 3],
  ["a.rb", "def f\n  g([1])\nend\n", "def f\n  g([1)\nend\n", 2],
];

test("each file that a change broke is reported, and a repaired one isn't", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, before] of FILES) made.write(path, before);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, , after] of FILES) made.write(path, after);
  made.commit("break");
  const broken = await runKodiai(["review", "--range", "main..feature", "--offline", "--format", "json"], {
    cwd: made.path,
  });
  const { findings } = JSON.parse(broken.stdout);
  const reported = findings
    .filter(({ rule }: { readonly rule: string }) => rule === "does-not-parse")
    .map(({ path, startLine, severity }: Record<string, unknown>) => [path, startLine, severity]);
  const byPath = ([one]: readonly unknown[], [other]: readonly unknown[]): number =>
    String(one).localeCompare(String(other));
  assert.deepEqual(
    reported.toSorted(byPath),
    FILES.map(([path, , , line]) => [path, line, "must-fix"]).toSorted(byPath),
  );
  for (const [path, before] of FILES) made.write(path, before);
  made.commit("repair");
  const repaired = await runKodiai(
    ["review", "--range", "feature~1..feature", "--offline", "--format", "json"],
    {
      cwd: made.path,
    },
  );
  assert.deepEqual(JSON.parse(repaired.stdout).findings, []);
});
