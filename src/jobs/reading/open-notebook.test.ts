/** The notebook in the database next to the one in memory, and the parts of a change that it doesn't store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { NO_TOKENS } from "../../model/model.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { anchorFinding } from "../../review/findings/anchor-finding.ts";
import { appendNotebookRow } from "../../store/repositories/notebooks.ts";
import {
  createMemoryNotebook,
  disputesIn,
  foundIn,
  type Notebook,
  type NotebookEntry,
} from "../../tools/notebook.ts";
import { openNotebook } from "./open-notebook.ts";

const RUN = 5_000_000_001;

/** Assembled here, so that secret scanners don't flag this file. */
const TOKEN = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
const KEY_NAME = "PRIVATE KEY";
const KEY_LINES = [
  `-----BEGIN RSA ${KEY_NAME}-----`,
  "MIIEowIBAAKCAQEAx7kV3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPq",
  "J7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0k3vR9tW2xL7mQ4zN8dH5",
  "jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7",
  `-----END RSA ${KEY_NAME}-----`,
];

const PATH = "src/a.ts";
const FILE: ChangedFile = diffTexts({
  path: PATH,
  before: "const first = 1;\n",
  after: `const first = 2;\nfunction connect() {\n  const id = "${TOKEN}";\n  return id;\n}\nconst pem = \`\n${KEY_LINES.join("\n")}\n\`;\n`,
});
const CHANGE = { files: [FILE] };

const found = (given: Parameters<typeof findingOf>[0], replaces: number | null = null): NotebookEntry => ({
  kind: "finding",
  pass: "main",
  finding: findingOf({ path: PATH, ...given }),
  replaces,
});

const ENTRIES: readonly NotebookEntry[] = [
  found({
    title: "One",
    quote: "const first = 2;",
    evidence: ["\u0000 \ud800 \u{1f99d}"],
    suggestion: "x\r\ny",
  }),
  { kind: "reviewed", pass: "main", paths: [PATH, "ü/\\x"], parts: [{ path: "b", hunks: [1, 3] }] },
  { kind: "triage", pass: "triage", skip: [PATH, "ü/\\x"], skim: [{ path: "b", hunks: [2] }] },
  { kind: "summary", pass: "second", text: "All is well." },
  found({ title: "One, better text" }, 1),
  {
    kind: "outcome",
    pass: "main",
    step: "lean",
    outcome: {
      kind: "timed-out",
      stopReason: { kind: "deadline" },
      model: "openai:gpt-5",
      turns: 3,
      tokens: { ...NO_TOKENS, input: 5 },
      ms: 12,
    },
    costUsd: null,
    files: 2,
    shownPaths: [PATH],
    shownParts: [{ path: "b", hunks: [2] }],
    isLast: true,
  },
  { kind: "withdrawn", pass: "main", finding: 5, because: "The caller checks it." },
  {
    kind: "disputed",
    pass: "main",
    finding: "a".repeat(24),
    dispute: { because: "The line is dead.", evidence: { path: PATH, line: 1 } },
  },
];

type Opened = {
  readonly notebook: Notebook;
  /** Another attempt of the same run; null for a notebook that ends with its process. */
  readonly again: (() => Promise<Notebook>) | null;
};

const KINDS: readonly {
  readonly name: string;
  readonly open: (work: (opened: Opened) => Promise<void>) => Promise<void>;
}[] = [
  { name: "memory", open: (work) => work({ notebook: createMemoryNotebook(), again: null }) },
  ...ENGINES.map((engine) => ({
    name: engine.name,
    open: (work: (opened: Opened) => Promise<void>) =>
      withStore(engine, async ({ database, now }) => {
        const again = () => openNotebook(RUN, { change: CHANGE, database, now });
        await work({ notebook: await again(), again });
      }),
  })),
];

for (const { name, open } of KINDS) {
  test(`${name}: entries keep their order and numbers, and are found again`, () =>
    open(async ({ notebook, again }) => {
      assert.deepEqual(notebook.entries(), []);
      const numbers: number[] = [];
      for (const entry of ENTRIES) numbers.push(await notebook.append(entry));
      assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
      const numbered = ENTRIES.map((entry, index) => ({ ...entry, number: index + 1 }));
      assert.deepEqual(notebook.entries(), numbered);
      const titles = (from: Notebook) =>
        foundIn(from).map(({ title, withdrawnBecause }) => `${title}: ${withdrawnBecause}`);
      assert.deepEqual(titles(notebook), ["One, better text: The caller checks it."]);
      if (again === null) return;
      const later = await again();
      assert.deepEqual(later.entries(), numbered);
      assert.deepEqual(titles(later), titles(notebook));
      assert.deepEqual([...disputesIn(later).keys()], ["a".repeat(24)]);
      assert.equal(await later.append(found({ title: "Nine" })), 9);
      assert.deepEqual((await again()).entries().at(-1), { ...found({ title: "Nine" }), number: 9 });
    }));

  test(`${name}: concurrent writes get ascending numbers, in the order of the calls`, () =>
    open(async ({ notebook, again }) => {
      const titles = Array.from({ length: 20 }, (_, index) => `finding ${index}`);
      const numbers = await Promise.all(titles.map((title) => notebook.append(found({ title }))));
      assert.deepEqual(
        numbers,
        titles.map((_, index) => index + 1),
      );
      for (const each of again === null ? [notebook] : [notebook, await again()])
        assert.deepEqual(
          foundIn(each).map(({ title }) => title),
          titles,
        );
    }));
}

