/** Hostile archives and changelogs cost their own look-up and nothing else, because another process parses them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPackageParsers } from "../src/compose/parse-packages.ts";
import { createReaderProcess } from "../src/reading/process/reader-process.ts";
import type { Reader } from "../src/reading/reader.ts";
import { buildTarGz } from "./support/build-archives.ts";

const READER = new URL("../src/reader-main.ts", import.meta.url);

const { signal } = new AbortController();

const OPTIONS = { root: "one-folder", wants: (path: string) => path.endsWith(".md"), signal } as const;

/** `change` may replace parts of the reader. */
function processes(change: (reader: Reader) => Reader = (reader) => reader) {
  const opened: Reader[] = [];
  const closed: Reader[] = [];
  const parsers = createPackageParsers(async (aborted) => {
    const reader = change(createReaderProcess(READER, aborted));
    const watched: Reader = {
      warm: () => reader.warm(),
      ask: (...asked) => reader.ask(...asked),
      close() {
        closed.push(watched);
        reader.close();
      },
    };
    opened.push(watched);
    return watched;
  });
  return { parsers, opened, closed };
}

test("archives and changelogs are parsed in one other process, which ends with the last look-up", async () => {
  const { parsers, opened, closed } = processes();
  const archive = await buildTarGz([
    { name: "package/a.md", text: "# 1.0.0\n\nFirst.\n" },
    { name: "package/b.js", text: "1;\n" },
  ]);
  const [read, split, broken] = await Promise.all([
    parsers.readArchive(archive, "tar.gz", OPTIONS),
    parsers.splitChangelog("# 2.0.0\n\nSecond.\n"),
    parsers.readArchive(Buffer.from("no archive"), "tar.gz", OPTIONS),
  ]);
  assert.deepEqual(read, { kind: "found", value: new Map([["a.md", "# 1.0.0\n\nFirst.\n"]]) });
  assert.deepEqual(split.kind === "found" && split.value.map(({ version }) => version), ["2.0.0"]);
  assert.deepEqual(broken, { kind: "failed", reason: "malformed" });
  assert.equal(opened.length, 1);
  await new Promise(setImmediate);
  assert.deepEqual(closed, opened);
});

test("a limit or a crash fails that look-up, and the next one works", async () => {
  const ends: readonly (readonly [Awaited<ReturnType<Reader["ask"]>>, string])[] = [
    [{ kind: "over-limit", limit: "time" }, "time"],
    [{ kind: "over-limit", limit: "memory" }, "too-large"],
    [{ kind: "failed", message: "the process crashed" }, "malformed"],
  ];
  const archive = await buildTarGz([{ name: "package/a.md", text: "text" }]);
  for (const [end, reason] of ends) {
    let isHostile = true;
    const { parsers } = processes((reader) => ({
      ...reader,
      ask: async (...asked) => (isHostile ? end : reader.ask(...asked)),
    }));
    assert.deepEqual(await parsers.readArchive(archive, "tar.gz", OPTIONS), { kind: "failed", reason });
    assert.deepEqual(await parsers.splitChangelog("# 1.0.0"), { kind: "failed", reason });
    isHostile = false;
    assert.equal((await parsers.readArchive(archive, "tar.gz", OPTIONS)).kind, "found");
  }
});
