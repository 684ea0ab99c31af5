/** Edits that are refused as a whole: limits, text, tests, secrets, and paths that clash with one another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf } from "../analysis/categories.ts";
import { checkEdits, type EditPolicy, MAX_EDITED_FILES } from "./check-edits.ts";
import type { ProposedEdit } from "./edit.ts";
import { indexTree } from "./head-tree.ts";
import { compilePathRules } from "./path-rules.ts";

const POLICY: EditPolicy = {
  tree: indexTree(["src/a.ts", "src/a.test.ts"], new Map()),
  rules: compilePathRules({ allowPaths: [], denyPaths: [".github/**"] }),
  isTest: (path) => categoryOf(path) === "test",
  mayRemoveTests: false,
};

/** Split, so that secret scanners don't flag it. It was never issued. */
const KEY = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");

function refused(
  ...edits: readonly (Partial<ProposedEdit> & { readonly path: string })[]
): readonly string[] {
  const whole = edits.map((edit) => ({ before: null, after: "export const a = 1;\n", ...edit }));
  return checkEdits(whole, POLICY).map(({ rule, path, detail }) => [rule, path, detail].join("|"));
}

test("an ordinary edit, a new file and a deletion pass", () => {
  assert.deepEqual(
    refused(
      { path: "src/a.ts", before: "a\n" },
      { path: "src/b.ts" },
      { path: "src/c.ts", before: "c\n", after: null },
    ),
    [],
  );
});

test("edits that change nothing are refused", () => {
  assert.deepEqual(refused(), ["nothing-changed||"]);
  assert.deepEqual(refused({ path: "src/a.ts", before: "a", after: "a" }), ["nothing-changed||"]);
});

test("too many files are refused, and a denied path among them is still named", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ path: `src/f${index}.ts` }));
  const [first, ...rest] = refused(...many, { path: ".github/workflows/x.yml" });
  assert.equal(first, `too-many-files||10,001 files; at most ${MAX_EDITED_FILES} are edited at once`);
  assert.deepEqual(rest, ["denied-path|.github/workflows/x.yml|.github/**"]);
});

test("large files and large changes are refused", () => {
  assert.match(
    refused({ path: "src/a.ts", after: "a".repeat(1024 * 1024 + 1) }).join(),
    /^too-large\|src\/a\.ts/,
  );
  const text = "some line of text\n".repeat(9_000);
  assert.match(
    refused(
      { path: "src/a.ts", after: text },
      { path: "src/b.ts", after: text },
      { path: "src/c.ts", after: text },
    ).join(),
    /^too-large\|\|/,
  );
  assert.match(
    refused({ path: "src/a.ts", before: "some line of text\n".repeat(30_000), after: "" }).join(),
    /^too-large\|\|/,
    "removing counts too",
  );
  assert.deepEqual(
    refused({ path: "src/a.ts", before: text + text + text, after: `${text + text + text}x\n` }),
    [],
  );
});

test("only text is written, and nothing hidden", () => {
  assert.deepEqual(refused({ path: "src/a.ts", after: "a\0b" }), ["not-text|src/a.ts|"]);
  assert.deepEqual(refused({ path: "src/a.ts", after: "a\udc80b" }), ["not-text|src/a.ts|"]);
  assert.deepEqual(refused({ path: "src/a.ts", after: "ok\nif (a\u202e) {\n" }), [
    "hidden-text|src/a.ts|line 2",
  ]);
  assert.deepEqual(refused({ path: "src/a.ts", after: "x\u{e0041}\n" }), ["hidden-text|src/a.ts|line 1"]);
  assert.deepEqual(
    refused({ path: "src/a.ts", before: "x\u202e\n", after: "x\u202e\ny\n" }),
    [],
    "lines that were there stay as they are",
  );
  assert.deepEqual(refused({ path: "docs/x.md", after: "👩‍💻 ❤️\n" }), []);
});

test("a secret on an added line is refused by its line, and never repeated", () => {
  const refusals = refused({ path: "src/a.ts", before: "a\n", after: `a\nconst key = "${KEY}";\n` });
  assert.deepEqual(refusals, ["secret|src/a.ts|line 2 has a credential (AWS access key ID)"]);
  assert.doesNotMatch(refusals.join(), /AKIA/);
  const split = `const key = "${KEY.slice(0, 10)}" +\n  "${KEY.slice(10)}";\n`;
  assert.match(refused({ path: "src/a.ts", after: split }).join(), /^secret\|src\/a\.ts\|line 1 /);
  const encoded = `const key = atob("${Buffer.from(`{"key":"${KEY}"}`).toString("base64")}");\n`;
  assert.match(refused({ path: "src/a.ts", after: encoded }).join(), /^secret\|src\/a\.ts\|line 1 /);
  assert.match(refused({ path: "test/x.md", after: `${KEY}\n` }).join(), /^secret/, "also in tests and docs");
});

