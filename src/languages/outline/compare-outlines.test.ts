/** Which differences of two outlines are reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAstGrepSyntax } from "../../syntax/ast-grep.ts";
import { compareOutlines } from "./compare-outlines.ts";
import { outlineFile } from "./outline-file.ts";

const syntax = createAstGrepSyntax();
const BODY = "{ return compute(1, 2, 3, 4, 5); }";

const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["nothing", `function a() ${BODY}`, `\nfunction a() { }\nfunction b() {}`, []],
  ["a removed function", "function a() {}", "", ["removed a"]],
  ["a renamed function", `function a(x) ${BODY}`, `function b(x) ${BODY}`, ["renamed a b"]],
  ["a short body proves nothing", "function a() {}", "function b() {}", ["removed a"]],
  [
    "two with the same body",
    `function a() ${BODY}`,
    `function b() ${BODY}\nfunction c() ${BODY}`,
    ["removed a"],
  ],
  ["a required parameter", "function a(x) {}", "function a(x, y) {}", ["changed a, needs more"]],
  ["an optional parameter", "function a(x) {}", "function a(x, y = 1) {}", ["changed a"]],
  ["a parameter that became required", "function a(x = 1) {}", "function a(x) {}", ["changed a, needs more"]],
  ["fewer parameters", "function a(x, y) {}", "function a(x) {}", ["changed a"]],
  ["an export that is gone", "export { a };\nfunction a() {}", "function a() {}", ["changed a"]],
  [
    "methods",
    "class A { b(x) {} c() {} }",
    "class A { b(x, y) {} }",
    ["changed A.b, needs more", "removed A.c"],
  ],
  [
    "overloads",
    "function a(x: string): void;\nfunction a(x: any) {}",
    "function a(x: string, y: string): void;\nfunction a(x: any, y: any) {}",
    ["changed a"],
  ],
];

for (const [what, before, after, expected] of CASES) {
  test(`compareOutlines: ${what}`, () => {
    const [was, now] = [before, after].map((text) => outlineFile("typescript", text, syntax) ?? []);
    const shown = compareOutlines(was ?? [], now ?? []).map((change) => {
      const name = [...change.before.containers, change.before.name].join(".");
      if (change.kind === "renamed") return `renamed ${name} ${change.after.name}`;
      return `${change.kind} ${name}${change.kind === "changed" && change.needsMore ? ", needs more" : ""}`;
    });
    assert.deepEqual(shown, expected);
  });
}
