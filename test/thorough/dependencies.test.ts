/** Dependency changes in every variation: offline, damaged files, and a real registry. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startNpmRegistry } from "../support/npm-registry.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";
import {
  PADS,
  runPatiently,
  manifestOf,
  lockOf,
  SHOP,
  bumpedShop,
  type Output,
} from "../support/dependency-fixtures.ts";

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
    assert.equal(page.code, 1, page.stdout);
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
