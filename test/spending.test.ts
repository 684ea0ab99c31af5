/** Money under many processes: the last cent is given once, and a process that is killed takes nothing back. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { ENGINES, withStore } from "./support/queue-contract/engines.ts";

const SCRIPT = new URL("support/spending-process.ts", import.meta.url).pathname;

const PROCESSES = 8;
const ATTEMPTS = 40;
/** A third of what all of them ask for. */
const LIMIT_USD = 1;

function startProcess(url: string, name: number) {
  const args = [SCRIPT, url, String(name), String(LIMIT_USD), String(ATTEMPTS)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  return { child, nextLine };
}

for (const engine of ENGINES) {
  test(`[P11] ${engine.name}: ${PROCESSES} processes that take all they can get take exactly what there is`, (t) =>
    withStore(engine, async ({ database }, url) => {
      const processes = Array.from({ length: PROCESSES }, (_, index) => startProcess(url, index + 1));
      t.after(() => processes.forEach(({ child }) => child.kill("SIGKILL")));
      for (const { nextLine } of processes) assert.equal(await nextLine(), "ready");
      for (const { child } of processes) child.stdin.write("go\n");
      const cents = await Promise.all(processes.map(async ({ nextLine }) => Number(await nextLine())));
      await Promise.all(processes.map(async ({ child }) => child.signalCode ?? once(child, "exit")));
      assert.equal(
        cents.reduce((sum, each) => sum + each, 0),
        LIMIT_USD * 100,
        cents.join(" + "),
      );
      const [row] = await database.query<{ micro_usd: number; settled: number }>(
        "select sum(reserved_micro_usd) as micro_usd, count(settled_micro_usd) as settled from spendings",
      );
      assert.deepEqual({ ...row }, { micro_usd: LIMIT_USD * 1_000_000, settled: 0 });
    }));
}
