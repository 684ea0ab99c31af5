/** Processes that share a file of facts, and one that is killed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { IndexWorld } from "../support/code-index-contract.ts";
import { openSmallWorld, readAndClose, summary } from "../support/disk-facts-fixtures.ts";

/** A program that indexes the head of a repository, prints a summary, and kills itself after the first batch if it should. */
function indexingScript(folder: string, repository: string, isKilled: boolean): string {
  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  return `
    import { createReaderProcess } from ${at("../../src/reading/process/reader-process.ts")};
    import { openRepository } from ${at("../../src/repository/git/open-repository.ts")};
    import { createCodeIndex } from ${at("../../src/code-index/create-code-index.ts")};
    import { openDiskFactsStore } from ${at("../../src/code-index/disk/disk-facts-store.ts")};
    const { signal } = new AbortController();
    const repository = await openRepository(${JSON.stringify(repository)}, { PATH: process.env.PATH });
    const reader = createReaderProcess(new URL(${at("../../src/reader-main.ts")}), signal);
    const store = openDiskFactsStore({ folder: ${JSON.stringify(folder)}, name: "index" });
    const files = await repository.listFiles("index", 10_000, { maxMs: 60_000, signal });
    const onProgress = (done) => done > 0 && ${isKilled} && process.kill(process.pid, "SIGKILL");
    const read = await createCodeIndex({ repository, reader, store }).readFacts("index", files, { signal, onProgress });
    console.log(read.facts.size, read.failed.length, read.cacheProblem);
    store.close();
    reader.close();
    repository.close();
  `;
}

async function runIndexing(folder: string, { made }: IndexWorld, isKilled: boolean) {
  const script = indexingScript(folder, made.path, isKilled);
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [, signal] = await once(child, "close");
  return { output: output.trim(), signal };
}

test("processes share a file, and one that is killed keeps the facts it has stored", async (t) => {
  const { world, folder, open } = await openSmallWorld(t, 1_200);
  const killed = await runIndexing(folder, world, true);
  assert.equal(killed.signal, "SIGKILL");
  const runs = await Promise.all([false, false].map((isKilled) => runIndexing(folder, world, isKilled)));
  for (const { output } of runs) assert.equal(output, "1200 0 null");
  assert.deepEqual(summary(await readAndClose(open(), world)), [1_200, 0, 0, null]);
  await readAndClose(open("again"), world);
  rmSync(join(folder, "index.db"));
  await runIndexing(folder, world, true);
  const { known, read, cacheProblem } = await readAndClose(open(), world);
  assert.ok(known > 0 && read > 0, `${known} known, ${read} read`);
  assert.equal(cacheProblem, null);
});
