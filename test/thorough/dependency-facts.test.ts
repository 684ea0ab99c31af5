/** Dependency changes in further forms: what the registry says of a release, private names, titles, forced versions and a copy of advisories. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/day-ms.ts";
import {
  PADS,
  runPatiently,
  manifestOf,
  lockOf,
  bumpedShop,
  type Output,
  advisories,
} from "../support/dependency-fixtures.ts";
import { startNpmRegistry } from "../support/npm-registry.ts";
import { testRepository } from "../support/test-repository.ts";

test("another version of the project itself changes no dependency, whatever other manifests are like", async (t) => {
  const repository = testRepository();
  t.after(() => repository.remove());
  repository.write("packages/broken/package.json", "{ <<<<<<<");
  const write = (version: string): void => {
    const manifest = JSON.parse(manifestOf({ pads: "^1.4.0" })) as object;
    const locked = JSON.parse(lockOf({ pads: "1.4.0" })) as object;
    repository.write("package.json", JSON.stringify({ ...manifest, version }));
    repository.write("package-lock.json", JSON.stringify({ ...locked, version }));
  };
  write("4.0.2");
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "release");
  write("4.0.3");
  repository.commit("Bump version to 4.0.3");
  const { stdout, code } = await runPatiently(["deps", "--base", "main", "--offline"], {
    cwd: repository.path,
  });
  assert.equal(stdout, "This change touches no dependency.\n");
  assert.equal(code, 0);
});

test("facts of the registry about a release are shown with the package", async (t) => {
  const published = Date.now() - 2 * DAY_MS;
  const day = new Date(published).toISOString().slice(0, 10);
  const release = (version: string, manifest: object) => ({
    name: "pads",
    version,
    manifest: { ...manifest },
    files: {},
  });
  const registry = await startNpmRegistry(t, [
    release("1.4.0", {
      license: "MIT",
      _npmUser: { name: "ann" },
      dist: { attestations: { url: "https://example.com" } },
    }),
    release("2.0.0", {
      license: "BUSL-1.1",
      deprecated: "use other-pads",
      scripts: { postinstall: "node install.js" },
      _npmUser: { name: "mallory" },
      repository: "owner/pads",
      _npmOperationalInternal: { tmp: `tmp/pads_2.0.0_${published}_0.1` },
    }),
  ]);
  const { stdout } = await runPatiently(["deps", "--base", "main"], {
    cwd: bumpedShop(t).path,
    env: registry.env,
  });
  const flat = stdout.replaceAll(/\s+/g, " ");
  for (const expected of [
    "installing it runs scripts now",
    "someone else published it: mallory instead of ann",
    "it has another licence: BUSL-1.1 instead of MIT",
    "its publishers deprecated it: use other-pads",
    "the old version was published with provenance, this one without",
    `it was published only days ago: ${day}`,
    `published on ${day}, source https://github.com/owner/pads`,
  ])
    assert.ok(flat.includes(expected), `${expected}\n\n${stdout}`);
});

test("a version that the registry doesn't list is reported, with the rest of the facts unknown", async (t) => {
  const registry = await startNpmRegistry(t, PADS.slice(0, 1));
  const { stdout } = await runPatiently(["deps", "--base", "main"], {
    cwd: bumpedShop(t).path,
    env: registry.env,
  });
  const flat = stdout.replaceAll(/\s+/g, " ");
  assert.ok(flat.includes("its registry doesn't list this version"), stdout);
  assert.match(flat, /Merge confidence: medium: [^.]*supply-chain signals/);
});

test("below 1.0, a gem without release notes isn't called safe, and go.sum alone shows no downgrade", async (t) => {
  const repository = testRepository();
  t.after(() => repository.remove());
  const write = (gem: string, sums: readonly string[]): void => {
    repository.write("Gemfile", 'source "https://rubygems.org"\n\ngem "admin"\n');
    repository.write(
      "Gemfile.lock",
      `GEM\n  remote: https://rubygems.org/\n  specs:\n    admin (${gem})\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  admin\n`,
    );
    repository.write("go.mod", "module shop\n\ngo 1.13\n\nrequire github.com/owner/tool v1.0.0\n");
    repository.write("go.sum", sums.map((each) => `github.com/owner/${each} h1:AAAA=\n`).join(""));
  };
  write("0.19.0", ["tool v1.0.0", "old v0.1.0", "old v2.0.0+incompatible"]);
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "bump");
  write("0.20.1", ["tool v1.0.0", "old v0.1.0"]);
  repository.commit("bump admin");
  const { stdout } = await runPatiently(["deps", "--base", "main", "--offline"], { cwd: repository.path });
  const flat = stdout.replaceAll(/\s+/g, " ");
  assert.match(flat, /Merge confidence: medium: a minor below 1\.0 without release notes/);
  assert.match(flat, /admin 0\.19\.0 → 0\.20\.1 minor, direct/);
  assert.doesNotMatch(flat, /downgrade|owner\/old/);
});

/** A lockfile with one program for three platforms. */
function lockOfTools(bundler: string, client: string): string {
  const parts = Object.fromEntries(
    ["darwin-arm64", "linux-x64", "win32-x64"].map((each) => [`@bundler/${each}`, bundler]),
  );
  const { packages, ...rest } = JSON.parse(lockOf({ bundler, client })) as { packages: object };
  const inside = JSON.parse(lockOf(parts)) as { packages: Record<string, object> };
  const { "": _root, ...platforms } = inside.packages;
  const needs = { "node_modules/bundler": { version: bundler, optionalDependencies: parts } };
  return `${JSON.stringify({ ...rest, packages: { ...packages, ...needs, ...platforms } }, null, 2)}\n`;
}

