/** Dependency changes, from the files of a repository to the terminal, over a real registry on loopback. */
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type NpmPackage, startNpmRegistry } from "../support/npm-registry.ts";
import { runKodiai, type RunOptions, type RunResult } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

const PADS: readonly NpmPackage[] = [
  {
    name: "pads",
    version: "1.4.0",
    manifest: { main: "index.js", types: "index.d.ts" },
    files: {
      "index.js": "exports.left = (text) => text;\nexports.right = (text) => text;\n",
      "index.d.ts":
        "export interface Options { width: number }\nexport declare function left(text: string): string;\nexport declare function right(text: string): string;\n",
    },
  },
  {
    name: "pads",
    version: "2.0.0",
    manifest: { main: "index.js", types: "index.d.ts", engines: { node: ">=20" } },
    files: {
      "index.js": "exports.left = (text) => text;\n",
      "index.d.ts": "export declare function left(text: string): string;\n",
      "CHANGELOG.md":
        "# Changelog\n\n## 2.0.0\n\n### Breaking changes\n\n- `right` was removed, @everyone should use `left`.\n\n## 1.4.0\n\n- Old news.\n",
    },
  },
];

/** On a busy machine a look-up can run out of time. Answers are kept, so the next run has fewer to wait for. */
async function runPatiently(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const result = await runKodiai(args, options);
  const isLate = /no answer in time|"reason":\s*"time"/.test(result.stdout);
  return isLate ? runPatiently(args, options) : result;
}

const manifestOf = (dependencies: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", private: true, dependencies }, null, 2)}\n`;

function lockOf(versions: Readonly<Record<string, string>>, urlOf = publicUrl): string {
  const packages = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      `node_modules/${name}`,
      {
        version,
        resolved: urlOf(name, version),
        integrity: `sha512-${Buffer.from(name + version).toString("base64")}`,
      },
    ]),
  );
  const dependencies = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [name, `^${version}`]),
  );
  return `${JSON.stringify({ name: "shop", lockfileVersion: 3, packages: { "": { name: "shop", dependencies }, ...packages } }, null, 2)}\n`;
}

const publicUrl = (name: string, version: string): string =>
  `https://${NPM_HOST}/${name}/-/${name}-${version}.tgz`;

const SHOP = `import { left, right } from "pads";

export const label = (text) => left(text);
export const price = (text) => right(text);
`;

function bumpedShop(t: TestContext): TestRepository {
  const repository = testRepository();
  t.after(() => repository.remove());
  repository.write("package.json", manifestOf({ pads: "^1.4.0" }));
  repository.write("package-lock.json", lockOf({ pads: "1.4.0" }));
  repository.write("src/shop.js", SHOP);
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "bump");
  repository.write("package.json", manifestOf({ pads: "^2.0.0" }));
  repository.write("package-lock.json", lockOf({ pads: "2.0.0" }));
  repository.commit("bump pads");
  return repository;
}

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

/** The part of the output that these tests read. */
type Output = {
  readonly dependencies: {
    readonly extent: string;
    readonly confidence: { readonly level: string; readonly reasons: readonly string[] };
    readonly packages: readonly {
      readonly change: { readonly name: string; readonly kind: string; readonly isDirect: boolean };
      readonly uses: {
        readonly places: readonly { readonly path: string; readonly line: number; readonly name: string }[];
      } | null;
      readonly advisories: { readonly kind: string; readonly reason?: string };
    }[];
    readonly unread: readonly { readonly path: string; readonly side: string; readonly problem: string }[];
  } | null;
  readonly findings?: readonly {
    readonly rule?: string;
    readonly path: string;
    readonly startLine: number | null;
  }[];
};

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

test("a call site in the change is a finding on its line", async (t) => {
  const registry = await startNpmRegistry(t, PADS);
  const repository = bumpedShop(t);
  repository.write(
    "src/new.js",
    'import { right } from "pads";\n\nexport const total = (sum) => right(sum);\n',
  );
  repository.commit("a new use");
  const { stdout } = await runPatiently(["review", "--base", "main", "--format", "json"], {
    cwd: repository.path,
    env: registry.env,
  });
  // The contract in schema/review-output.schema.json.
  const { dependencies, findings } = JSON.parse(stdout) as Output;
  assert.equal(dependencies?.extent, "mixed");
  const places = findings?.flatMap(({ rule, path, startLine }) =>
    rule === "dependency-call-site" ? [`${path}:${startLine}`] : [],
  );
  assert.deepEqual(places?.toSorted(), ["package.json:5", "src/new.js:3"]);
});

test("offline, nothing is asked, and nothing unknown reads as none", async (t) => {
  const registry = await startNpmRegistry(t, PADS);
  const repository = bumpedShop(t);
  const { stdout } = await runPatiently(["deps", "--base", "main", "--offline"], {
    cwd: repository.path,
    env: registry.env,
  });
  assert.deepEqual(registry.asked(), []);
  const flat = stdout.replaceAll(/\s+/g, " ");
  assert.ok(flat.includes("advisories unavailable (offline) for 1 package"), stdout);
  assert.ok(flat.includes("used at 2 call sites in 1 file"), stdout);
  assert.doesNotMatch(flat, /Merge confidence: high/);
  assert.doesNotMatch(flat, /affected ones weren't found|\bsafe\b/);
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
});

const chainOf = (length: number): string => {
  const packages = Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `node_modules/link-${at}`,
      { version: "1.0.0", dependencies: { [`link-${at + 1}`]: "^1.0.0" } },
    ]),
  );
  const root = { name: "chain", dependencies: { "link-0": "^1.0.0" } };
  return JSON.stringify({ name: "chain", lockfileVersion: 3, packages: { "": root, ...packages } });
};

