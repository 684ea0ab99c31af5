/** The lockfiles of one small project, as each package manager writes it, are in test/fixtures/bumps/npm. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { NPM } from "./npm.ts";
import type { DependencyFile, FileProblem, Listed, Origin } from "../ecosystem.ts";
import { someRuns } from "../../../test/support/extent.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/bumps/npm");
const COMMIT = "0123456789012345678901234567890123456789";

type Case = {
  readonly fixture: string;
  readonly path: string;
  /** Versions that differ from the fixture's only in their number. */
  readonly versions: readonly string[];
  readonly listed: readonly string[];
  readonly roots: string;
  readonly requested: string | null;
};

const CASES: readonly Case[] = [
  {
    fixture: "package-lock-1.json",
    path: "package-lock.json",
    versions: [],
    listed: [
      "node_modules/__proto__: __proto__ 1.0.0 runtime sha512-proto  https://npm.example.org/__proto__/-/__proto__-1.0.0.tgz ->",
      "node_modules/a: a 1.0.0 runtime sha512-a  https://npm.example.com/a/-/a-1.0.0.tgz -> node_modules/a/node_modules/c, node_modules/__proto__",
      "node_modules/a/node_modules/c: c 1.5.0 runtime sha512-c1  https://npm.example.org/c/-/c-1.5.0.tgz ->",
      "node_modules/b: b 2.0.0 dev sha512-b  https://npm.example.org/b/-/b-2.0.0.tgz -> node_modules/c",
      "node_modules/c: c 2.1.0 optional sha512-c2  https://npm.example.org/c/-/c-2.1.0.tgz ->",
      "node_modules/g: g COMMIT runtime   git git+ssh://github.com/u/g.git#COMMIT ->",
      "node_modules/l: l  runtime   local packages/l ->",
      "node_modules/old: a 0.9.0 runtime sha512-old  https://npm.example.org/a/-/a-0.9.0.tgz ->",
      "node_modules/u: u  runtime sha512-u  url https://example.com/u.tgz ->",
    ],
    roots: "node_modules/a, node_modules/b, node_modules/g, node_modules/l, node_modules/old, node_modules/u",
    requested: null,
  },
  {
    fixture: "package-lock-3.json",
    path: "package-lock.json",
    versions: ["2"],
    listed: [
      "node_modules/__proto__: __proto__ 1.0.0 runtime sha512-proto false https://npm.example.org/__proto__/-/__proto__-1.0.0.tgz ->",
      "node_modules/a: a 1.0.0 runtime sha512-a true https://npm.example.com/a/-/a-1.0.0.tgz -> node_modules/a/node_modules/c, node_modules/__proto__, node_modules/l",
      "node_modules/a/node_modules/c: c 1.5.0 runtime sha512-c1 false https://npm.example.org/c/-/c-1.5.0.tgz ->",
      "node_modules/b: b 2.0.0 dev sha512-b false https://npm.example.org/b/-/b-2.0.0.tgz -> node_modules/c",
      "node_modules/c: c 2.1.0 optional sha512-c2 false https://npm.example.org/c/-/c-2.1.0.tgz ->",
      "node_modules/g: g 3.0.0 runtime  false git git+ssh://github.com/u/g.git#COMMIT ->",
      "node_modules/l: l 0.1.0 runtime   local packages/l -> packages/l/node_modules/c, node_modules/b",
      "node_modules/old: a 0.9.0 peer sha512-old false https://npm.example.org/a/-/a-0.9.0.tgz ->",
      "node_modules/u: u 4.0.0 runtime sha512-u false url https://example.com/u.tgz ->",
      "packages/l/node_modules/c: c 1.5.0 runtime sha512-c1 false https://npm.example.org/c/-/c-1.5.0.tgz ->",
    ],
    roots:
      "node_modules/a, node_modules/old, node_modules/g, node_modules/u, node_modules/b, packages/l/node_modules/c",
    requested:
      ":a ^1.0.0, :a 0.9.0, :g github:u/g, :u https://example.com/u.tgz, :b ^2.0.0, packages/l:c ^1.0.0, packages/l:b ^2.0.0",
  },
  {
    fixture: "yarn-1.lock",
    path: "yarn.lock",
    versions: [],
    listed: [
      "__proto__@1.0.0: __proto__ 1.0.0 runtime sha512-proto  https://yarn.example.org/__proto__/-/__proto__-1.0.0.tgz#0123 ->",
      "a@1.0.0: a 1.0.0 runtime sha512-a  https://npm.example.com/a/-/a-1.0.0.tgz#4567 -> __proto__@1.0.0, c@1.5.0, forced@2.0.0",
      "b@2.0.0: b 2.0.0 runtime sha512-b  https://yarn.example.org/b/-/b-2.0.0.tgz#89ab -> c@2.1.0",
      "c@1.5.0: c 1.5.0 runtime sha512-c1  https://yarn.example.org/c/-/c-1.5.0.tgz#cdef ->",
      "c@2.1.0: c 2.1.0 runtime sha512-c2  https://yarn.example.org/c/-/c-2.1.0.tgz#0123 ->",
      "forced@2.0.0: forced 2.0.0 runtime sha512-forced  https://yarn.example.org/forced/-/forced-2.0.0.tgz#4567 ->",
      "g@3.0.0: g 3.0.0 runtime   git https://github.com/u/g#COMMIT ->",
      "l@0.1.0: l 0.1.0 runtime   local packages/l ->",
      "old@0.9.0: a 0.9.0 runtime sha512-old  https://yarn.example.org/a/-/a-0.9.0.tgz#89ab ->",
      "u@4.0.0: u 4.0.0 runtime   url https://example.com/u.tgz#cdef ->",
    ],
    roots: "a@1.0.0, b@2.0.0, g@3.0.0, l@0.1.0, old@0.9.0, u@4.0.0",
    requested: null,
  },
  {
    fixture: "yarn-berry.lock",
    path: "yarn.lock",
    versions: ["4", "5", "6", "7", "9", "10"],
    listed: [
      "__proto__@1.0.0: __proto__ 1.0.0 runtime zip10c0:proto  registry ->",
      "a@1.0.0: a 1.0.0 runtime zip10c0:a  https://npm.example.com/a/-/a-1.0.0.tgz -> __proto__@1.0.0, c@1.5.0, forced@2.0.0, forced@patch:2.0.0, l@0.0.0-use.local",
      "b@2.0.0: b 2.0.0 runtime zip10c0:b  registry -> c@2.1.0",
      "c@1.5.0: c 1.5.0 runtime zip10c0:c1  registry ->",
      "c@2.1.0: c 2.1.0 runtime zip10c0:c2  registry ->",
      "forced@2.0.0: forced 2.0.0 runtime zip10c0:forced  registry ->",
      "forced@patch:2.0.0: forced 2.0.0 runtime zip10c0:patched  registry ->",
      "g@3.0.0: g 3.0.0 runtime zip10c0:g  git https://github.com/u/g.git#COMMIT ->",
      "l@0.0.0-use.local: l 0.0.0-use.local runtime   local packages/l -> c@1.5.0",
      "old@0.9.0: a 0.9.0 runtime zip10c0:old  registry ->",
      "sample@0.0.0-use.local: sample 0.0.0-use.local runtime   local . -> a@1.0.0, b@2.0.0, g@3.0.0, l@0.0.0-use.local, old@0.9.0, u@4.0.0",
      "u@4.0.0: u 4.0.0 runtime zip10c0:u  url https://example.com/u.tgz ->",
    ],
    roots: "c@1.5.0, a@1.0.0, b@2.0.0, g@3.0.0, l@0.0.0-use.local, old@0.9.0, u@4.0.0",
    requested:
      "packages/l:c ^1.0.0, :a ^1.0.0, :b ^2.0.0, :g u/g, :l workspace:^, :a 0.9.0, :u https://example.com/u.tgz",
  },
  {
    fixture: "pnpm-5.yaml",
    path: "pnpm-lock.yaml",
    versions: ["5.0", "5.3"],
    listed: [
      "__proto__@1.0.0: __proto__ 1.0.0 runtime sha512-proto  registry ->",
      "a@0.9.0: a 0.9.0 runtime sha512-old  registry ->",
      "a@1.0.0: a 1.0.0 runtime sha512-a true https://npm.example.com/a/-/a-1.0.0.tgz -> __proto__@1.0.0, c@1.5.0, c@2.1.0",
      "b@2.0.0: b 2.0.0 dev sha512-b  registry -> c@2.1.0",
      "c@1.5.0: c 1.5.0 runtime sha512-c1  registry ->",
      "c@2.1.0: c 2.1.0 optional sha512-c2  registry ->",
      "u@4.0.0: u 4.0.0 runtime   url https://example.com/u.tgz ->",
      "g@3.0.0: g 3.0.0 runtime   git https://github.com/u/g#COMMIT ->",
    ],
    roots: "a@1.0.0, g@3.0.0, a@0.9.0, u@4.0.0, b@2.0.0, c@1.5.0",
    requested:
      ":a ^1.0.0, :b ^2.0.0, :g github:u/g, :l workspace:^, :a 0.9.0, :u https://example.com/u.tgz, packages/l:c ^1.0.0",
  },
  {
    fixture: "pnpm-6.yaml",
    path: "pnpm-lock.yaml",
    versions: ["6.1"],
    listed: [
      "__proto__@1.0.0: __proto__ 1.0.0 runtime sha512-proto  registry ->",
      "a@0.9.0: a 0.9.0 runtime sha512-old  registry ->",
      "a@1.0.0: a 1.0.0 runtime sha512-a true registry -> __proto__@1.0.0, b@2.0.0, c@1.5.0",
      "b@2.0.0: b 2.0.0 dev sha512-b  registry -> c@2.1.0",
      "c@1.5.0: c 1.5.0 runtime sha512-c1  registry ->",
      "c@2.1.0: c 2.1.0 optional sha512-c2  registry ->",
      "l@packages/l: l  runtime   local packages/l -> c@1.5.0",
      "g@3.0.0: g 3.0.0 runtime   git https://github.com/u/g.git#COMMIT ->",
    ],
    roots: "a@1.0.0, g@3.0.0, l@packages/l, a@0.9.0, b@2.0.0",
    requested: ":a ^1.0.0, :g github:u/g, :l file:packages/l, :a 0.9.0, :b ^2.0.0",
  },
  {
    fixture: "pnpm-9.yaml",
    path: "pnpm-lock.yaml",
    versions: [],
    listed: [
      "__proto__@1.0.0: __proto__ 1.0.0 runtime sha512-proto  registry ->",
      "a@0.9.0: a 0.9.0 runtime sha512-old  registry ->",
      "a@1.0.0: a 1.0.0 runtime sha512-a  registry -> __proto__@1.0.0, c@1.5.0, d@1.0.0",
      "b@2.0.0: b 2.0.0 dev sha512-b  registry -> c@2.1.0",
      "c@1.5.0: c 1.5.0 runtime sha512-c1  registry ->",
      "c@2.1.0: c 2.1.0 dev sha512-c2  registry ->",
      "d@1.0.0: d 1.0.0 optional sha512-d  registry ->",
      "g@3.0.0: g 3.0.0 runtime   git https://github.com/u/g#COMMIT ->",
    ],
    roots: "a@1.0.0, g@3.0.0, a@0.9.0, b@2.0.0, c@1.5.0",
    requested:
      ":a ^1.0.0, :g github:u/g, :l workspace:^, :a 0.9.0, :b catalog:, packages/l:c ^1.0.0, :b ^2.0.0, :c ^1.0.0",
  },
  {
    fixture: "bun.lock",
    path: "bun.lock",
    versions: ["0", "2"],
    listed: [
      "__proto__: __proto__ 1.0.0 runtime sha512-proto  registry ->",
      "a: a 1.0.0 runtime sha512-a  https://npm.example.com/ -> a/@s/c, __proto__",
      "@s/c: @s/c 2.1.0 runtime sha512-c2  registry ->",
      "b: b 2.0.0 runtime sha512-b  registry -> @s/c",
      "c: c 1.4.0 runtime sha512-c  registry ->",
      "g: g 0123456 runtime   git https://github.com/u/g#0123456 ->",
      "l: l  runtime   local packages/l -> l/c",
      "old: a 0.9.0 runtime sha512-old  registry ->",
      "u: u  runtime sha512-u  url https://example.com/u.tgz ->",
      "a/@s/c: @s/c 1.5.0 runtime sha512-c1  registry -> b, c",
      "l/c: c 1.5.0 runtime sha512-c1  registry ->",
    ],
    roots: "a, g, l, old, u, b, l/c",
    requested:
      ":a ^1.0.0, :g github:u/g, :l workspace:*, :a 0.9.0, :u https://example.com/u.tgz, :b catalog:, packages/l:c ^1.0.0, :x 1.0.0, :b ^2.0.0",
  },
];

