import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadOxlint } from "./run-oxlint.ts";

const program = await loadOxlint();

/** Longer than any run takes. */
const PATIENT = { maxCpuSeconds: 120, signal: new AbortController().signal };

async function check(texts: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(texts).map(([path, text]) => ({ path, language: "javascript", text }));
  const reading = await program.check(files, PATIENT);
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  return Object.fromEntries(
    Array.from(reading.value, ([path, { diagnostics, gap }]) => [
      path,
      [...diagnostics.map(({ rule, line }) => `${rule}:${line}`), ...(gap === null ? [] : [gap])].join(" "),
    ]),
  );
}

const SPARSE = "export const a = [1, , 2];\n";

test("a file that doesn't parse wasn't checked, and its syntax error is reported where it is certain", async () => {
  const found = await check({
    "good.js": SPARSE,
    "empty.js": "",
    "end.js": `${SPARSE}if (a) {\n\n`,
    "end.ts": `${SPARSE}if (a) {\n\n`,
    "twice.js": `${SPARSE}let b = 1;\nlet b = 2;\n`,
    "unclosed.js": `${SPARSE}f([1, 2;\n`,
    "comment.js": `${SPARSE}/* open\n`,
    "template.js": `${SPARSE}const b = {% b %};\n`,
    "flow.js": `// @flow\n${SPARSE}type B = {| c: ?string |};\n`,
    "flow-without-pragma.js": `${SPARSE}function b(c: ?string) {}\n`,
    "decorated.js": `${SPARSE}export const b = c({\n  @d\n  e() {},\n});\n`,
    "decorated.ts": `${SPARSE}export const b = c({\n  @d\n  e() {},\n});\n`,
    "ambient.d.ts": "a;\n",
  });
  assert.deepEqual(found, {
    "good.js": "no-sparse-arrays:1",
    "empty.js": "",
    "end.js": "syntax-error:2 unparsed",
    "end.ts": "syntax-error:2 unparsed",
    "twice.js": "syntax-error:3 unparsed",
    "unclosed.js": "syntax-error:2 unparsed",
    "comment.js": "syntax-error:2 unparsed",
    "template.js": "unparsed",
    "flow.js": "unparsed",
    "flow-without-pragma.js": "unparsed",
    "decorated.js": "syntax-error:3 unparsed",
    "decorated.ts": "syntax-error:3 unparsed",
    "ambient.d.ts": "unparsed",
  });
});

test("JavaScript with types is checked, whatever its extension", async () => {
  const typed = `// @flow\n${SPARSE}export function b(c: string): number {\n  return c.length;\n}\n`;
  assert.deepEqual(await check({ "typed.js": typed, "text.mjs": SPARSE }), {
    "typed.js": "no-sparse-arrays:2",
    "text.mjs": "no-sparse-arrays:1",
  });
});

test("of a file with too many diagnostics, the first are read, and other files have all of theirs", async () => {
  const many = `export const b = [\n${"[1, , 2],\n".repeat(40_000)}];\n`;
  const file = { path: "many.js", language: "javascript", text: many };
  const reading = await program.check([file], PATIENT);
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  const found = reading.value.get("many.js");
  assert.equal(found?.gap, "too-many-findings");
  assert.ok(found.diagnostics.length > 1_000 && found.diagnostics.length < 40_000);
  // With others, the run is repeated in parts by the caller.
  const others = [file, { path: "good.js", language: "javascript", text: SPARSE }];
  assert.deepEqual(await program.check(others, PATIENT), { kind: "over-limit", limit: "memory" });
});

test("a run over its CPU time is stopped, and an aborted one rejects", async () => {
  const large = {
    path: "a.js",
    language: "javascript",
    text: "f((a) => [a, , { b: a === a }]);\n".repeat(400_000),
  };
  assert.deepEqual(await program.check([large], { ...PATIENT, maxCpuSeconds: 1 }), {
    kind: "over-limit",
    limit: "time",
  });
  const signal = AbortSignal.abort();
  await assert.rejects(program.check([large], { ...PATIENT, signal }), { name: "AbortError" });
});

const isLinux = process.platform === "linux";
const childrenOfTest = (): readonly string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");

test("a prepared process gets the next files of its limit", { skip: !isLinux }, async () => {
  const before = new Set(childrenOfTest());
  program.prepare?.(PATIENT.maxCpuSeconds);
  const [prepared, ...others] = childrenOfTest().filter((pid) => !before.has(pid));
  assert.deepEqual(others, []);
  assert.deepEqual(
    await program.check([{ path: "a.js", language: "javascript", text: SPARSE }], {
      ...PATIENT,
      maxCpuSeconds: 60,
    }),
    await program.check([{ path: "a.js", language: "javascript", text: SPARSE }], PATIENT),
  );
  // One that got no files would still wait for them.
  assert.ok(prepared !== undefined && !childrenOfTest().includes(prepared));
  assert.deepEqual(await check({ "a.js": SPARSE }), { "a.js": "no-sparse-arrays:1" });
});
