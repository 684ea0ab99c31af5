/** The editing tools: edits build on each other, mistakes are explained, and what policy refuses is remembered. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { toolBench } from "../../test/support/tool-bench.ts";
import { RepoConfigSchema } from "../config/repo-config/schema.ts";
import type { EditFinding } from "../review/edits/edit-review.ts";
import { indexTree } from "../review/edits/head-tree.ts";
import { compilePathRules } from "../review/edits/path-rules.ts";
import { createEditDraft } from "./edit-draft.ts";
import { createToolbox } from "./toolbox.ts";
import { EDIT_TOOLS } from "./tools.ts";

/** Split, so that secret scanners don't flag it. It was never issued. */
const KEY = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "src/a.ts": "export function a() {\n  return 1;\n}\n\nexport function b() {\n  return 1;\n}\n",
  "src/windows.ts": "one\r\ntwo\r\nthree\r\n",
  "src/key.ts": `const key = "${KEY}";\nconst port = 1;\n`,
  "src/hidden.ts": 'const zero = "a\u200bb";\nconst escape = "\\u{200b}";\n',
  "logo.png": new Uint8Array([0, 1, 255]),
  "latin1.txt": new Uint8Array([0x61, 0xe9, 0x0a]),
  "big.txt": `${"0123456789".repeat(110_000)}\n`,
  current: "src/a.ts",
};

async function bench(t: TestContext) {
  const made = await toolBench(t, { after: FILES });
  const { repository, head } = made.context;
  assert.ok(repository !== null);
  const policy = {
    tree: indexTree(Object.keys(FILES), new Map([["current", "symlink"]] as const)),
    rules: compilePathRules(RepoConfigSchema.parse({}).write),
  };
  const draft = createEditDraft({ repository, head, policy });
  const problems: EditFinding[] = [];
  const findProblems = async (): Promise<readonly EditFinding[]> => problems.splice(0);
  const { tools } = createToolbox(
    EDIT_TOOLS,
    { ...made.context, draft, findProblems },
    { now: () => 0, windDownAtMs: 1 },
  );
  const call = async (name: string, args: unknown) => {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool !== undefined, `there is no ${name}`);
    return tool.call(args);
  };
  const ask = async (name: string, args: unknown): Promise<string> => {
    const { text, isError } = await call(name, args);
    assert.equal(isError, false, text);
    return text;
  };
  const askWrongly = async (name: string, args: unknown): Promise<string> => {
    const { text, isError } = await call(name, args);
    assert.equal(isError, true, text);
    return text;
  };
  const after = (path: string) => draft.edits().find((edit) => edit.path === path)?.after;
  return { draft, call, ask, askWrongly, after, problems };
}

test("edit_file replaces text that is there once, and later edits build on earlier ones", async (t) => {
  const { ask, askWrongly, after, draft } = await bench(t);
  const path = "src/a.ts";
  assert.match(
    await ask("edit_file", { path, find: "a() {\n  return 1;", replace: "a() {\n  return 2;" }),
    /^Edited src\/a\.ts\.[^]*2\t  return 2;/,
  );
  await ask("edit_file", { path: "./src/a.ts", find: "return 2;", replace: "return 3;" });
  assert.equal(after(path), String(FILES[path]).replace("return 1", "return 3"));
  assert.match(
    await askWrongly("edit_file", { path, find: "return 2;", replace: "x" }),
    /isn't in src\/a\.ts/,
  );
  assert.deepEqual(draft.refusals(), [], "mistakes don't refuse the request");
});

test("edit_file: calls at the same time are made one after the other", async (t) => {
  const { ask, after } = await bench(t);
  const path = "src/a.ts";
  await Promise.all([
    ask("edit_file", { path, find: "function a()", replace: "function first()" }),
    ask("edit_file", { path, find: "function b()", replace: "function second()" }),
  ]);
  assert.match(after(path) ?? "", /function first\(\)[^]*function second\(\)/);
});