/** The heap of the process that reads files has room for less than half of these lists. */
const LISTS = 15_000_000;

const HOSTILE: readonly (readonly [
  name: string,
  path: string,
  write: () => string,
  unread: readonly string[],
])[] = [
  ["a very long key", "api/pyproject.toml", () => `${"a.".repeat(50_000)}b=1\n`, []],
  ["a chain of all packages", "web/package-lock.json", () => chainOf(15_000), []],
  [
    "more than fits into memory",
    "composer.json",
    () => `{"a":${"[".repeat(LISTS)}${"]".repeat(LISTS)}}`,
    ["composer.json head memory"],
  ],
];

for (const [name, path, write, unread] of HOSTILE) {
  test(`a file with ${name} hides no other`, async (t) => {
    const repository = bumpedShop(t);
    repository.git("checkout", "--quiet", "main");
    repository.git("checkout", "--quiet", "-b", "tampered");
    repository.write("package-lock.json", lockOf({ pads: "1.4.0" }).replace(/sha512-[^"]+/, "sha512-AAAA"));
    repository.write(path, write());
    repository.commit("update the lockfile");
    const review = await runKodiai(
      ["review", "--base", "main", "--format", "json", "--fail-on", "critical"],
      { cwd: repository.path },
    );
    // The contract in schema/review-output.schema.json.
    const { findings, dependencies } = JSON.parse(review.stdout) as Output;
    assert.equal(review.code, 1);
    const tampering = findings?.filter(({ rule }) => rule === "dependency-tampering");
    assert.deepEqual(
      tampering?.map((finding) => finding.path),
      ["package-lock.json"],
    );
    const listed = dependencies?.unread.map((each) => `${each.path} ${each.side} ${each.problem}`);
    assert.deepEqual(listed, unread);

    const page = await runKodiai(["deps", "--base", "main"], { cwd: repository.path });
    assert.equal(page.code, unread.length === 0 ? 0 : 3, page.stdout);
    assert.ok(page.stdout.includes("the same version has other bytes"), page.stdout);
    assert.equal(page.stdout.includes(`${path} at the head wasn't compared`), unread.length > 0);
  });
}

test("a change that only breaks a lockfile isn't one without dependencies", async (t) => {
  const repository = bumpedShop(t);
  repository.git("checkout", "--quiet", "main");
  repository.write("package-lock.json", "{");
  const { stdout, code } = await runKodiai(["deps", "--base", "HEAD"], { cwd: repository.path });
  assert.match(stdout, /package-lock\.json at the head wasn't compared: it isn't well-formed/);
  assert.match(stdout, /Merge confidence: medium: a file couldn't be read/);
  assert.equal(code, 3);
});

/** The registry that npm uses here; null when it doesn't answer. */
async function realRegistry(): Promise<string | null> {
  const found = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
  const registry = URL.canParse(found.stdout.trim()) ? found.stdout.trim().replace(/\/$/, "") : null;
  if (registry === null) return null;
  const answer = await fetch(`${registry}/uuid/9.0.1`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => null,
  );
  return answer?.ok === true ? registry : null;
}

test("a real major from the registry that npm is configured with", async (t) => {
  const registry = await realRegistry();
  if (registry === null) {
    t.skip("npm's registry doesn't answer here");
    return;
  }
  const repository = testRepository();
  const cache = mkdtempSync(join(tmpdir(), "kodiai-cache-"));
  t.after(() => rmSync(cache, { recursive: true, force: true }));
  t.after(() => repository.remove());
  const write = (versions: Readonly<Record<string, string>>): void => {
    repository.write(
      "package.json",
      manifestOf(
        Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, `^${version}`])),
      ),
    );
    repository.write("package-lock.json", lockOf(versions));
  };
  write({ uuid: "3.4.0", "p-limit": "3.1.0", nanoid: "2.1.11" });
  repository.write(
    "src/ids.js",
    'import pLimit from "p-limit";\nimport v4 from "uuid/v4";\n\nexport const limit = pLimit(2);\nexport const id = () => v4();\n',
  );
  repository.commit("ids");
  repository.git("checkout", "--quiet", "-b", "bump");
  write({ uuid: "9.0.1", "p-limit": "5.0.0", nanoid: "3.3.7" });
  repository.commit("bump all");
  const { origin } = new URL(registry);
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const env = {
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
    KODIAI_OFFLINE: "off",
    KODIAI_HOSTS: origin,
    KODIAI_PRIVATE_HOSTS: origin,
    KODIAI_NPM_REGISTRY: registry,
    XDG_CACHE_HOME: cache,
  };
  const { stdout } = await runPatiently(["deps", "--base", "main"], { cwd: repository.path, env });
  const flat = stdout.replaceAll(/\s+/g, " ");
  if (
    /unavailable \((?:no connection|rate limit)/.test(flat.replace(/advisories unavailable[^.]*?package/, ""))
  ) {
    t.skip("npm's registry doesn't answer every request here");
    return;
  }
  for (const expected of [
    "uuid/v4 at src/ids.js:2",
    "removes or renames 1 export: default",
    // A change of types only.
    "removes or renames 1 type only: Limit",
    "p-limit can't be loaded with require anymore",
    "not found by this search: no file imports it",
  ])
    assert.ok(flat.includes(expected), `${expected}\n\n${stdout}`);
});

test("a change without dependencies says so", async (t) => {
  const repository = bumpedShop(t);
  repository.git("checkout", "--quiet", "main");
  repository.write("src/shop.js", `${SHOP}\nexport const more = 1;\n`);
  const { stdout } = await runPatiently(["deps", "--base", "HEAD"], { cwd: repository.path });
  assert.equal(stdout, "This change touches no dependency.\n");
});