const textOf = ({ fixture }: Case): string => readFileSync(join(FIXTURES, fixture), "utf8");

function read(path: string, text: string): DependencyFile | FileProblem {
  const format = NPM.formats.find((each) => each.path.test(path));
  assert.ok(format?.kind === "lockfile", path);
  return format.read(text, path);
}

function readGood(path: string, text: string): DependencyFile {
  const file = read(path, text);
  if (typeof file === "string") assert.fail(`${path}: ${file}`);
  return file;
}

const keysOf = (entries: readonly Listed[]): string => entries.map(({ key }) => key).join(", ");

function summarize({ listed, needsOf }: DependencyFile): readonly string[] {
  return listed.map((entry) => {
    const { key, name, version, group, integrity, hasInstallScript, origin } = entry;
    const facts = [name, version, group, integrity, hasInstallScript, sourceOf(origin)].join(" ");
    return `${key}: ${facts} -> ${keysOf(needsOf?.(entry) ?? [])}`.replaceAll(COMMIT, "COMMIT").trimEnd();
  });
}

function sourceOf(origin: Origin): string {
  if (origin.kind === "git") return `git ${origin.url}#${origin.ref}`;
  if (origin.kind === "local") return `local ${origin.path}`;
  return origin.kind === "url" ? `url ${origin.url}` : (origin.url ?? "registry");
}

