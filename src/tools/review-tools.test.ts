/** The recording tools: placement, answers, refusals, and that nothing is lost. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createInProcessReader } from "../../test/support/in-process-reader.ts";
import { type BenchFiles, toolBench } from "../../test/support/tool-bench.ts";
import { yieldToEventLoop } from "../base/event-loop.ts";
import { createMemoryNotebook, foundIn, type Notebook } from "./notebook.ts";
import { createShown } from "./shown.ts";

const FINDING = {
  path: "src/a.ts",
  quote: "  return price * 1.2;",
  title: "Tax is added twice",
  body: "The caller adds it too.",
  severity: "major",
  category: "correctness",
};

const FILES: BenchFiles = {
  before: { "src/a.ts": "export function total(price: number) {\n  return price;\n}\n" },
  after: {
    "src/a.ts": "export function total(price: number) {\n  return price * 1.2;\n}\n",
    "src/b.ts": "export const b = 1;\n",
    "logo.png": new Uint8Array([0, 1]),
  },
};

async function bench(t: TestContext, files: Partial<BenchFiles> = {}) {
  const made = await toolBench(t, { ...FILES, ...files });
  const kinds = () => made.context.notebook.entries().map(({ kind }) => kind);
  return { ...made, found: () => foundIn(made.context.notebook), kinds };
}

test("record_finding: records every field at once and answers with the place", async (t) => {
  const { ask, context, found } = await bench(t);
  assert.equal(
    await ask("record_finding", { ...FINDING, line: 99, confidence: 0.9 }),
    "Recorded (1): src/a.ts, line 2, new side.",
  );
  assert.deepEqual(found(), [
    {
      ...FINDING,
      lineHint: 2,
      sideHint: "new",
      suggestion: null,
      confidence: 0.9,
      evidence: [],
      source: "model",
      rule: null,
      pass: "review",
      ignoredBecause: null,
    },
  ]);
  assert.deepEqual(
    context.notebook.entries().map(({ number, kind, pass }) => [number, kind, pass]),
    [[1, "finding", "review"]],
  );
  const old = { ...FINDING, quote: "  return price;", side: "old", title: "The price without tax is gone" };
  assert.equal(await ask("record_finding", old), "Recorded (2): src/a.ts, line 2, old side.");
  const context3 = { ...FINDING, quote: "export function total(price: number) {", title: "Unclear name" };
  assert.match(
    await ask("record_finding", context3),
    /^Recorded \(3\): src\/a\.ts, line 1, new side\. These lines aren't changed/,
  );
  const whole = { ...FINDING, quote: "", title: "No tests", category: "tests" };
  assert.equal(await ask("record_finding", whole), "Recorded (4): src/a.ts, the whole file.");
});

test("record_finding: a quote with the numbers and signs before it is still found", async (t) => {
  const { ask, found } = await bench(t);
  assert.match(
    await ask("record_finding", { ...FINDING, quote: "  2 |+  return price * 1.2;\n3 3 | }" }),
    /^Recorded \(1\): src\/a\.ts, lines 2–3, new side\.$/,
  );
  assert.equal(found()[0]?.quote, "  return price * 1.2;\n}", "what is there, not what was said");
  const fromFile = { ...FINDING, title: "Other thing altogether", quote: "2\t  return price * 1.2;" };
  assert.match(await ask("record_finding", fromFile), /^Recorded \(2\): src\/a\.ts, line 2/);
});

test("record_finding: a quote that is there twice is kept, and placed when the line is given", async (t) => {
  const twice = "export function a() {\n  return load();\n}\n\nexport function b() {\n  return load();\n}\n";
  const { ask, askWrongly, found } = await bench(t, { after: { "src/b.ts": twice } });
  const finding = { ...FINDING, path: "src/b.ts", quote: "return load();" };
  assert.equal(
    await askWrongly("record_finding", finding),
    "Recorded (1), but the quote occurs 2 times in the diff of src/b.ts (line 2, line 6), so it has no line. To replace it, record it again with the right line number.",
  );
  assert.equal(
    await ask("record_finding", { ...finding, line: 6 }),
    "Recorded (2), replacing the one that had no line: src/b.ts, line 6, new side.",
  );
  assert.deepEqual(
    found().map(({ quote, lineHint }) => [quote, lineHint]),
    [["  return load();", 6]],
  );
});

test("record_finding: a misquote lands on its line, and the model hears that it differs", async (t) => {
  const { ask, found } = await bench(t);
  const quote = "```ts\n2: return Price * 1.2 ...\n```";
  assert.equal(
    await ask("record_finding", { ...FINDING, quote }),
    "Recorded (1): src/a.ts, line 2, new side. The quote differs slightly from the code.",
  );
  assert.equal(found()[0]?.quote, "  return price * 1.2;");
});

test("record_finding: a quote that is not there is kept without a place, and replaced when it is quoted right", async (t) => {
  const { ask, askWrongly, context, found } = await bench(t);
  const wrong = { ...FINDING, quote: "  return prices.reduce(add) * TAX;" };
  const answer = await askWrongly("record_finding", wrong);
  assert.match(answer, /^Recorded \(1\), but the quote wasn't found in the diff of src\/a\.ts/);
  assert.match(answer, /The nearest lines:\n(?:old )?line 2: /);
  assert.equal(found().length, 1);
  assert.match(
    await askWrongly("record_finding", wrong),
    /^Already recorded, as \(1\) "Tax is added twice", but the quote was/,
  );
  assert.equal(
    await ask("record_finding", FINDING),
    "Recorded (2), replacing the one that had no line: src/a.ts, line 2, new side.",
  );
  assert.deepEqual(
    context.notebook.entries().map((entry) => (entry.kind === "finding" ? entry.replaces : "other")),
    [null, 1],
  );
  assert.deepEqual(
    found().map(({ quote }) => quote),
    [FINDING.quote],
  );
});

test("record_finding: a finding outside the change is kept, and the answer suggests the right path", async (t) => {
  const { askWrongly, found } = await bench(t);
  const answer = await askWrongly("record_finding", { ...FINDING, path: "src/aa.ts" });
  assert.match(
    answer,
    /^Recorded \(1\), but "src\/aa\.ts" isn't changed, so the finding will only be listed, and its quote wasn't/,
  );
  assert.match(answer, /Did you mean src\/a\.ts\?$/);
  assert.equal(found()[0]?.path, "src/aa.ts");
  // A path that no repository can have is a mistake, not a finding.
  for (const path of ["../../etc/passwd", "/etc/passwd", ".git/config"])
    assert.match(
      await askWrongly("record_finding", { ...FINDING, path, title: "Something else" }),
      /isn't in the repository/,
    );
  assert.equal(found().length, 1);
});

test("record_finding: the same twice is recorded once, other words about the same line twice", async (t) => {
  const { ask, found } = await bench(t);
  await ask("record_finding", FINDING);
  assert.equal(
    await ask("record_finding", { ...FINDING, title: "Tax added twice in total" }),
    'Already recorded, as (1) "Tax is added twice". Nothing was added.',
  );
  assert.match(await ask("record_finding", { ...FINDING, title: "Rounding is lost" }), /^Recorded \(2\)/);
  assert.equal(found().length, 2);
});

test("record_finding: calls at the same time keep the limit of 200, the numbers and the sameness", async (t) => {
  const text = Array.from({ length: 230 }, (_, index) => `const v${index} = ${index};\n`).join("");
  const kept = createMemoryNotebook();
  // One that has to write to a disk first.
  const notebook: Notebook = {
    entries: () => kept.entries(),
    async append(entry) {
      await yieldToEventLoop();
      return kept.append(entry);
    },
  };
  const { call, context, found } = await bench(t, {
    after: { "src/a.ts": text },
    context: { notebook },
  });
  const finding = (index: number) => ({
    ...FINDING,
    title: `Value v${index} unused`,
    quote: `const v${index} = ${index};`,
  });
  const answers = await Promise.all(
    Array.from({ length: 230 }, (_, index) => [
      call("record_finding", finding(index)),
      call("record_finding", finding(index)),
    ]).flat(),
  );
  assert.equal(found().length, 200);
  assert.equal(answers.filter(({ text: said }) => said.startsWith("Recorded (")).length, 200);
  assert.equal(answers.filter(({ text: said }) => said.startsWith("200 findings are recorded")).length, 60);
  assert.deepEqual(
    context.notebook.entries().map(({ number }) => number),
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  // A more severe finding isn't refused because others came first.
  const grave = await call("record_finding", { ...finding(1), severity: "critical", title: "Data is lost" });
  assert.match(grave.text, /^Recorded \(201; the 50 most severe are reported\): src\/a\.ts, line 2/);
});

test("record_finding counts what other passes and earlier attempts have recorded", async (t) => {
  const notebook = createMemoryNotebook();
  const { ask, context } = await bench(t, { context: { notebook } });
  await ask("record_finding", FINDING);
  const [first] = foundIn(notebook);
  assert.ok(first !== undefined);
  for (let index = 0; index < 199; index++)
    await notebook.append({
      kind: "finding",
      pass: "other",
      finding: { ...first, path: "src/b.ts", quote: "", title: `Number ${index}` },
      replaces: null,
    });
  const other = await bench(t, { context: { notebook: context.notebook } });
  assert.match(
    await other.askWrongly("record_finding", { ...FINDING, title: "One more" }),
    /^200 findings are recorded\. The 50 most severe are reported, and this one isn't among them\./,
  );
});

test("record_finding: a suggestion is checked at once", async (t) => {
  const { ask } = await bench(t);
  const suggest = (title: string, suggestion: string) =>
    ask("record_finding", { ...FINDING, title, suggestion });
  assert.match(
    await suggest("Tax is added twice", "  return price;"),
    /The suggestion will be offered unchanged\.$/,
  );
  assert.match(
    await suggest("Rounding is lost", "  return (price;"),
    /only be shown as text: the file wouldn't parse/,
  );
  assert.match(
    await suggest("Currency is ignored", "return price;"),
    /text: it doesn't keep the indentation/,
  );
});

test("record_finding: a suggestion that cannot be offered says why, and a better one takes its place", async (t) => {
  const { ask, context, found } = await bench(t);
  const suggest = (suggestion: string) => ask("record_finding", { ...FINDING, suggestion });
  assert.equal(
    await suggest("  // ... existing code ...\n  return price;"),
    "Recorded (1): src/a.ts, line 2, new side. The suggestion can only be shown as text: line 1 is a placeholder, not code. To replace it, record the finding again with a better suggestion.",
  );
  assert.match(await suggest("  return price..."), /^Already recorded/);
  assert.equal(
    await suggest("```suggestion\n  return price;\n```"),
    "Recorded (2), replacing the one whose suggestion couldn't be offered: src/a.ts, line 2, new side. The suggestion will be offered without the marks around it.",
  );
  assert.match(await suggest("  return price * 1;"), /^Already recorded/);
  assert.equal(found().length, 1);
  assert.deepEqual(
    context.notebook.entries().map((entry) => (entry.kind === "finding" ? entry.replaces : "other")),
    [null, 1],
  );
});

test("record_finding: for a file over the limit, the answer names the limit", async (t) => {
  const filling = "// x\n".repeat(120_000);
  const { ask } = await bench(t, {
    before: { "src/a.ts": filling },
    after: { "src/a.ts": `export function total(price: number) {\n  return price * 1.2;\n}\n${filling}` },
  });
  assert.match(
    await ask("record_finding", { ...FINDING, suggestion: "  return price;" }),
    /only be shown as text: the file is over 256 KB, the size limit for verifying suggestions\./,
  );
});

test("record_finding: a failure after recording doesn't look like a lost finding", async (t) => {
  const reader = createInProcessReader();
  const { ask, found } = await bench(t, {
    context: { reader: { ...reader, ask: () => Promise.reject(new Error("no reader today")) } },
  });
  assert.equal(
    await ask("record_finding", { ...FINDING, suggestion: "  return price;" }),
    "Recorded (1): src/a.ts, line 2, new side. The suggestion couldn't be checked.",
  );
  assert.equal(found().length, 1);
});

test("record_finding: masks and escapes in a quote are turned back, those in other words stay", async (t) => {
  const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const { ask, context, found } = await bench(t, {
    after: { "src/a.ts": `const token = "${token}";\nconst name = "a\u202eb";\n` },
  });
  const shown = await ask("show_diff", { path: "src/a.ts" });
  const masked = /\[masked:[^\]]+\]/.exec(shown)?.[0] ?? "";
  assert.notEqual(masked, "");
  const secret = {
    ...FINDING,
    quote: `const token = "${masked}";`,
    title: "Token in the code",
    body: `It is ${masked}.`,
  };
  assert.match(await ask("record_finding", secret), /^Recorded \(1\): src\/a\.ts, line 1, new side\.$/);
  assert.equal(found()[0]?.quote, `const token = "${token}";`);
  assert.equal(found()[0]?.body, `It is ${masked}.`);
  const hidden = { ...FINDING, quote: 'const name = "a\\u{202e}b";', title: "Hidden character" };
  assert.match(await ask("record_finding", hidden), /^Recorded \(2\): src\/a\.ts, line 2, new side\.$/);
  assert.equal(context.guard.secretCount(), 1);
});

test("[P9] record_finding: a secret that was masked is never put into what is published", async (t) => {
  const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const { ask, askWrongly, found } = await bench(t, {
    after: { "src/a.ts": `const token = "${token}";\nconst limit = 1;\n` },
  });
  const shown = await ask("show_diff", { path: "src/a.ts" });
  const masked = /\[masked:[^\]]+\]/.exec(shown)?.[0] ?? "";
  assert.notEqual(masked, "");
  const quote = "const limit = 1;";
  await ask("record_finding", {
    ...FINDING,
    title: "Too low",
    quote,
    suggestion: `const limit = "${masked}";`,
  });
  const nowhere = `print(${masked}) and a lot more that is in no line at all`;
  await askWrongly("record_finding", { ...FINDING, title: "The place of this is unknown", quote: nowhere });
  assert.deepEqual(
    found().map((finding) => [finding.suggestion, finding.quote]),
    [
      [null, quote],
      [null, nowhere],
    ],
  );
  assert.doesNotMatch(JSON.stringify(found()), new RegExp(token));
});

test("record_finding: no field turns a mask back for the model or for the notebook", async (t) => {
  const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const random = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8m";
  const { ask, askWrongly, found } = await bench(t, {
    after: {
      "src/a.ts": `const token = "${token}";\n`,
      "key.pem": `-----BEGIN PRIVATE KEY-----\n${random}\n${random.slice(2)}ab\n-----END PRIVATE KEY-----\n`,
    },
  });
  const shown = await ask("show_diff", {});
  const mask = (kind: string) => new RegExp(`\\[masked:${kind}:\\w+\\]`).exec(shown)?.[0] ?? "";
  const [tokenMask, keyMask] = [mask("named-secret"), mask("private-key")];
  assert.ok(tokenMask !== "" && keyMask !== "", shown);
  const said = [
    await askWrongly("record_finding", { ...FINDING, path: tokenMask }),
    await askWrongly("record_finding", {
      ...FINDING,
      path: `src/${tokenMask}/x.ts`,
      title: "Other words here",
    }),
    await askWrongly("record_finding", {
      ...FINDING,
      path: "key.pem",
      quote: `${keyMask}\nno such line here`,
    }),
    await askWrongly("mark_reviewed", { paths: [tokenMask] }),
    await askWrongly("read_file", { path: tokenMask }),
  ];
  for (const text of [...said, JSON.stringify(found())]) {
    assert.ok(!text.includes(token.slice(4, 20)), text);
    assert.ok(!text.includes(random.slice(2, 20)), text);
  }
});

test("[P3] what a model records and sums up never holds the mark of a fence", async (t) => {
  const { ask, askWrongly, found, context } = await bench(t, { after: { "src/a.ts": "const limit = 1;\n" } });
  const mark = "f00dfeed";
  const fenced = `Before.\n<data-${mark} label="title">\nFix\n</data-${mark}>\nAfter ${mark}.`;
  const quote = "const limit = 1;";
  await ask("record_finding", {
    ...FINDING,
    quote,
    title: `About ${mark}`,
    body: fenced,
    suggestion: `const limit = "[masked:delimiter:0] ${mark}";`,
  });
  const nowhere = "a lot of words [masked:delimiter:0] that are in no line";
  await askWrongly("record_finding", { ...FINDING, title: "The place of this is unknown", quote: nowhere });
  await askWrongly("record_finding", { ...FINDING, title: "In no file of it", path: `src/${mark}.ts` });
  await ask("show_diff", {});
  await ask("finish_review", { summary: fenced });
  assert.equal(found()[0]?.body, "Before.\nFix\nAfter [masked:delimiter:0].");
  const kept = JSON.stringify(context.notebook.entries());
  assert.ok(!kept.includes(mark), kept);
  assert.match(kept, /"kind":"summary"[^}]*"text":"Before\.\\nFix/);
});

test("record_finding: quotes that were made to take long take no time", async (t) => {
  const { call } = await bench(t, { after: { "src/a.ts": "x\n".repeat(19_000) } });
  for (const quote of [
    `${" ".repeat(3_990)}x`,
    `${"\n".repeat(3_990)}x`,
    `${"1".repeat(1_990)}${" ".repeat(1_990)}x`,
    `${"x\n".repeat(1_990)}y`,
    `${"x\n".repeat(40)}y`,
  ])
    assert.match(
      (await call("record_finding", { ...FINDING, quote })).text,
      /recorded|^A quote has at most/i,
    );
});

test("record_finding: control characters are not kept, and nothing else is no title", async (t) => {
  const { ask, askWrongly, found } = await bench(t);
  await ask("record_finding", { ...FINDING, title: "\x1b[31mTax\0 twice\x07", body: "One\0.\r\nTwo\x9b." });
  assert.deepEqual([found()[0]?.title, found()[0]?.body], ["[31mTax twice", "One.\r\nTwo."]);
  assert.match(
    await askWrongly("record_finding", { ...FINDING, title: "\0\x07" }),
    /needs a readable title and body/,
  );
  await askWrongly("record_finding", { ...FINDING, path: "a\x07b\nc", title: "Elsewhere" });
  assert.equal(found()[1]?.path, "ab c");
});

test("record_finding: a file that was renamed is known by both names", async (t) => {
  const { ask, found } = await bench(t, {
    before: { "old.ts": "const a = 1;\nconst b = 2;\nconst c = 3;\n" },
    prepare: (made) => made.git("mv", "old.ts", "new.ts"),
    after: { "new.ts": "const a = 1;\nconst b = 2;\nconst c = 4;\n" },
  });
  assert.match(
    await ask("record_finding", { ...FINDING, path: "old.ts", quote: "const c = 4;" }),
    /: new\.ts, line 3/,
  );
  assert.equal(found()[0]?.path, "new.ts");
});

test("mark_reviewed: only what was shown, and only of the own pass", async (t) => {
  const { ask, askWrongly, context } = await bench(t, {
    context: { pass: { name: "first", paths: new Set(["src/a.ts", "logo.png"]) } },
  });
  assert.match(
    await askWrongly("mark_reviewed", { paths: ["src/a.ts"] }),
    /^0 files are marked\. Not marked, because you haven't read their diffs yet \(call show_diff, .*\): src\/a\.ts\.$/,
  );
  assert.equal(context.notebook.entries().length, 0);
  await ask("show_diff", {});
  assert.match(
    await ask("mark_reviewed", { paths: ["src/a.ts", "./src/a.ts", "src/b.ts", "/etc/passwd"] }),
    /^1 file is marked\. Not changed, or not part of your pass: "src\/b\.ts", "\/etc\/passwd"\.$/,
  );
  await ask("mark_reviewed", { paths: ["src/a.ts"] });
  assert.deepEqual(context.notebook.entries(), [
    { kind: "reviewed", pass: "first", paths: ["src/a.ts"], number: 1 },
  ]);
});

/** Three hunks. */
const HUNKS: BenchFiles = (() => {
  const text = (word: string): string =>
    Array.from({ length: 60 }, (_, index) =>
      index % 25 === 5 ? `${word} ${index}\n` : `line ${index}\n`,
    ).join("");
  return { before: { "src/a.ts": text("old") }, after: { "src/a.ts": text("new") } };
})();