test("edit_file explains what is wrong with the text", async (t) => {
  const { askWrongly, draft } = await bench(t);
  const path = "src/a.ts";
  assert.match(
    await askWrongly("edit_file", { path, find: "return 1;", replace: "x" }),
    /more than once, on lines 2, 6\./,
  );
  assert.match(
    await askWrongly("edit_file", { path, find: "export function a(){\n    return 1;", replace: "x" }),
    /exactly like this[^]*1\texport function a\(\) \{\n2\t {2}return 1;/,
  );
  assert.match(
    await askWrongly("edit_file", { path, find: "nowhere", replace: "x" }),
    /neither is its first line/,
  );
  assert.match(await askWrongly("edit_file", { path, find: "a()", replace: "a()" }), /nothing would change/);
  assert.match(
    await askWrongly("edit_file", { path: "src/none.ts", find: "a", replace: "b" }),
    /Use write_file/,
  );
  assert.deepEqual(draft.edits(), []);
});

test("line endings stay as they are", async (t) => {
  const { ask, after } = await bench(t);
  const path = "src/windows.ts";
  await ask("edit_file", { path, find: "one\ntwo", replace: "1\n2\n2b" });
  assert.equal(after(path), "1\r\n2\r\n2b\r\nthree\r\n");
  await ask("write_file", { path, content: "new\nlines\n" });
  assert.equal(after(path), "new\r\nlines\r\n");
});

test("write_file creates and replaces files, delete_file deletes them", async (t) => {
  const { ask, askWrongly, draft } = await bench(t);
  assert.equal(
    await ask("write_file", { path: "src/new.ts", content: "a\nb\n" }),
    "Created src/new.ts: 2 lines.",
  );
  assert.match(
    await ask("write_file", { path: "src/a.ts", content: "a\n" }),
    /^Replaced src\/a\.ts: 1 line\./,
  );
  await ask("edit_file", { path: "src/new.ts", find: "b", replace: "c" });
  await ask("delete_file", { path: "src/windows.ts" });
  assert.match(await askWrongly("delete_file", { path: "src/none.ts" }), /doesn't exist/);
  assert.deepEqual(
    draft.edits().map(({ path, before, after }) => [path, before === null, after]),
    [
      ["src/a.ts", false, "a\n"],
      ["src/new.ts", true, "a\nc\n"],
      ["src/windows.ts", false, null],
    ],
  );
  await ask("delete_file", { path: "src/new.ts" });
  assert.equal(draft.edits().length, 2, "a new file that is deleted again isn't an edit");
});

test("a path that policy refuses is answered with the rule, and remembered", async (t) => {
  const { askWrongly, draft } = await bench(t);
  const refused: readonly (readonly [
    tool: string,
    args: Readonly<Record<string, string>> & { readonly path: string },
    rule: string,
  ])[] = [
    ["write_file", { path: "../x", content: "a" }, "outside-repository"],
    ["edit_file", { path: "current", find: "src", replace: "x" }, "link"],
    ["delete_file", { path: ".gitmodules" }, "git-file"],
    ["write_file", { path: "SRC/x.ts", content: "a" }, "case-clash"],
    ["edit_file", { path: "logo.png", find: "a", replace: "b" }, "not-text"],
    ["edit_file", { path: "latin1.txt", find: "a", replace: "b" }, "not-text"],
    ["write_file", { path: "big.txt", content: "small" }, "too-large"],
  ];
  for (const [tool, args, rule] of refused) {
    const text = await askWrongly(tool, args);
    assert.match(text, new RegExp(`^Refused \\(${rule}`));
    assert.match(text, /nothing of this request will be written/);
  }
  assert.deepEqual(draft.edits(), []);
  assert.deepEqual(
    draft.refusals().map(({ rule, path }) => [rule, path]),
    refused.map(([, { path }, rule]) => [rule, path]),
  );
});

test("a path that policy denies is answered with the rule, and the other edits stay", async (t) => {
  const { ask, askWrongly, draft } = await bench(t);
  const text = await askWrongly("write_file", { path: ".github/workflows/x.yml", content: "on: push\n" });
  assert.match(text, /^Refused \(protected-path: /);
  assert.match(text, /Your other edits can still be written/);
  await ask("write_file", { path: "src/new.ts", content: "export const a = 1;\n" });
  assert.deepEqual(
    draft.edits().map(({ path }) => path),
    ["src/new.ts"],
  );
  assert.deepEqual(
    draft.refusals().map(({ rule, path }) => [rule, path]),
    [["protected-path", ".github/workflows/x.yml"]],
  );
});

test("finish_edits shows the problems that the checks report, and then ends", async (t) => {
  const { call, draft, problems } = await bench(t);
  problems.push({
    severity: "critical",
    title: "Code injection: `name` reaches `eval`",
    body: "It runs code.\nDon't.",
    path: "src/a.ts",
    line: 2,
  });
  const args = { title: "Evaluate", description: "" };
  const first = await call("finish_edits", args);
  assert.equal(first.isError, true);
  assert.equal(first.ends, null);
  assert.match(first.text, /^Not accepted yet: [^]*critical, src\/a\.ts line 2: Code injection[^]*Don't\./);
  assert.deepEqual((await call("finish_edits", args)).ends?.kind, "completed");
  assert.equal(draft.summary()?.title, "Evaluate");
});

test("a masked secret stays on its line, and goes nowhere else", async (t) => {
  const { ask, askWrongly, after } = await bench(t);
  const path = "src/key.ts";
  const shown = await ask("read_file", { path });
  const masked = /\[masked:[^\]]+\]/.exec(shown)?.[0] ?? "";
  assert.notEqual(masked, "");
  const line = `const key = "${masked}";`;
  await ask("edit_file", { path, find: `${line}\nconst port = 1;`, replace: `${line}\nconst port = 2;` });
  assert.equal(after(path), `const key = "${KEY}";\nconst port = 2;\n`);
  for (const replace of [`export ${line}`, `${line}\n${line}`, `log("${masked}");`])
    assert.match(
      await askWrongly("edit_file", { path, find: line, replace }),
      /masked secret can't be moved/,
    );
  assert.match(
    await askWrongly("write_file", { path: "src/copy.ts", content: `${line}\n` }),
    /can't be moved/,
  );
  assert.match(
    await askWrongly("write_file", { path: "src/copy.ts", content: "x = [masked:github-token:abc123]\n" }),
    /can't be moved/,
  );
  await ask("write_file", { path, content: `${line}\nconst port = 3;\n` });
  assert.equal(after(path), `const key = "${KEY}";\nconst port = 3;\n`);
  await ask("edit_file", { path, find: line, replace: "const key = process.env.KEY;" });
  assert.equal(after(path), "const key = process.env.KEY;\nconst port = 3;\n");
});

test("escapes that the file shows are restored, and others are code", async (t) => {
  const { ask, after } = await bench(t);
  const path = "src/hidden.ts";
  const shown = await ask("read_file", { path });
  assert.match(shown, /a\\u\{200b\}b/);
  await ask("edit_file", { path, find: 'zero = "a\\u{200b}b"', replace: 'nought = "a\\u{200b}b"' });
  assert.equal(after(path), String(FILES[path]).replace("zero", "nought"));
  await ask("write_file", { path: "src/new.ts", content: 'const space = "\\u{200b}";\n' });
  assert.equal(after("src/new.ts"), 'const space = "\\u{200b}";\n');
});

test("finish_edits ends the work with a summary", async (t) => {
  const { call, draft } = await bench(t);
  assert.equal(draft.summary(), null);
  const { ends } = await call("finish_edits", { title: "Do \u0007it", description: " Because.\n" });
  assert.deepEqual(ends, { kind: "completed", stopReason: { kind: "finished" } });
  assert.deepEqual(draft.summary(), { title: "Do it", description: "Because.", notDone: [] });
});

test("edit_file replaces all occurrences when it is asked to", async (t) => {
  const { ask, askWrongly, after } = await bench(t);
  const path = "src/a.ts";
  assert.match(await askWrongly("edit_file", { path, find: "return 1;", replace: "x" }), /or set `all`\./);
  assert.match(
    await ask("edit_file", { path, find: "return 1;", replace: "return $&2;", all: true }),
    /^Edited src\/a\.ts \(2 occurrences\)\. It now reads, around the first edit:/,
  );
  assert.equal(
    after(path),
    String(FILES[path]).replaceAll("return 1;", () => "return $&2;"),
  );
});

test("write_file sets whether a file may be executed", async (t) => {
  const { ask, draft } = await bench(t);
  await ask("write_file", { path: "bin/run", content: "#!/bin/sh\n", executable: true });
  await ask("write_file", { path: "src/a.ts", content: String(FILES["src/a.ts"]), executable: true });
  assert.deepEqual(
    draft.edits().map(({ path, isExecutable, before, after }) => [path, isExecutable, before === after]),
    [
      ["bin/run", true, false],
      ["src/a.ts", true, true],
    ],
  );
});

test("a model that writes without end is stopped, and the request refused", async (t) => {
  const { call, draft } = await bench(t);
  const content = "x".repeat(1_000_000);
  for (let index = 0; index < 20; index++) await call("write_file", { path: `f${index}.txt`, content });
  assert.ok(draft.edits().length < 20);
  assert.deepEqual(
    draft.refusals().map(({ rule }) => rule),
    ["too-large"],
  );
});

test("10,000 files are refused", async (t) => {
  const { call, draft } = await bench(t);
  const paths = Array.from({ length: 10_000 }, (_, index) => `src/f${index}.ts`);
  await Promise.all(paths.map((path) => call("write_file", { path, content: "a\n" })));
  assert.deepEqual(
    draft.refusals().map(({ rule }) => rule),
    ["too-large"],
  );
  assert.ok(draft.edits().length <= 500);
});
