/** A major that keeps a removed function which only throws, and has its changelog in its repository alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runPatiently } from "../support/dependency-fixtures.ts";
import { testRepository } from "../support/test-repository.ts";
import { startYamlHosts, yamlProjectAt } from "../support/thrown-away-fixtures.ts";

test("an export that only throws is removed, and the changelog at the tag says so", async (t) => {
  const hosts = await startYamlHosts(t);
  const repository = testRepository();
  t.after(() => repository.remove());
  for (const [path, text] of Object.entries(yamlProjectAt("3.14.1"))) repository.write(path, text);
  repository.commit("project");
  repository.git("checkout", "--quiet", "-b", "bump");
  for (const [path, text] of Object.entries(yamlProjectAt("4.1.0"))) repository.write(path, text);
  repository.commit("bump");
  const { stdout } = await runPatiently(["deps", "--base", "main"], { cwd: repository.path, env: hosts.env });
  const flat = stdout.replaceAll(/\s+/g, " ");
  for (const expected of [
    "Merge confidence: low: a breaking version, call sites are affected, the release notes name breaking changes",
    "what 4.1.0 removes or changes: safeLoad at src/settings.js:3",
    "breaking: - `safeLoad()` was removed, use `load()`.",
    "source https://github.com/nodeca/js-yaml, changes https://github.com/nodeca/js-yaml/compare/3.14.1...4.1.0",
  ])
    assert.ok(flat.includes(expected), `${expected}\n\n${stdout}`);
});