test("packages, where they come from and what they need", () => {
  for (const each of CASES) {
    const file = readGood(each.path, textOf(each));
    assert.deepEqual(summarize(file), each.listed, each.fixture);
    assert.equal(keysOf(file.needsOf?.(null) ?? []), each.roots, each.fixture);
    const requested = file.requested?.map(
      ({ name, requirement, folder }) => `${folder}:${name} ${requirement}`,
    );
    assert.equal(requested?.join(", ") ?? null, each.requested, each.fixture);
  }
});

const VERSION =
  /((?:"lockfileVersion"|lockfileVersion|__metadata:\n {2}version): |# yarn lockfile v)('?)[\d.]+/;

test("versions of one shape are read alike, and unknown ones aren't", () => {
  for (const each of CASES) {
    const file = readGood(each.path, textOf(each));
    for (const version of each.versions) {
      const other = readGood(each.path, textOf(each).replace(VERSION, `$1$2${version}`));
      assert.deepEqual(other.listed, file.listed, `${each.fixture} ${version}`);
    }
    for (const version of ["0.1", "99"]) {
      const text = textOf(each).replace(VERSION, `$1$2${version}`);
      assert.equal(read(each.path, text), "unknown-format-version", `${each.fixture} ${version}`);
    }
  }
  assert.equal(read("bun.lockb", "#!/usr/bin/env bun\nbun-lockfile-format-v0\n"), "unknown-format-version");
});

test("pnpm's version 7 has the shape of 9", () => {
  const text = readFileSync(join(FIXTURES, "pnpm-9.yaml"), "utf8");
  const [seven, nine] = ["7.0", "9.0"].map((version) =>
    readGood("pnpm-lock.yaml", text.replace(VERSION, `$1$2${version}`)),
  );
  assert.ok(seven !== undefined && seven.listed.length > 0);
  assert.deepEqual(seven.listed, nine?.listed);
});

test("npm-shrinkwrap.json and a lockfile without a version are read", () => {
  assert.equal(
    readGood("a/npm-shrinkwrap.json", '{ "dependencies": { "a": { "version": "1.0.0" } } }').listed.length,
    1,
  );
});

test("a very long key of Yarn is read", () => {
  const descriptors = Array.from({ length: 100 }, (_, at) => `a@npm:^1.0.${at}`);
  const text = `__metadata:\n  version: 8\n\n? "${descriptors.join(", ")}"\n:\n  version: 1.2.0\n  resolution: "a@npm:1.2.0"\n`;
  assert.deepEqual(
    readGood("yarn.lock", text).listed.map(({ name, version }) => `${name} ${version}`),
    ["a 1.2.0"],
  );
});

const MALFORMED: readonly (readonly [string, string])[] = [
  ["package-lock.json", ""],
  ["package-lock.json", "[]"],
  ["package-lock.json", '{ "lockfileVersion": 3 }'],
  ["package-lock.json", '{ "lockfileVersion": 3, "packages": { "node_modules/a": 1 } }'],
  ["package-lock.json", '{ "lockfileVersion": 1, "dependencies": { "a": "1.0.0" } }'],
  [
    "package-lock.json",
    `{ "dependencies": ${'{ "a": { "dependencies": '.repeat(5_000)}{}${"} }".repeat(5_000)} }`,
  ],
  [
    "package-lock.json",
    `{ "lockfileVersion": 3, "packages": { "${"node_modules/a/".repeat(1_000)}b": {} } }`,
  ],
  [
    "bun.lock",
    `{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": { "${"a/".repeat(5_000)}b": ["b@1"] } }`,
  ],
  ["yarn.lock", "hello\n"],
  ["yarn.lock", 'a@1:\n  resolved "x"\n'],
  ["yarn.lock", 'a@1:\n  version "1.0.0\n'],
  ["yarn.lock", '  version "1.0.0"\n'],
  ["yarn.lock", 'a@1:\n  version "1.0.0"\n  version "2.0.0"\n'],
  ["yarn.lock", 'a@1:\n  version "1.0.0"\n    b "1"\n'],
  ["yarn.lock", "__metadata:\n  version: 8\n\na@npm:1:\n  version: 1.0.0\n"],
  ["yarn.lock", "__metadata:\n  cacheKey: 8\n"],
  ["pnpm-lock.yaml", ""],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  - a\n"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {cpu: [x64]}\n"],
  ["pnpm-lock.yaml", "lockfileVersion: &x '9.0'\n"],
  ["bun.lock", "{}"],
  ["bun.lock", '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": { "a": {} } }'],
  ["bun.lock", '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": { "a": ["a"] } }'],
];