test("mark_reviewed: some hunks of a file, until all are marked", async (t) => {
  const { ask, askWrongly, context } = await bench(t, HUNKS);
  assert.match(await ask("show_diff", {}), /^@@ 1\/3 [\s\S]*^@@ 2\/3 [\s\S]*^@@ 3\/3 /m);
  const mark = (...hunks: readonly number[]) => ({ paths: ["src/a.ts"], hunks });
  assert.equal(
    await ask("mark_reviewed", mark(2, 2)),
    "0 files are marked. Some hunks are marked in src/a.ts (still unread: 1, 3).",
  );
  assert.equal(await askWrongly("mark_reviewed", mark(1, 4)), "Nothing is marked: src/a.ts has 3 hunks.");
  assert.match(
    await askWrongly("mark_reviewed", { paths: ["src/a.ts", "src/b.ts"], hunks: [1] }),
    /hunks belong to one file/,
  );
  await ask("mark_reviewed", mark(2));
  assert.equal(await ask("mark_reviewed", mark(1, 3)), "1 file is marked.");
  assert.equal(await ask("mark_reviewed", { paths: ["src/a.ts"] }), "1 file is marked.");
  const entry = { kind: "reviewed", pass: "review", paths: [] };
  assert.deepEqual(context.notebook.entries(), [
    { ...entry, parts: [{ path: "src/a.ts", hunks: [2] }], number: 1 },
    { ...entry, parts: [{ path: "src/a.ts", hunks: [1, 3] }], number: 2 },
  ]);
});

