/** Dependency changes, from the files of a repository to the terminal, over a real registry on loopback. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { startNpmRegistry } from "../support/npm-registry.ts";
import { testRepository } from "../support/test-repository.ts";
import {
  PADS,
  runPatiently,
  manifestOf,
  lockOf,
  bumpedShop,
  type Output,
} from "../support/dependency-fixtures.ts";

/** A copy of advisories in the OSV format. */
function advisories(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-advisories-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "npm"));
  const entry = (id: string, events: readonly object[]): string =>
    JSON.stringify({
      id,
      modified: "2026-10-01T00:00:00Z",
      summary: `Trouble in ${id}`,
      database_specific: { severity: "HIGH" },
      affected: [{ package: { ecosystem: "npm", name: "pads" }, ranges: [{ type: "SEMVER", events }] }],
    });
  writeFileSync(
    join(folder, "npm", "GHSA-old0-old0-old0.json"),
    entry("GHSA-old0-old0-old0", [{ introduced: "0" }, { fixed: "2.0.0" }]),
  );
  writeFileSync(
    join(folder, "npm", "GHSA-new0-new0-new0.json"),
    entry("GHSA-new0-new0-new0", [{ introduced: "2.0.0" }]),
  );
  return folder;
}

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

test("names of private packages are never sent out", async (t) => {
  const registry = await startNpmRegistry(t, PADS);
  const repository = testRepository();
  t.after(() => repository.remove());
  const inHouse = (name: string, version: string): string =>
    `https://npm.acme.example/${name}/-/${name}-${version}.tgz`;
  repository.write(".npmrc", "@acme:registry=https://npm.acme.example/\n");
  repository.write(".kodiai.yml", 'dependencies:\n  privatePackages: ["secret-*"]\n');
  const write = (version: string): void => {
    repository.write(
      "package.json",
      manifestOf({
        pads: `^${version}`,
        "in-house": `^${version}`,
        "secret-plan": `^${version}`,
        "@acme/core": `^${version}`,
      }),
    );
    const locked = JSON.parse(lockOf({ pads: version, "secret-plan": version })) as { packages: object };
    const own = JSON.parse(lockOf({ "in-house": version }, inHouse)) as { packages: object };
    const scoped = { "node_modules/@acme/core": { version } };
    repository.write(
      "package-lock.json",
      JSON.stringify({ ...locked, packages: { ...own.packages, ...locked.packages, ...scoped } }),
    );
  };
  write("1.4.0");
  repository.commit("private packages");
  repository.git("checkout", "--quiet", "-b", "bump");
  write("2.0.0");
  repository.commit("bump all");
  const { stdout } = await runPatiently(["deps", "--base", "main", "--format", "json"], {
    cwd: repository.path,
    env: registry.env,
  });
  assert.ok(registry.asked().some((path) => path.includes("pads")));
  for (const name of ["in-house", "secret-plan", "acme"]) {
    assert.ok(!registry.asked().some((path) => path.includes(name)), name);
  }
  // The same shape as in a review.
  const { dependencies } = JSON.parse(stdout) as Output;
  const reasons = dependencies?.packages.flatMap(({ change, advisories: { reason } }) =>
    change.name === "pads" ? [] : [`${change.name} ${reason}`],
  );
  assert.deepEqual(reasons?.toSorted(), ["@acme/core private", "in-house private", "secret-plan private"]);
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

test("without a network, the copy of advisories still answers, and --fail-on decides the exit code", async (t) => {
  const repository = bumpedShop(t);
  const run = async (...options: readonly string[]) =>
    runPatiently(["deps", "--base", "main", "--offline", ...options], {
      cwd: repository.path,
      env: { KODIAI_ADVISORIES: advisories(t) },
    });
  const [page, low, unknown] = await Promise.all([
    run(),
    run("--fail-on", "low"),
    run("--fail-on", "whatever"),
  ]);
  const flat = page.stdout.replaceAll(/\s+/g, " ");
  assert.ok(flat.includes("introduces GHSA-new0-new0-new0 (high severity)"), page.stdout);
  assert.ok(flat.includes("advisories from an offline copy of 2026-10-01"), page.stdout);
  assert.deepEqual([page.code, low.code, unknown.code], [0, 1, 2]);
});
