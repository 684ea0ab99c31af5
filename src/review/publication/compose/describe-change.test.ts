import assert from "node:assert/strict";
import { test } from "node:test";
import {
  sampleAnalysis,
  sampleFile,
  sampleFileAnalysis,
} from "../../../../test/support/sample-publication.ts";
import type { FileAnalysis } from "../../analysis/analysis.ts";
import { categoryOf } from "../../analysis/categories.ts";
import { languageOf } from "../../../languages/language-of.ts";
import { markOf } from "../../analysis/marks.ts";
import type { ChangedFile } from "../../change/change.ts";
import { cpuMs } from "../../../../test/support/cpu-ms.ts";
import { exampleReport } from "../../../../test/support/example-report.ts";
import { describeChange } from "./describe-change.ts";

function described(...files: readonly ChangedFile[]): string {
  const facts = files.map((file): FileAnalysis =>
    sampleFileAnalysis(file.path, {
      category: categoryOf(file.path),
      language: languageOf(file.path),
      mark: markOf(file),
    }),
  );
  return describeChange(files, sampleAnalysis(facts));
}

/** The part about symbols of a change to one file. */
function symbols(path: string, lines: readonly string[]): string {
  return described(sampleFile(path, lines)).replace(/^1 source file \([^)]+\)(?:; )?/, "");
}

test("kinds of files, symbols and migrations", () => {
  assert.equal(
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
    "3 source files (TypeScript, SQL), 1 test file, 1 infrastructure file, 1 configuration file, 1 documentation file, " +
      "1 lock file and 1 other file; adds `createUser`; removes `legacyLogin`; changes the declaration of `limit`; 1 migration.",
  );
  assert.equal(described(), "");
});

const SYMBOLS: readonly (readonly [what: string, path: string, lines: readonly string[], text: string])[] = [
  ["an added class", "a.py", ["+class Order:", "+    def total(self):"], "adds `Order`."],
  ["a private function", "a.py", ["+def _helper():"], "."],
  ["a Go function and a private one", "a.go", ["+func Open() {", "+func closeAll() {"], "adds `Open`."],
  ["a Rust function", "a.rs", ["+pub fn open() {", "+fn close() {", "+    pub fn new() {"], "adds `open`."],
  ["a Java class", "A.java", ["+public final class Order {", "+class Hidden {"], "adds `Order`."],
  [
    "another signature",
    "a.ts",
    ["-export function f(a) {", "+export function f(a, b) {"],
    "changes the declaration of `f`.",
  ],
  [
    "a symbol that moved within the file",
    "a.ts",
    ["-export function f() {", " x", "+export function f() {"],
    ".",
  ],
  [
    "a symbol that is exported differently",
    "a.ts",
    ["-export const f = 1;", "+export { f } from './b';"],
    ".",
  ],
  ["a symbol that was there in another form", "a.js", ["-exports.f = f;", "+export function f() {"], "."],
  [
    "an overload of a declared function",
    "a.ts",
    ["+export function f(a: string): void;", " export function f(a) {"],
    ".",
  ],
  [
    "many symbols",
    "a.ts",
    ["a", "b", "c", "d", "e", "f"].map((name) => `+export const ${name} = 1;`),
    "adds `a`, `b`, `c`, `d` and 2 more.",
  ],
  ["an enum", "a.ts", ["+export const enum Color {"], "adds `Color`."],
];
for (const [what, path, lines, text] of SYMBOLS) {
  test(`symbols: ${what}`, () => assert.equal(symbols(path, lines), text));
}

test("a symbol that moved to another file is neither added nor removed", () => {
  const text = described(
    sampleFile("src/a.ts", ["-export function move() {", "+export function fresh() {"]),
    sampleFile("src/b.ts", ["+export function move() {"]),
  );
  assert.equal(text, "2 source files (TypeScript); adds `fresh`.");
});

test("nothing is said about symbols when a source file wasn't read", () => {
  const read = sampleFile("src/a.ts", ["-export function gone() {"]);
  assert.match(described(read), /removes `gone`/);
  assert.doesNotMatch(described(read, sampleFile("src/b.ts", [], { unreadable: "too-large" })), /gone/);
});

test("dependencies are counted by the manifest that lists them", () => {
  const file = sampleFile("package.json", ['+    "left-pad": "^2.0.0"']);
  const analysis = sampleAnalysis([sampleFileAnalysis(file.path, { category: "config" })]);
  assert.match(
    describeChange([file], analysis, exampleReport({})),
    /; package\.json changes 1 dependency\.$/,
  );
  assert.doesNotMatch(describeChange([file], analysis, null), /dependency/);
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
