/** A store of facts on disk. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type IndexWorld, openIndexWorld, readHead } from "./code-index-contract.ts";
import type { CodeIndex, FactsRead } from "../../src/code-index/code-index.ts";
import { createCodeIndex } from "../../src/code-index/create-code-index.ts";
import { openDiskFactsStore } from "../../src/code-index/disk/disk-facts-store.ts";

export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with some files, and its index in a folder. */
export async function openSmallWorld(t: TestContext, count = 5) {
  const world = await openIndexWorld(t);
  for (let number = 0; number < count; number++) {
    world.made.write(`folder/${number}.py`, `import module_${number}\n`);
  }
  world.made.commit("root");
  const folder = makeFolder(t);
  return { world, folder, open: (name = "index") => openIn(folder, name, world) };
}

export function openIn(folder: string, name: string, world: IndexWorld): CodeIndex {
  return createCodeIndex({ ...world, store: openDiskFactsStore({ folder, name }) });
}

export async function readAndClose(index: CodeIndex, world: IndexWorld): Promise<FactsRead> {
  try {
    return await readHead(index, world);
  } finally {
    index.close();
  }
}

export function summary({ known, read, failed, cacheProblem }: FactsRead) {
  return [known, read, failed.length, cacheProblem];
}
