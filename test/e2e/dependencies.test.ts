/** Dependency changes, from the files of a repository to the terminal, over a real registry on loopback: a major with all that follows from it, and tampered bytes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startNpmRegistry } from "../support/npm-registry.ts";
import {
  PADS,
  runPatiently,
  lockOf,
  bumpedShop,
  type Output,
  advisories,
} from "../support/dependency-fixtures.ts";

test("a major is followed to the call sites, its notes and its advisories", async (t) => {
  const registry = await startNpmRegistry(t, PADS);
  const repository = bumpedShop(t);
  const env = { ...registry.env, KODIAI_ADVISORIES: advisories(t) };
  const page = await runPatiently(["deps", "--base", "main"], { cwd: repository.path, env });
  assert.equal(page.code, 0, page.stderr);
  const flat = page.stdout.replaceAll(/\s+/g, " ");
  for (const expected of [
    "pads 1.4.0 → 2.0.0 major, direct",
    "introduces GHSA-new0-new0-new0 (high severity): Trouble in GHSA-new0-new0-new0",
    "fixes GHSA-old0-old0-old0",
    "1 of 2 call sites use what 2.0.0 removes or changes: right at src/shop.js:4",
    "removes or renames 1 export: right",
    "removes or renames 1 type only: Options",
    "needs node >=20",
    "now runs other programs: lib/install.js",
    "breaking: - `right` was removed",
    "Merge confidence: low: a breaking version, call sites are affected",
    "advisories from an offline copy of 2026-10-01",
  ])
    assert.ok(flat.includes(expected), `${expected}\n\n${page.stdout}`);

  const markdown = await runPatiently(["deps", "--base", "main", "--format", "markdown"], {
    cwd: repository.path,
    env,
  });
  assert.match(markdown.stdout, /\| `pads` \(npm\) \| `1\.4\.0` \| `2\.0\.0` \| major \| direct \| low \|/);
  assert.doesNotMatch(markdown.stdout, /@everyone/);

  const reviewed = await runPatiently(["review", "--base", "main", "--format", "json"], {
    cwd: repository.path,
    env,
  });
  // The contract in schema/review-output.schema.json.
  const { dependencies, findings } = JSON.parse(reviewed.stdout) as Output;
  assert.equal(dependencies?.extent, "pure");
  assert.deepEqual(findings?.map(({ rule, path, startLine }) => `${rule} ${path}:${startLine}`).toSorted(), [
    "dependency-advisory package.json:5",
    "dependency-call-site package.json:5",
  ]);
});

test("other bytes under the same version are a critical finding", async (t) => {
  const repository = bumpedShop(t);
  repository.git("checkout", "--quiet", "main");
  repository.git("checkout", "--quiet", "-b", "tampered");
  repository.write("package-lock.json", lockOf({ pads: "1.4.0" }).replace(/sha512-[^"]+/, "sha512-AAAA"));
  repository.commit("update the lockfile");
  const { stdout, code } = await runPatiently(
    ["review", "--base", "main", "--offline", "--format", "json", "--fail-on", "critical"],
    { cwd: repository.path },
  );
  // The contract in schema/review-output.schema.json.
  const { findings, dependencies } = JSON.parse(stdout) as Output;
  assert.deepEqual(
    findings?.map(({ rule, path, startLine }) => `${rule} ${path}:${startLine}`),
    ["dependency-tampering package-lock.json:null"],
  );
  assert.deepEqual(dependencies?.confidence.level, "low");
  assert.equal(code, 1);
  const codeOf = async (...options: readonly string[]): Promise<number | null> =>
    (await runPatiently(["deps", "--base", "main", "--offline", ...options], { cwd: repository.path })).code;
  assert.deepEqual(await Promise.all([codeOf(), codeOf("--fail-on", "none")]), [1, 0]);
});