test("the bump that the title names is the first row, with its platforms, and a forced version is no addition", async (t) => {
  const repository = testRepository();
  t.after(() => repository.remove());
  const write = (bundler: string, client: string, more: object): void => {
    const manifest = JSON.parse(manifestOf({ bundler: `^${bundler}`, client: `^${client}` })) as object;
    repository.write("package.json", `${JSON.stringify({ ...manifest, ...more }, null, 2)}\n`);
    repository.write("package-lock.json", lockOfTools(bundler, client));
    repository.write("go.mod", goMod(more));
  };
  const goMod = (more: object): string =>
    `module shop\n\ngo 1.22\n\nrequire github.com/owner/tool v1.0.0\n${"resolutions" in more ? "\nreplace github.com/owner/tool => github.com/fork/tool v1.0.1\n" : ""}`;
  write("0.21.5", "1.2.0", {});
  repository.commit("tools");
  repository.git("checkout", "--quiet", "-b", "bump");
  write("0.25.0", "2.0.1", { resolutions: { client: "2.0.1" } });
  repository.commit("chore(deps): bump bundler from 0.21.5 to 0.25.0");
  const run = (...args: readonly string[]) =>
    runPatiently(["deps", "--base", "main", "--offline", ...args], { cwd: repository.path });
  const { stdout } = await run("--format", "markdown");
  const rows = stdout.split("\n").filter((line) => line.startsWith("| `"));
  assert.deepEqual(
    rows.map((row) => row.split(" | ").slice(0, 5).join(" | ")),
    [
      "| `bundler` (npm) | `0.21.5` | `0.25.0` | minor, breaking below 1.0 | direct",
      "| `client` (npm) | `1.2.0` | `2.0.1` | major | direct",
      "| `github.com/owner/tool` (Go) | `v1.0.0` | `v1.0.0` | other source | direct",
    ],
    stdout,
  );
  assert.match(stdout, /also 3 packages for single platforms, such as @\S*bundler\/darwin-arm64/);
  assert.match(stdout, /a manifest replaces it by another package or source/);
  assert.doesNotMatch(stdout, /a host that wasn't used before/);
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