const QUOTED: readonly { readonly name: string; readonly quote: string; readonly line: number }[] = [
  { name: "a line with a token", quote: `  const id = "${TOKEN}";`, line: 3 },
  { name: "the same without its indentation", quote: `const id = "${TOKEN}";`, line: 3 },
  {
    name: "several lines around it",
    quote: `function connect() {\n  const id = "${TOKEN}";\n  return id;`,
    line: 2,
  },
  { name: "a whole key", quote: KEY_LINES.join("\n"), line: 7 },
  { name: "one line from the middle of a key", quote: KEY_LINES[2] ?? "", line: 9 },
];

for (const engine of ENGINES) {
  test(`${engine.name}: outcomes of an earlier version, with stop reasons as text, are readable`, () =>
    withStore(engine, async ({ database, now }) => {
      const earlier = [
        "HTTP 401",
        "its price is not known",
        "budget.perReviewUsd is USD 0.50, USD 0.40 spent",
      ];
      for (const stopReason of earlier) {
        const outcome = { kind: "failed", stopReason, model: "a:x", turns: 1, tokens: NO_TOKENS, ms: 1 };
        const body = { step: "full", outcome, costUsd: 0, files: 1, shownPaths: [], isLast: false };
        const row = { runId: RUN, kind: "outcome", pass: "main", body: JSON.stringify(body), at: now() };
        await appendNotebookRow(row, database);
      }
      const notebook = await openNotebook(RUN, { change: CHANGE, database, now });
      assert.deepEqual(
        notebook.entries().map((entry) => (entry.kind === "outcome" ? entry.outcome.stopReason : null)),
        [
          { kind: "http-error", status: 401 },
          { kind: "price-unknown" },
          { kind: "other", text: "budget.perReviewUsd is USD 0.50, USD 0.40 spent" },
        ],
      );
    }));

  for (const { name, quote, line } of QUOTED) {
    test(`${engine.name}: ${name} is not stored, and a later attempt still places it`, () =>
      withStore(engine, async ({ database, now }) => {
        const deps = { change: CHANGE, database, now };
        const notebook = await openNotebook(RUN, deps);
        const text = `The key ${quote} must not be stored.`;
        const finding = {
          quote,
          lineHint: line,
          body: text,
          title: text,
          evidence: [text],
          suggestion: quote,
          ignoredBecause: text,
        };
        await notebook.append(found(finding));
        await notebook.append({ kind: "summary", pass: "main", text });
        const [stored] = await database.query<{ all_of_it: string }>(
          "select min(body) || max(body) as all_of_it from notebook_entries",
        );
        for (const secret of [TOKEN, ...KEY_LINES.slice(1, 4)])
          assert.ok(!stored?.all_of_it.includes(secret), secret);
        const [again] = foundIn(await openNotebook(RUN, deps));
        assert.ok(again !== undefined);
        const anchor = anchorFinding(again, FILE);
        assert.deepEqual([anchor?.startLine, anchor?.method], [line, "exact"]);
        assert.match(again.body, /^The key .*\*{16}.* must not be stored\.$/s);
        assert.equal(again.suggestion, null);
      }));
  }

  test(`${engine.name}: a quote that isn't in the change stays masked`, () =>
    withStore(engine, async ({ database, now }) => {
      const deps = { change: { files: [] }, database, now };
      await (await openNotebook(RUN, deps)).append(found({ quote: `id = "${TOKEN}"` }));
      const [again] = foundIn(await openNotebook(RUN, deps));
      assert.equal(again?.quote, `id = "${"*".repeat(TOKEN.length)}"`);
    }));

  test(`${engine.name}: an entry stays within its limits however much a model writes, and the finding is kept`, () =>
    withStore(engine, async ({ database, now }) => {
      const deps = { change: CHANGE, database, now };
      const notebook = await openNotebook(RUN, deps);
      const long = "漢 ".repeat(100_000);
      const quote = `${"a line of code;\n".repeat(10_000)}end`;
      await notebook.append(
        found({ title: long, body: long, quote, suggestion: long, evidence: Array(100).fill(long) }),
      );
      const paths = Array.from({ length: 100_000 }, (_, index) => `a/rather/long/path/to/file-${index}.ts`);
      await notebook.append({ kind: "reviewed", pass: "main", paths });
      const sizes = await database.query<{ bytes: number }>(
        "select octet_length(body) as bytes from notebook_entries order by number",
      );
      const [finding = Infinity, reviewed = Infinity] = sizes.map(({ bytes }) => bytes);
      assert.ok(finding < 64 * 1024, `${finding} bytes`);
      assert.ok(reviewed < 1_500_000, `${reviewed} bytes`);
      const [again] = foundIn(await openNotebook(RUN, deps));
      assert.match(again?.body ?? "", /^漢 .*…$/);
      assert.match(again?.quote ?? "", /code;$/);
      assert.equal(again?.suggestion, null);
    }));

  test(`${engine.name}: entries of other runs and of unknown kinds are ignored`, () =>
    withStore(engine, async ({ database, now }) => {
      const deps = { change: CHANGE, database, now };
      await (await openNotebook(RUN, deps)).append(found({ title: "Mine" }));
      await (await openNotebook(RUN + 1, deps)).append(found({ title: "Another's" }));
      await database.query(
        "insert into notebook_entries (run_id, number, pass, kind, body, at) values ($1, 2, 'main', 'dream', '{}', 1)",
        [RUN],
      );
      const notebook = await openNotebook(RUN, deps);
      assert.deepEqual(
        notebook.entries().map(({ number, kind }) => [number, kind]),
        [[1, "finding"]],
      );
      assert.equal(await notebook.append(found({})), 3);
    }));
}
