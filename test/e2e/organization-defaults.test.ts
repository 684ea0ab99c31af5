/** The defaults that an organization keeps in its `.github` repository, on the App, and how they are written and explained. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULTS, ONE, testOrganization } from "../support/organization-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

testOrganization({
  title: "a private file applies where the app is installed on it",
  organization: { file: DEFAULTS, isPrivate: true, isInstalled: true },
  lines: ONE,
  shown: /organization defaults \(acme\/\.github:\.github\/kodiai\.yml\)/,
});

test("init --org writes a valid file, and config explain shows the origin of each value", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("first");
  const run = (...args: readonly string[]) => runKodiai(args, { cwd: made.path });
  assert.equal((await run("init", "--org")).code, 0);
  const path = join(made.path, ".github", "kodiai.yml");
  assert.match(readFileSync(path, "utf8"), /all repositories of this organization/);
  assert.equal((await run("init", "--org")).code, 2);
  const checked = await run("config", "check", path);
  assert.deepEqual([checked.code, checked.stdout], [0, "1 file checked, no problems found\n"]);

  mkdirSync(join(made.path, "org"));
  writeFileSync(join(made.path, "org/kodiai.yml"), "review: { mode: strict, drafts: true }\n");
  writeFileSync(join(made.path, ".kodiai.yml"), "review: { mode: lenient }\n");
  const explained = await run("config", "explain", ".", "--set", "--org-file", "org/kodiai.yml");
  assert.equal(explained.code, 0, explained.stderr);
  assert.deepEqual(
    explained.stdout
      .trim()
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " ")),
    ["review.mode: lenient # .kodiai.yml", "review.drafts: true # org/kodiai.yml"],
  );
});