test("a secret that was there already doesn't block an edit of other lines", () => {
  const before = `const key = "${KEY}";\nlet a = 1;\n`;
  assert.deepEqual(refused({ path: "src/a.ts", before, after: before.replace("a = 1", "a = 2") }), []);
  assert.match(
    refused({ path: "src/a.ts", before, after: before.replace("const key", "export const key") }).join(),
    /^secret/,
  );
});

const TESTS: readonly (readonly [path: string, before: string, after: string | null])[] = [
  ["src/a.test.ts", 'it("a", () => {});\n', null],
  ["src/a.test.ts", 'it("a", () => {});\n', "  \n"],
  ["src/a.test.ts", 'it("a", () => {});\nit("b", () => {});\n', 'it("a", () => {});\n'],
  ["src/a.test.ts", 'it("a", () => {});\n', 'it.skip("a", () => {});\n'],
  ["src/a.test.ts", 'it("a", () => {});\n', '// it("a", () => {});\n'],
  ["src/a.test.ts", 'test("a", () => {});\n', "export {};\n"],
  ["tests/test_a.py", "def test_a():\n    pass\ndef test_b():\n    pass\n", "def test_a():\n    pass\n"],
  ["a_test.go", "func TestA(t *testing.T) {}\n", "package a\n"],
  ["spec/a_spec.rb", 'it "works" do\nend\n', 'xit "works" do\nend\n'],
  ["src/test/java/ATest.java", "@Test\nvoid works() {}\n", "void works() {}\n"],
  ["src/lib.rs", "#[test]\nfn works() {}\n", "fn works() {}\n"],
  ["tests/ATest.php", "public function testA() {}\n", "public function helper() {}\n"],
];

test("edits that remove tests are refused", () => {
  for (const [path, before, after] of TESTS)
    assert.match(
      refused({ path, before, after }).join(),
      new RegExp(`^removes-tests\\|${path}\\|`),
      `${path}: ${after}`,
    );
});

test("a request that says so may remove tests", () => {
  for (const [path, before, after] of TESTS)
    assert.deepEqual(
      checkEdits([{ path, before, after }], { ...POLICY, mayRemoveTests: true }).filter(
        ({ rule }) => rule === "removes-tests",
      ),
      [],
    );
});

test("a lockfile is left out", () => {
  assert.deepEqual(refused({ path: "src/a.ts", before: "a\n" }, { path: "web/yarn.lock" }), [
    "lockfile|web/yarn.lock|",
  ]);
});

test("moving a test out of the tests is refused; moving it among them and adding tests isn't", () => {
  const text = 'it("a", () => {});\n';
  const deleted = { path: "src/a.test.ts", before: text, after: null };
  assert.match(
    refused(deleted, { path: "src/old.ts", after: text }).join(),
    /^removes-tests\|src\/a\.test\.ts/,
  );
  assert.deepEqual(refused(deleted, { path: "src/moved.test.ts", after: text }), []);
  assert.deepEqual(
    refused({ path: "src/a.test.ts", before: text, after: `${text}it("b", () => {});\n` }),
    [],
  );
  assert.deepEqual(refused({ path: "src/lib.rs", before: "fn a() {}\n", after: null }), []);
});

test("edited paths that a file system could confuse are refused", () => {
  assert.deepEqual(refused({ path: "x/Foo.ts" }, { path: "x/foo.ts" }), ["case-clash|x/foo.ts|x/Foo.ts"]);
  assert.deepEqual(refused({ path: "X/a.ts" }, { path: "x/b.ts" }), ["case-clash|x/b.ts|X"]);
  assert.deepEqual(refused({ path: "n/e\u0301.ts" }, { path: "n/é.ts" }), ["case-clash|n/é.ts|n/e\u0301.ts"]);
  assert.deepEqual(refused({ path: "y" }, { path: "y/z.ts" }), ["unexpected-entry|y/z.ts|y is a file"]);
  assert.deepEqual(refused({ path: "y/z.ts" }, { path: "Y" }), ["unexpected-entry|y/z.ts|y is a file"]);
});

test("a path that isn't allowed is refused together with everything else that is wrong", () => {
  assert.deepEqual(refused({ path: ".github/x.yml", after: `k: ${KEY}\n` }), [
    "denied-path|.github/x.yml|.github/**",
    "secret|.github/x.yml|line 1 has a credential (AWS access key ID)",
  ]);
});
