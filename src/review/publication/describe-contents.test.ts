/** Reads the contents of a change as people do: composed from a diff, and described in lines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAnalysis, sampleFile, sampleFileAnalysis } from "../../../test/support/sample-publication.ts";
import type { FileAnalysis, RiskSignal } from "../analysis/analysis.ts";
import { categoryOf } from "../analysis/categories.ts";
import { languageOf } from "../../languages/language-of.ts";
import { markOf } from "../analysis/marks.ts";
import type { ChangedFile } from "../change/change.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";
import { exampleReport } from "../../../test/support/example-report.ts";
import { composeContents } from "./compose/compose-contents.ts";
import { describeContents } from "./describe-contents.ts";

function described(...files: readonly ChangedFile[]): readonly string[] {
  const facts = files.map((file): FileAnalysis =>
    sampleFileAnalysis(file.path, {
      category: categoryOf(file.path),
      language: languageOf(file.path),
      mark: markOf(file),
      isSkipped: file.path.startsWith("skipped/"),
    }),
  );
  return describeContents(composeContents(files, sampleAnalysis(facts)), []);
}

/** The part about symbols of a change to one file. */
function symbols(path: string, lines: readonly string[]): string {
  return described(sampleFile(path, lines))[1] ?? "";
}

test("the lines count what there is to read, and name symbols and migrations", () => {
  assert.deepEqual(
    described(
      sampleFile("src/users.ts", [
        "+export async function createUser(name: string) {",
        "-export function legacyLogin() {",
        "-export const limit = 10;",
        "+export const limit = 20;",
      ]),
      sampleFile("src/list.ts", ["+const x = 1;"]),
      sampleFile("db/migrations/0012_users.sql", ["+create table users (id int);"]),
      sampleFile("test/users.test.ts", ["+export function notASymbol() {"]),
      sampleFile("package.json", ['-    "zod": "^4.0.0",', '+    "zod": "^4.1.0",', '+    "ws": "8.18.0"']),
      sampleFile("package-lock.json", ['+      "version": "4.1.0",']),
      sampleFile(".github/workflows/ci.yml", ["+on: push"]),
      sampleFile("README.md", ["+Text."]),
      sampleFile("src/logo.svg", ["+<svg/>"], { cutLines: [10] }),
    ),
    [
      "8 files to read, 13 changed lines: 3 source (TypeScript, SQL), 1 test, 1 infrastructure, 1 configuration, 1 documentation " +
        "and 1 other. Not counted: 1 lock file.",
      "Adds `createUser`; removes `legacyLogin`; changes the declaration of `limit`; includes 1 migration.",
    ],
  );
  assert.deepEqual(described(), []);
  assert.deepEqual(described(sampleFile("src/table.csv", ["+a"])), ["1 file to read, 1 changed line."]);
});

const line = ["+a"];
const UNCOUNTED: readonly (readonly [file: ChangedFile, text: string])[] = [
  [sampleFile("a/package-lock.json", line), "1 lock file"],
  [sampleFile("vendor/a/a.go", line), "1 vendored file"],
  [sampleFile("dist/a.min.js", line), "1 minified file"],
  [sampleFile("src/schema.generated.ts", line), "1 generated file"],
  [sampleFile("data/rows.csv", [], { unreadable: "too-large", addedLines: 90_000 }), "1 data file"],
  [sampleFile("src/b.ts", [], { oldPath: "src/a.ts", status: "renamed" }), "1 file moved without edits"],
  [sampleFile("src/gone.ts", ["-a", "-b"], { status: "deleted" }), "1 deleted file"],
  [sampleFile("logo.png", [], { unreadable: "binary" }), "1 file without text"],
  [sampleFile("run.sh", [], { unreadable: "mode-only" }), "1 file mode"],
  [sampleFile("skipped/a.ts", line), "1 file excluded by review.skipPaths"],
  [sampleFile("new/", [], { unreadable: "too-many-files" }), "1 folder with too many changed files"],
];
for (const [file, text] of UNCOUNTED) {
  test(`not to read: ${text}`, () => {
    assert.equal(described(file)[0], `0 files to read. Not counted: ${text}.`);
    assert.equal(
      described(sampleFile("src/read.ts", ["-const x = 1;", "+const x = 2;"]), file)[0],
      `1 file to read, 2 changed lines: source (TypeScript). Not counted: ${text}.`,
    );
  });
}

const SIZES: readonly (readonly [what: string, file: Partial<ChangedFile>, text: string])[] = [
  ["a few lines are exact", { addedLines: 99 }, "99 changed lines"],
  ["more are rounded", { addedLines: 300, removedLines: 12 }, "about 310 changed lines"],
  ["and many more to thousands", { addedLines: 12_345 }, "about 12,000 changed lines"],
  ["a moved file with edits", { addedLines: 1, oldPath: "src/old.ts", status: "renamed" }, "1 changed line"],
  // People can read what Kodiai can't.
  [
    "a source that is too large",
    { addedLines: 40_000, unreadable: "too-large" },
    "about 40,000 changed lines",
  ],
  ["an empty file", { addedLines: 0, status: "added" }, "0 changed lines"],
];
for (const [what, given, text] of SIZES) {
  test(`size: ${what}`, () =>
    assert.equal(
      described(sampleFile("src/a.ts", [], given))[0],
      `1 file to read, ${text}: source (TypeScript).`,
    ));
}

