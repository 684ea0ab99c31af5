/** A file that hangs the parser itself, on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HONEST_FILE, PARSER_BOMB } from "../support/hostile-files.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, modelEnvironment, oneByOne } from "../support/model-scenes/model-scene.ts";
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

test("[P17] a file that hangs the parser and that a model has read is reviewed, with a gap of the built-in rules", async (t) => {
  const { server, run } = await openDesk(t, {
    before: { "src/a.js": "export {};\n" },
    after: { "src/bomb.js": PARSER_BOMB },
    script: oneByOne([{ name: "show_diff", args: { path: "src/bomb.js" } }, FINISHING]),
  });
  const { KODIAI_MODEL = "" } = modelEnvironment("openai", server.url);
  const { code, stdout } = await run(["-f", "json", "--no-analysers"], { KODIAI_MODEL });
  const { receipt } = JSON.parse(stdout) as {
    receipt: {
      files: readonly { path: string; status: string }[];
      gaps: readonly { check: string; reason: string; paths: readonly string[] }[];
    };
  };
  assert.equal(code, 3, "the review is incomplete");
  assert.deepEqual(
    receipt.files.map(({ path, status }) => [path, status]),
    [["src/bomb.js", "reviewed"]],
  );
  assert.deepEqual(
    receipt.gaps
      .filter(({ check }) => check === "built-in rules")
      .map(({ reason, paths }) => [reason, paths]),
    [["limit", ["src/bomb.js"]]],
  );
});
