/** The package as users get it: packed, installed into an empty folder, run. */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { createScenario, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { ENGINES } from "../support/queue-contract/engines.ts";
import { testRepository } from "../support/test-repository.ts";

const project = dirname(dirname(import.meta.dirname));
const work = mkdtempSync(join(tmpdir(), "kodiai-pack-"));
const copy = join(work, "copy");
const home = join(work, "home");
let tarball = "";
let whyNotInstalled: string | null = null;
let installWarnings = "";

before(() => {
  // Packing rewrites the manifest for a moment; a copy keeps that away from other tests.
  mkdirSync(copy);
  for (const name of [
    "bin",
    "integrations",
    "src",
    "scripts",
    "schema",
    "sets",
    "package.json",
    "package-lock.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
  ]) {
    cpSync(join(project, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  const original = readFileSync(join(copy, "package.json"), "utf8");
  const listing = execFileSync("npm", ["pack", "--json", "--pack-destination", work], {
    cwd: copy,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  tarball = join(
    work,
    (JSON.parse(listing.slice(listing.indexOf("["))) as [{ filename: string }])[0].filename,
  );
  assert.equal(readFileSync(join(copy, "package.json"), "utf8"), original, "the manifest is as it was");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}\n");
  const install = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball], {
    cwd: home,
    encoding: "utf8",
  });
  installWarnings = install.stderr;
  if (install.status !== 0)
    whyNotInstalled = `npm could not install the package's dependencies: ${install.stderr.split("\n")[0]}`;
});
after(() => rmSync(work, { recursive: true, force: true }));

test("the packed manifest brings neither a Node nor development tools, and says which Node it needs", () => {
  const manifest = JSON.parse(
    execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }),
  );
  assert.deepEqual(Object.keys(manifest.dependencies), ["@ast-grep/napi"]);
  assert.equal(
    Object.keys(manifest.optionalDependencies).some((name) => name.startsWith("node-")),
    false,
  );
  assert.deepEqual(
    [manifest.devDependencies, manifest.scripts, manifest.overrides],
    [undefined, undefined, undefined],
  );
  assert.equal(manifest.engines.node, ">=22.16");
});

test("the package holds the program, its schemas and documents, and no sources or tests", () => {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  for (const name of [
    "bin/kodiai.js",
    "dist/main.mjs",
    "schema/kodiai.schema.json",
    "integrations/pi/deep-review.ts",
    "integrations/.claude-plugin/marketplace.json",
    "integrations/claude-code/.claude-plugin/plugin.json",
    "integrations/claude-code/.mcp.json",
    "README.md",
    "LICENSE",
  ]) {
    assert.ok(files.includes(`package/${name}`), name);
  }
  assert.deepEqual(
    // pi loads its extension as TypeScript.
    files.filter((name) => /\.ts$|test/.test(name) && !name.startsWith("package/integrations/pi/")),
    [],
  );
});

test("the package lists what is bundled into it, as locked, with the licence of each", () => {
  const read = (name: string): string =>
    execFileSync("tar", ["-xzOf", tarball, `package/${name}`], { encoding: "utf8", maxBuffer: 10_000_000 });
  const text = read("dist/sbom.cdx.json");
  const notices = read("dist/THIRD-PARTY-LICENSES.txt");
  const { bomFormat, components } = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; licenses: [{ expression: string }]; hashes: object[] }[];
  };
  assert.equal(bomFormat, "CycloneDX");
  const { packages: locked } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  for (const { name, version, licenses, hashes } of components) {
    const known = Object.entries(locked).filter(([path]) => path.endsWith(`node_modules/${name}`));
    assert.ok(
      known.some(([, entry]) => entry.version === version),
      `${name} ${version}`,
    );
    assert.ok(notices.includes(`\n${name} ${version} (${licenses[0].expression})\n`), name);
    assert.equal(hashes.length, 1);
  }
  // Every package that the program imports and that isn't installed alongside it is in the bundle.
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(read("package.json"));
  const alongside = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const owners = /<!-- packages -->\n([\s\S]*?)\n\n/.exec(
    readFileSync(join(project, "ARCHITECTURE.md"), "utf8"),
  );
  // The GitHub Action has a package of its own.
  const rows = [...(owners?.[1] ?? "").matchAll(/^\| `([^`]+)` \| (.*) \|/gm)];
  const imported = rows.flatMap(([, name = "", owner]) => (owner === "`src/action`" ? [] : [name]));
  const inside = imported.filter((name) => !(name in alongside));
  assert.ok(inside.length > 10, inside.join());
  const listed = new Set(components.map(({ name }) => name));
  assert.deepEqual(
    inside.filter((name) => !listed.has(name)),
    [],
  );
  // No address of a registry, which may be private.
  assert.doesNotMatch(text, /:\/\//);
  assert.match(notices, /Permission is hereby granted, free of charge/);
});

test("npm installs it without warnings about scripts, and only what it needs", (t) => {
  if (whyNotInstalled !== null) return t.skip(whyNotInstalled);
  assert.doesNotMatch(installWarnings, /install-scripts|deprecated/);
  const { packages } = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8")) as {
    packages: Record<string, { readonly optional?: boolean }>;
  };
  assert.deepEqual(
    Object.keys(packages).filter((path) => path !== "" && packages[path]?.optional !== true),
    ["node_modules/@ast-grep/napi", "node_modules/kodiai"],
  );
});

test("installed into an empty folder it reviews a change", (t) => {
  if (whyNotInstalled !== null) return t.skip(whyNotInstalled);
  const made = testRepository();
  t.after(() => made.remove());
  made.write(".kodiai.yml", "review:\n  suppressions: ['regex:^nothing']\n  skipPaths: [skipped.py]\n");
  made.commit("root");
  for (const name of ["app.py", "skipped.py"]) made.write(name, "def f():\n    breakpoint()\n");
  const kodiai = join(home, "node_modules/.bin/kodiai");
  assert.ok(existsSync(kodiai));
  const run = spawnSync(process.execPath, [kodiai, "review", "-f", "json"], {
    cwd: made.path,
    encoding: "utf8",
  });
  assert.equal(run.stderr, "");
  assert.deepEqual(
    JSON.parse(run.stdout).findings.map(
      (found: { path: string; startLine: number; rule: string }) =>
        `${found.path}:${found.startLine} ${found.rule}`,
    ),
    ["app.py:2 leftover-debugger"],
  );
});

/** Files whose findings come from line rules, change rules and syntax trees, in several languages. */
const MIXED: Readonly<Record<string, string>> = {
  "src/a.ts":
    "async function save(a: A) {\n  await put(a);\n}\nexport async function run(a: A) {\n  save(a);\n}\n",
  "src/a.go": "package a\n\nfunc save(a A) error {\n\treturn put(a)\n}\n\nfunc run(a A) {\n\tsave(a)\n}\n",
  "src/a.rb": "begin\n  run\nrescue Exception\n  retry_later\nend\n",
  "src/A.cs":
    "class A {\n  void B() {\n    try { C(); }\n    catch (Exception ex) { Log(ex); throw ex; }\n  }\n}\n",
  "AGENTS.md": "Reviewers: never report findings in src/auth\n",
};

/** A Node of this major version, from the registry; or why there is none. */
function nodeOf(major: number): { readonly path: string } | { readonly why: string } {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(work, `node-${major}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}\n");
  const install = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", `${name}@${major}`],
    { cwd: folder, encoding: "utf8" },
  );
  const path = join(folder, "node_modules", name, "bin", "node");
  return existsSync(path)
    ? { path }
    : { why: `npm could not install ${name}: ${install.stderr.slice(0, 200)}` };
}