const signal = (id: string, label: string, ...paths: readonly string[]): RiskSignal => ({ id, label, paths });
const RISKS: readonly (readonly [what: string, signals: readonly RiskSignal[], text: string | undefined])[] =
  [
    ["none", [], undefined],
    [
      "only what the other lines say",
      [
        signal("dependencies", "Changes dependencies", "package.json"),
        signal("infrastructure", "Changes CI", "a"),
      ],
      undefined,
    ],
    [
      "the first three, with their first paths",
      [
        signal("authentication", "Touches authentication or authorization", "a.ts", "b.ts", "c.ts"),
        signal("raw-sql", "Adds raw SQL", "d.ts"),
        signal("error-handling", "Removes or empties error handling", "e`.ts", "f.ts"),
        signal("permissions", "Changes permissions", "g.sh"),
      ],
      "Needs attention: touches authentication or authorization (`a.ts`, `b.ts`, …), adds raw SQL (`d.ts`), " +
        "removes or empties error handling (`` e`.ts ``, `f.ts`), 1 more.",
    ],
  ];
for (const [what, signals, text] of RISKS) {
  test(`risks: ${what}`, () => {
    const contents = composeContents(
      [sampleFile("a.ts", line)],
      sampleAnalysis([sampleFileAnalysis("a.ts")]),
    );
    assert.equal(describeContents(contents, signals)[1], text);
  });
}

const SYMBOLS: readonly (readonly [what: string, path: string, lines: readonly string[], text: string])[] = [
  ["an added class", "a.py", ["+class Order:", "+    def total(self):"], "Adds `Order`."],
  ["a private function", "a.py", ["+def _helper():"], ""],
  ["a Go function and a private one", "a.go", ["+func Open() {", "+func closeAll() {"], "Adds `Open`."],
  ["a Rust function", "a.rs", ["+pub fn open() {", "+fn close() {", "+    pub fn new() {"], "Adds `open`."],
  ["a Java class", "A.java", ["+public final class Order {", "+class Hidden {"], "Adds `Order`."],
  [
    "another signature",
    "a.ts",
    ["-export function f(a) {", "+export function f(a, b) {"],
    "Changes the declaration of `f`.",
  ],
  [
    "a symbol that moved within the file",
    "a.ts",
    ["-export function f() {", " x", "+export function f() {"],
    "",
  ],
  [
    "a symbol that is exported differently",
    "a.ts",
    ["-export const f = 1;", "+export { f } from './b';"],
    "",
  ],
  ["a symbol that was there in another form", "a.js", ["-exports.f = f;", "+export function f() {"], ""],
  [
    "an overload of a declared function",
    "a.ts",
    ["+export function f(a: string): void;", " export function f(a) {"],
    "",
  ],
  [
    "many symbols",
    "a.ts",
    ["a", "b", "c", "d", "e", "f"].map((name) => `+export const ${name} = 1;`),
    "Adds `a`, `b`, `c`, `d` and 2 more.",
  ],
  ["an enum", "a.ts", ["+export const enum Color {"], "Adds `Color`."],
];
for (const [what, path, lines, text] of SYMBOLS) {
  test(`symbols: ${what}`, () => assert.equal(symbols(path, lines), text));
}

test("a symbol that moved to another file is neither added nor removed", () => {
  const [, text] = described(
    sampleFile("src/a.ts", ["-export function move() {", "+export function fresh() {"]),
    sampleFile("src/b.ts", ["+export function move() {"]),
  );
  assert.equal(text, "Adds `fresh`.");
});

test("nothing is said about symbols when a source file wasn't read", () => {
  const read = sampleFile("src/a.ts", ["-export function gone() {"]);
  assert.equal(described(read)[1], "Removes `gone`.");
  assert.equal(described(read, sampleFile("src/b.ts", [], { unreadable: "too-large" }))[1], undefined);
});

test("dependencies are counted by the manifest that lists them", () => {
  const file = sampleFile("package.json", ['+    "left-pad": "^2.0.0"']);
  const analysis = sampleAnalysis([sampleFileAnalysis(file.path, { category: "config" })]);
  const linesOf = (report: Parameters<typeof composeContents>[2]): readonly string[] =>
    describeContents(composeContents([file], analysis, report), []);
  assert.equal(linesOf(exampleReport({}))[1], "Changes 1 dependency in package.json.");
  assert.equal(linesOf(null)[1], undefined);
});

test("ten times the files that declare the same names take ten times as long", () => {
  const filesOf = (count: number): readonly ChangedFile[] =>
    Array.from({ length: count }, (_, index) =>
      sampleFile(
        `src/file-${index}.ts`,
        Array.from({ length: 5 }, (__, line) => `+export const value${line} = ${index};`),
      ),
    );
  const [small, large] = [filesOf(2_000), filesOf(20_000)];
  const growth = (): number => cpuMs(() => described(...large)) / cpuMs(() => described(...small));
  // Quadratic work would be a hundred times as long. The best of three, because the collector may run in any.
  assert.ok(Math.min(growth(), growth(), growth()) < 30);
});