test("mark_reviewed: of a file that is shown in part, the hunks that were shown", async (t) => {
  const shown = createShown({ shownPaths: [], shownParts: [{ path: "src/a.ts", hunks: [1, 2] }] }, () => 1);
  const { ask, askWrongly, call, context } = await bench(t, { ...HUNKS, context: { shown } });
  assert.match(
    await ask("mark_reviewed", { paths: ["src/a.ts"] }),
    /^0 files are marked\. Some hunks are marked in src\/a\.ts \(still unread: 3\)\. Not marked, because you haven't read their diffs yet \(call show_diff, .*\): src\/a\.ts\.$/,
  );
  assert.match(
    await askWrongly("mark_reviewed", { paths: ["src/a.ts"], hunks: [3] }),
    /^0 files are marked\. Not/,
  );
  assert.deepEqual(context.notebook.entries(), [
    { kind: "reviewed", pass: "review", paths: [], parts: [{ path: "src/a.ts", hunks: [1, 2] }], number: 1 },
  ]);
  const finished = await call("finish_review", { summary: "" });
  assert.match(finished.text, /^Not finished: you haven't seen all changes of src\/a\.ts\. Read/);
});

test("mark_reviewed: hunks that were read in an earlier review don't have to be marked", async (t) => {
  const { ask, call, context } = await bench(t, { ...HUNKS, context: { hunksToRead: () => [2] } });
  await ask("show_diff", {});
  assert.equal(await ask("mark_reviewed", { paths: ["src/a.ts"], hunks: [2] }), "1 file is marked.");
  assert.deepEqual(context.notebook.entries(), [
    { kind: "reviewed", pass: "review", paths: ["src/a.ts"], number: 1 },
  ]);
  assert.equal((await call("finish_review", { summary: "" })).ends?.kind, "completed");
});

test("finish_review: asks once about hunks that aren't marked, if others of the file are", async (t) => {
  const { ask, call } = await bench(t, HUNKS);
  await ask("show_diff", {});
  await ask("mark_reviewed", { paths: ["src/a.ts"], hunks: [1] });
  const first = await call("finish_review", { summary: "" });
  assert.equal(
    first.text,
    "Not finished: you have marked only some hunks of src/a.ts. Mark the others when you have read them. Or call finish_review again to finish without them.",
  );
  assert.equal((await call("finish_review", { summary: "" })).ends?.kind, "completed");
});

test("finish_review: in the same answer as a finding without a line, it is refused once", async (t) => {
  let turn = 1;
  const shown = createShown({ shownPaths: ["src/a.ts", "src/b.ts", "logo.png"], shownParts: [] }, () => turn);
  const { call, found } = await bench(t, { context: { shown } });
  const wrong = { ...FINDING, quote: "  return prices.reduce(add) * TAX;" };
  await call("record_finding", wrong);
  const refused = await call("finish_review", { summary: "" });
  assert.deepEqual([refused.isError, refused.ends], [true, null]);
  assert.equal(
    refused.text,
    'Not finished: you recorded "Tax is added twice" in this same answer, without a line. Read why, and record it again with the exact text of a line. Or call finish_review again to finish without them.',
  );
  turn++;
  await call("record_finding", { ...wrong, title: "Rounding is lost" });
  assert.equal((await call("finish_review", { summary: "" })).ends?.kind, "completed");
  assert.equal(found().length, 2);
});

test("finish_review: a model that has read that a finding has no line may finish", async (t) => {
  let turn = 1;
  const shown = createShown({ shownPaths: ["src/a.ts", "src/b.ts", "logo.png"], shownParts: [] }, () => turn);
  const { call } = await bench(t, { context: { shown } });
  await call("record_finding", { ...FINDING, quote: "  return prices.reduce(add) * TAX;" });
  turn++;
  assert.equal((await call("finish_review", { summary: "" })).ends?.kind, "completed");
});

test("finish_review: says once what was not looked at, then ends", async (t) => {
  const { ask, call, kinds, context } = await bench(t);
  await ask("show_diff", { path: "src/b.ts" });
  const first = await call("finish_review", { summary: "Adds tax." });
  assert.match(first.text, /^Not finished: you haven't seen all changes of src\/a\.ts\./);
  assert.deepEqual([first.isError, first.ends], [true, null]);
  const second = await call("finish_review", { summary: "Adds tax." });
  assert.deepEqual(second.ends, { kind: "completed", stopReason: { kind: "finished" } });
  assert.deepEqual(context.notebook.entries(), [
    { kind: "summary", pass: "review", text: "Adds tax.", number: 1 },
  ]);
  const third = await call("finish_review", { summary: "Again." });
  assert.deepEqual(third.ends, { kind: "completed", stopReason: { kind: "finished" } });
  assert.deepEqual(kinds(), ["summary"], "once");
});

test("finish_review: the summary is kept without control characters, and masked as the model saw it", async (t) => {
  const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const after = { "src/a.ts": `export const token = "${token}";\n` };
  const { ask, call, context } = await bench(t, { after });
  const masked = /\[masked:[^\]]+\]/.exec(await ask("show_diff", { path: "src/a.ts" }))?.[0] ?? "";
  assert.notEqual(masked, "");
  await call("finish_review", { summary: ` Adds\u001b[2J ${masked}.\ud800 ` });
  assert.deepEqual(context.notebook.entries(), [
    { kind: "summary", pass: "review", text: `Adds[2J ${masked}.\ufffd`, number: 1 },
  ]);
});

test("a diff shown in the same turn hasn't reached the model, so it can't be marked or finished", async (t) => {
  let turn = 1;
  const { call, context } = await bench(t, {
    context: { shown: createShown({ shownPaths: ["src/b.ts"], shownParts: [] }, () => turn) },
  });
  await call("show_diff", { path: "src/a.ts" });
  const marked = await call("mark_reviewed", { paths: ["src/a.ts", "src/b.ts"] });
  assert.match(marked.text, /^1 file is marked\. Not marked, because you haven't read their diffs yet/);
  const finished = await call("finish_review", { summary: "" });
  assert.match(finished.text, /^Not finished: you haven't seen all changes of src\/a\.ts\./);
  turn++;
  assert.match((await call("mark_reviewed", { paths: ["src/a.ts"] })).text, /^1 file is marked\.$/);
  assert.deepEqual(context.shown.diffs(), ["src/b.ts", "src/a.ts"]);
});

test("show_diff does not repeat what is in the prompt or in an earlier turn", async (t) => {
  let turn = 1;
  const { call } = await bench(t, {
    context: { shown: createShown({ shownPaths: ["src/b.ts"], shownParts: [] }, () => turn) },
  });
  const first = await call("show_diff", {});
  assert.match(
    first.text,
    /^3 changed files\. Already shown, in the prompt or an earlier turn: src\/b\.ts\.\n/,
  );
  turn++;
  const again = await call("show_diff", { path: "src/a.ts" });
  assert.match(
    again.text,
    /^src\/a\.ts \(modified, \+\d −\d\): lines 1–\d+ of \d+ of its diff were already shown in turn 1\.$/,
  );
  const prompt = await call("show_diff", { path: "src/b.ts" });
  assert.match(prompt.text, /of its diff were already shown in the prompt\.$/);
});

test("finish_review: at once when everything was shown", async (t) => {
  const { ask, call } = await bench(t);
  await ask("show_diff", {});
  assert.equal((await call("finish_review", { summary: "" })).ends?.kind, "completed");
});

test("finish_review names 20 files at most", async (t) => {
  const after = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, "x\n"]));
  const { askWrongly } = await bench(t, { after });
  assert.match(await askWrongly("finish_review", { summary: "" }), / f\d+\.txt and 10 more\./);
});