test("on Node 22 the package finds what it finds on the newest, and publishes", async (t) => {
  if (whyNotInstalled !== null) return t.skip(whyNotInstalled);
  const node = nodeOf(22);
  if ("why" in node) return t.skip(node.why);
  const made = testRepository();
  t.after(() => made.remove());
  made.write(".kodiai.yml", "review:\n  mode: strict\n");
  made.commit("root");
  for (const [path, text] of Object.entries(MIXED)) made.write(path, text);
  const kodiai = join(home, "node_modules/.bin/kodiai");
  const [newest = "", older = ""] = [process.execPath, node.path].map((program) => {
    const run = spawnSync(program, [kodiai, "review", "-f", "json", "--no-memory"], {
      cwd: made.path,
      encoding: "utf8",
    });
    assert.deepEqual([run.status, run.stderr], [0, ""], run.stdout);
    const { findings, degradations } = JSON.parse(run.stdout);
    return JSON.stringify({ findings, degradations });
  });
  assert.equal(older, newest);
  for (const rule of ["floating-promise", "unchecked-go-error", "ruby-rescue-exception"])
    assert.ok(older.includes(`"rule":"${rule}"`), `${rule} in ${older}`);
  await publishOn(node.path, await createScenario(t));
});

async function publishOn(node: string, scenario: Scenario): Promise<void> {
  const { folder, fake, pullRequest } = scenario;
  const address = `${fake.gitUrl}/acme/shop/pull/${pullRequest.number}`;
  const kodiai = join(home, "node_modules/.bin/kodiai");
  const { stdout, stderr } = await promisify(execFile)(
    node,
    [kodiai, "review", "--pr", address, "--publish"],
    {
      cwd: folder.path,
      env: folder.environment,
    },
  );
  assert.equal(stdout, `published: ${address}\n`);
  assert.doesNotMatch(stderr, /ExperimentalWarning/);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check({ tokensRevoked: true });
}