test("malformed lockfiles have a problem", () => {
  for (const [path, text] of MALFORMED)
    assert.equal(read(path, text), "malformed", `${path}: ${text.slice(0, 80)}`);
});

test("conflict markers are found before anything else", () => {
  for (const each of CASES) {
    const lines = textOf(each).split("\n");
    lines.splice(5, 0, "<<<<<<< HEAD", "=======", ">>>>>>> topic");
    assert.equal(read(each.path, lines.join("\n")), "conflict-markers", each.fixture);
  }
});

/** A file that ends between two entries has no sign of it, unless it is JSON. */
test("a file cut anywhere doesn't throw, and no cut entry is taken for a whole one", () => {
  for (const each of CASES) {
    const text = textOf(each);
    const whole = new Set(summarizeAlone(readGood(each.path, text)));
    for (let length = 0; length < text.trimEnd().length; length += 7) {
      const cut = text.slice(0, length);
      const file = read(each.path, cut);
      if (/json|bun/.test(each.path)) assert.equal(file, "malformed", `${each.fixture} at ${length}`);
      const isBetweenLines = cut.endsWith("\n");
      if (typeof file === "string" || !isBetweenLines) continue;
      for (const entry of summarizeAlone(file))
        assert.ok(whole.has(entry), `${each.fixture} at ${length}: ${entry}`);
      file.needsOf?.(null);
    }
  }
});

/** Names and versions, without the fields that follow in later lines. */
const summarizeAlone = ({ listed }: DependencyFile): readonly string[] =>
  listed.map(({ name, version }) => `${name} ${version}`);

test("damaged files don't throw", () => {
  const damage = fc.record({
    each: fc.constantFrom(...CASES),
    at: fc.nat(6_000),
    length: fc.nat(40),
    text: fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("\n", "  ", ": ", '"', "{", "}", "[]", "null", "- ", "__proto__"),
    ),
  });
  fc.assert(
    fc.property(damage, ({ each, at, length, text }) => {
      const whole = textOf(each);
      const start = at % whole.length;
      const file = read(each.path, whole.slice(0, start) + text + whole.slice(start + length));
      if (typeof file === "string") return;
      for (const entry of [null, ...file.listed]) file.needsOf?.(entry);
    }),
    { numRuns: someRuns(1_000) },
  );
});
