/** Text that is made to keep Kodiai busy, on the command line: it costs its own file at most. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { BIN } from "../support/built-program.ts";
import { eventually } from "../support/eventually.ts";
import { HONEST_FILE, HOSTILE_FILES } from "../support/hostile-files.ts";
import { isAlive, readerOf } from "../support/processes.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

function hostileRepository() {
  const made = testRepository();
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(HOSTILE_FILES)) made.write(path, text);
  made.write(HONEST_FILE.path, HONEST_FILE.text);
  made.commit("hostile");
  return made;
}

test("[P17] with hostile files next to an honest one, its finding is reported and every file is listed", async (t) => {
  const made = hostileRepository();
  t.after(() => made.remove());
  const { stdout, stderr } = await runKodiai(["review", "-f", "json"], { cwd: made.path });
  assert.notEqual(stdout, "", stderr);
  const { findings, receipt } = JSON.parse(stdout) as {
    findings: readonly { path: string; rule: string }[];
    receipt: { files: readonly { path: string }[] };
  };
  assert.ok(findings.some(({ path, rule }) => path === HONEST_FILE.path && rule === HONEST_FILE.rule));
  assert.deepEqual(
    new Set(receipt.files.map(({ path }) => path)),
    new Set([...Object.keys(HOSTILE_FILES), HONEST_FILE.path]),
  );
});

test("[P16] Ctrl-C works at once while rules hang, and leaves no process behind", async (t) => {
  const made = hostileRepository();
  t.after(() => made.remove());
  const child = spawn(process.execPath, [BIN, "review"], { cwd: made.path, stdio: "ignore" });
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "close");
  const reader = await eventually("the reader starts", () => readerOf(child.pid ?? 0));
  // Frozen, it answers no more than a rule that never ends.
  process.kill(reader, "SIGSTOP");
  const press = setInterval(() => child.kill("SIGINT"), 400);
  const [code] = await ended;
  clearInterval(press);
  assert.equal(code, 130);
  await eventually("the reader is gone", () => !isAlive(reader));
});