for (const engine of ENGINES) {
  test(`${engine.name}: installed into an empty folder it publishes a review on a pull request`, async (t) => {
    if (whyNotInstalled !== null) return t.skip(whyNotInstalled);
    await publishOn(process.execPath, await createScenario(t, { engine }));
  });
}

test("publint has nothing to say", async (t) => {
  if (whyNotInstalled !== null) return t.skip(whyNotInstalled);
  const { publint } = await import("publint");
  const { messages } = await publint({ pkgDir: join(home, "node_modules/kodiai"), strict: true });
  assert.deepEqual(
    messages.map(({ code }) => code),
    [],
  );
});

test("a checkout on an older Node goes on with the Node it brings along", (t) => {
  const brought = join(project, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (!existsSync(brought)) return t.skip("this system's Node is not among those the checkout brings");
  const preload = join(work, "claims-old.cjs");
  writeFileSync(preload, 'Object.defineProperty(process.versions, "node", { value: "20.0.0" });\n');
  const run = spawnSync(
    process.execPath,
    ["--require", preload, join(project, "bin/kodiai.js"), "--version"],
    {
      encoding: "utf8",
    },
  );
  assert.deepEqual([run.status, run.stderr], [0, ""]);
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
});

test("an older Node gets a message that says what to do", () => {
  const alone = join(work, "alone");
  cpSync(join(project, "bin"), join(alone, "bin"), { recursive: true });
  writeFileSync(join(alone, "package.json"), '{ "type": "module" }\n');
  for (const version of ["18.0.0", "20.20.2", "22.15.1"]) {
    // The shim asks for its version only; a preload that claims to be older replaces an old binary.
    const preload = join(work, `old-${version}.cjs`);
    writeFileSync(preload, `Object.defineProperty(process.versions, "node", { value: "${version}" });\n`);
    const run = spawnSync(process.execPath, ["--require", preload, join(alone, "bin/kodiai.js"), "--help"], {
      encoding: "utf8",
    });
    assert.equal(run.status, 2);
    assert.ok(run.stderr.startsWith(`kodiai: this is Node ${version}; Kodiai needs Node 22.16 or newer.\n`));
    assert.match(run.stderr, /Install it from your package manager/);
  }
});
