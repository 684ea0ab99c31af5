/** The code around a change in its variations: switched off, asked for, and replayed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ReviewRecording } from "../../src/jobs/recording/recording.ts";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { RANDOM, openRelatedCode } from "../support/related-code-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("review.relatedCode 0 shows none of it", async (t) => {
  const { run, server } = await openRelatedCode(t, "review:\n  relatedCode: 0\n");
  const { code, stderr } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const prompt = server.requests[0]?.prompt ?? "";
  assert.match(prompt, /# The diff/);
  assert.doesNotMatch(prompt, /Related code|checkout|stockValue|return base \+ tax/);
});

test("find_references tells certain uses from ones that share the name; related_files gives its reasons", async (t) => {
  const asking = oneByOne([
    { name: "find_references", args: { name: "price" } },
    { name: "find_symbol", args: { name: "price" } },
    { name: "related_files", args: { path: "src/price.ts" } },
    { name: "related_files", args: { path: "src/nowhere.ts" } },
    FINISHING,
  ]);
  const { run, server } = await openRelatedCode(t, "", asking);
  const { code, stderr } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const [uses = "", declared = "", related = "", missing = ""] = server.requests.at(-1)?.toolResults ?? [];
  assert.match(uses, /src\/checkout\.ts:6: \[use, certain\]/);
  assert.match(uses, /test\/price\.test\.ts:4: \[use, certain\]/);
  assert.match(uses, /src\/stock\.ts:3: \[use, same name only\]/);
  assert.ok(uses.indexOf("checkout.ts:6") < uses.indexOf("stock.ts:3"));
  assert.match(declared, /src\/price\.ts:3: \[function_declaration\]/);
  assert.match(related, /test\/price\.test\.ts: tests it, imports it/);
  assert.match(related, /src\/checkout\.ts: imports it/);
  assert.match(related, /src\/cart\.ts: is imported by it/);
  assert.match(missing, /isn't in the repository/);
});

const ASKING = oneByOne([{ name: "find_references", args: { name: "price" } }, FINISHING]);

test("a recording replays the code around the change and the answers about it, and older ones replay without", async (t) => {
  const { run } = await openRelatedCode(t, "", ASKING);
  const folder = mkdtempSync(join(tmpdir(), "kodiai-related-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "review.json");
  const { code, stderr } = await run(["--model", "openai:scripted", "--record", file]);
  assert.equal(code, 0, stderr);
  const recording = JSON.parse(readFileSync(file, "utf8")) as ReviewRecording;
  assert.ok(recording.code !== null && recording.code.relatedCode.length > 2);
  assert.equal(recording.code.shortFunctions.length, 2);
  assert.deepEqual(
    recording.code.lookup?.names.map(({ asked }) => asked),
    ["price"],
  );
  assert.ok(!readFileSync(file, "utf8").includes(RANDOM));
  const same = await runKodiai(["replay", file, "--format", "json"], { cwd: folder });
  assert.equal(same.code, 0, same.stdout);
  const { isSame, remarks } = JSON.parse(same.stdout) as {
    readonly isSame: boolean;
    readonly remarks: readonly string[];
  };
  assert.deepEqual([isSame, remarks], [true, []]);
  const { code: _, ...older } = recording;
  writeFileSync(file, JSON.stringify(older));
  const old = await runKodiai(["replay", file, "--format", "json"], { cwd: folder });
  assert.equal(old.code, 0, old.stdout);
  assert.match(old.stdout, /find_references returns another result/);
});

testModels(
  "the GitHub App reads facts into its data folder, and reviews without one that can be written",
  async (openModelScene) => {
    const script = oneByOne([{ name: "find_references", args: { name: "find" } }, FINISHING]);
    for (const isBlocked of [false, true]) {
      const scene = await openModelScene({ script });
      // A file where the folder should be.
      if (isBlocked) writeFileSync(join(scene.folder.path, "code"), "");
      const app = await scene.start();
      assert.equal(await scene.send("opened"), 202);
      const jobs = await scene.settled();
      assert.deepEqual(
        jobs.map(({ state }) => state),
        ["done"],
      );
      assert.match(scene.server.requests.at(-1)?.toolResults[0] ?? "", /src\/users\.ts:9: \[use, certain\]/);
      assert.doesNotMatch(scene.summary(), /related code/);
      if (!isBlocked) assert.ok(readdirSync(join(scene.folder.path, "code", "code-index")).length > 0);
      await app.stop();
    }
  },
);
