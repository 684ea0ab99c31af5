/** A database with memories, and the commands on it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { fillEverything } from "./memory/fill-memory.ts";
import { type Engine, engineNamed } from "./queue-contract/engines.ts";
import { runKodiai } from "./run-kodiai.ts";

const REPOSITORY = { repositoryId: 5_000_000_000, name: "app" };

/** A folder and a database with the memory of acme/app, and a function that runs a command on it. */
export async function openMemory(t: TestContext, engine: Engine, { isEmpty = false } = {}) {
  const created = await engine.createDatabase();
  const { url } = created;
  const cwd = mkdtempSync(join(tmpdir(), "kodiai-memory-"));
  t.after(async () => {
    rmSync(cwd, { recursive: true, force: true });
    await created.remove();
  });
  const store = await openStore(url);
  if (!isEmpty) await fillEverything(store, REPOSITORY);
  await store.close();
  const run = (...args: readonly string[]) =>
    runKodiai(["memory", ...args], { cwd, env: { DATABASE_URL: url } });
  /** Fails unless the command succeeds. */
  const read = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  return { cwd, url, run, read };
}

export const SQLITE = engineNamed("sqlite");
