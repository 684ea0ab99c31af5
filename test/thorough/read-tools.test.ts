/** Reading tools on files and histories that are made to take long. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createReaderProcess } from "../../src/reading/process/reader-process.ts";
import { toolBench } from "../support/tool-bench.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";

const lines = (count: number, text = "line"): string =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\n`).join("");

test("list_files: one level with counts, or all matches of a glob; at most 1,000", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`many/${index}.txt`, "x\n"]));
  const { ask, askWrongly } = await toolBench(t, {
    after: {
      "README.md": "x\n",
      "src/a.ts": "x\n",
      "src/deep/b.ts": "x\n",
      "src/deep/c.sql": "x\n",
      ...many,
    },
  });
  assert.equal(
    await ask("list_files", {}),
    "In the root: 3 entries.\nREADME.md\nmany/ (1100 files)\nsrc/ (3 files)",
  );
  assert.equal(await ask("list_files", { dir: "src/" }), "In src: 2 entries.\nsrc/a.ts\nsrc/deep/ (2 files)");
  assert.match(await ask("list_files", { glob: "*.ts" }), /2 entries\.\nsrc\/a\.ts\nsrc\/deep\/b\.ts$/);
  assert.match(
    await ask("list_files", { dir: "src/deep", glob: "**/*.sql" }),
    /1 entries\.\nsrc\/deep\/c\.sql$/,
  );
  const cut = await ask("list_files", { dir: "many" });
  assert.match(cut, /1100 entries; only the first 1000 are shown/);
  assert.equal(cut.split("\n").length, 1_001);
  assert.match(await askWrongly("list_files", { glob: "{1..99999}" }), /Invalid glob/);
});

test("file_history and blame: 20 entries, no addresses, and what a shallow clone does not know", async (t) => {
  const bench = await toolBench(t, {
    before: { "a.txt": lines(60) },
    prepare(made) {
      for (let version = 1; version <= 24; version++) {
        made.write("a.txt", lines(60).replace(`line ${2 * version}\n`, `version ${version}\n`));
        made.git("add", "a.txt");
        const author =
          version === 24 ? "grace@example.org <grace@example.org>" : "Grace H <grace@example.org>";
        made.git("commit", "--quiet", "--author", author, "--message", `version ${version}`);
      }
    },
    after: { "a.txt": lines(60).replaceAll(/line (\d*[02468])\n/g, "even $1\n") },
  });
  const history = await bench.ask("file_history", { path: "a.txt" });
  assert.match(
    history,
    /^a\.txt: 20 commits\. There are older commits\.\n[0-9a-f]{10} 2026-01-01 Ada: after\n/,
  );
  assert.match(history, / unknown: version 24\n.* Grace H: version 23\n/);
  assert.doesNotMatch(history, /@/);
  assert.equal(history.split("\n").length, 21);
  const answer = await bench.ask("blame", { path: "a.txt" });
  assert.match(answer, /^a\.txt, lines 1–20 of 60\. Cut here: call again with from: 21 for more\.\n1: /);
  assert.equal(answer.split("\n").length, 21);
  assert.match(
    await bench.ask("blame", { path: "a.txt", from: 2, to: 2 }),
    /lines 2–2 of 60\.\n2: \w+ 2026-01-01 Ada: after$/,
  );

  const clone = mkdtempSync(join(tmpdir(), "kodiai-shallow-"));
  t.after(() => rmSync(clone, { recursive: true }));
  execFileSync("git", ["clone", "--quiet", "--depth=2", `file://${bench.made.path}`, clone]);
  const repository = await openRepository(clone, { PATH: process.env["PATH"] ?? "" });
  t.after(() => repository.close());
  const shallow = await toolBench(t, {
    after: { "x.txt": "x\n" },
    context: { ...bench.context, repository },
  });
  assert.match(
    await shallow.ask("file_history", { path: "a.txt" }),
    /^a\.txt: 2 commits\. The history is incomplete \(shallow clone\)/,
  );
  assert.match(
    await shallow.ask("blame", { path: "a.txt", to: 2 }),
    /lines marked \* may be older.*\n1\*: .*\n2: /s,
  );
});

test("find_references: files that were made to take the parser long do not hold it up", async (t) => {
  const after = Object.fromEntries([
    ...Array.from({ length: 8 }, (_, index) => [
      `deep${index}.cpp`,
      `int a;\n${"a<".repeat(60_000)}${index}\n`,
    ]),
    ...Array.from({ length: 8 }, (_, index) => [`wide${index}.ts`, `${"a;".repeat(60_000)}${index}\n`]),
  ]);
  const entry = new URL("../../src/reader-main.ts", import.meta.url);
  const reader = createReaderProcess(entry, new AbortController().signal);
  t.after(() => reader.close());
  const { ask } = await toolBench(t, { after, context: { reader } });
  assert.match(
    await ask("find_references", { name: "a" }),
    /^\d+ found\. Lines marked "text" were only compared/,
  );
});
