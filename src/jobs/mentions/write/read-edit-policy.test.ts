/** Links, submodules and spellings are found in a real repository. */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { testRepository } from "../../../../test/support/test-repository.ts";
import { RepoConfigSchema } from "../../../config/repo-config/schema.ts";
import { openRepository } from "../../../repository/git/open-repository.ts";
import { checkPath } from "../../../review/edits/check-path.ts";
import { readEditPolicy } from "./read-edit-policy.ts";

test("the policy knows links, submodules, spellings and tests of a commit", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/a.ts", "a\n");
  made.write("checks/a.ts", "a\n");
  made.write("src/é.ts", "a\n");
  symlinkSync("../..", join(made.path, "src", "link"));
  const commit = made.commit("files");
  made.git("update-index", "--add", "--cacheinfo", `160000,${commit},vendor/dep`);
  made.git("commit", "--quiet", "-m", "submodule");
  const head = made.git("rev-parse", "HEAD").trim();
  const repository = await openRepository(made.path, {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  });
  t.after(() => repository.close());
  const config = RepoConfigSchema.parse({ fileCategories: { test: ["checks/**"] } });
  const { signal } = new AbortController();
  const policy = await readEditPolicy(head, config, { repository, signal, mayRemoveTests: false });
  assert.ok(policy !== null);
  const ruleOf = (path: string) => checkPath(path, policy)?.rule ?? null;
  assert.equal(ruleOf("src/a.ts"), null);
  assert.equal(ruleOf("src/é.ts"), null);
  assert.equal(ruleOf("src/new/b.ts"), null);
  assert.equal(ruleOf("src/link"), "link");
  assert.equal(ruleOf("src/link/etc/passwd"), "link");
  assert.equal(ruleOf("vendor/dep"), "submodule");
  assert.equal(ruleOf("vendor/dep/index.js"), "submodule");
  assert.equal(ruleOf("vendor/Dep/index.js"), "case-clash");
  assert.equal(ruleOf("SRC/a.ts"), "case-clash");
  assert.equal(ruleOf("src/e\u0301.ts"), "case-clash");
  assert.equal(ruleOf("web/package-lock.json"), "lockfile");
  assert.equal(ruleOf("Cargo.lock"), "lockfile");
  assert.equal(ruleOf("src/a.ts/b"), "unexpected-entry");
  assert.equal(policy.isTest("checks/a.ts"), true);
  assert.equal(policy.isTest("src/a.test.ts"), true);
  assert.equal(policy.isTest("src/a.ts"), false);
});
