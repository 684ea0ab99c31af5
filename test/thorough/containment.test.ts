/** A file that hangs the parser itself, on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HONEST_FILE, PARSER_BOMB } from "../support/hostile-files.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

test("[P17] a file that hangs the parser itself is listed as not read, and the others are reviewed", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("root");
  made.write("src/bomb.js", PARSER_BOMB);
  made.write(HONEST_FILE.path, HONEST_FILE.text);
  made.commit("hangs");
  const { code, stdout } = await runKodiai(["review", "-f", "json"], { cwd: made.path });
  const { findings, receipt } = JSON.parse(stdout) as {
    findings: readonly { path: string }[];
    receipt: { files: readonly { path: string; reason?: string }[] };
  };
  assert.equal(code, 3, "the review is incomplete");
  assert.ok(findings.some(({ path }) => path === HONEST_FILE.path));
  assert.equal(receipt.files.find(({ path }) => path === "src/bomb.js")?.reason, "limit:file-cost");
});
