import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { COMPOSER } from "./composer.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const LOCK = JSON.stringify({
  "content-hash": "x",
  packages: [
    {
      name: "Monolog/Monolog",
      version: "v3.5.0",
      source: { type: "git", url: "https://github.com/Seldaek/monolog.git", reference: COMMIT },
      dist: {
        type: "zip",
        url: `https://user:secret@api.github.com/repos/Seldaek/monolog/zipball/${COMMIT}`,
        reference: COMMIT,
        shasum: "",
      },
      require: { php: ">=8.1", "psr/log": "^3.0", "psr/log-implementation": "3.0" },
      type: "library",
    },
    {
      name: "psr/log",
      version: "3.0.0",
      dist: { type: "zip", url: "https://repo.example.org/psr-log-3.0.0.zip", shasum: "abc" },
      type: "library",
    },
    {
      name: "acme/branch",
      version: "dev-main",
      source: { type: "git", url: "https://token@git.example.org/branch.git", reference: "aaa" },
      type: "library",
    },
    { name: "acme/local", version: "1.0.0", dist: { type: "path", url: "../local" }, type: "library" },
  ],
  "packages-dev": [
    {
      name: "acme/plugin",
      version: "2.0",
      type: "composer-plugin",
      provide: { "psr/log-implementation": "3.0" },
    },
  ],
  platform: { php: ">=8.1" },
});

const CASES = [
  [
    "composer.json",
    `{
  "require": {
    "php": ">=8.1", "ext-json": "*",
    "Symfony/Console": "^6.4 || ^7.0",
    "a/pinned": "1.2.3"
  },
  "require-dev": { "a/branch": "dev-main", "__proto__/constructor": "v2.0.0" },
  "extra": { "require": { "a/other": "1.0" } }
}`,
    [
      "symfony/console - (^6.4 || ^7.0) :4",
      "a/pinned 1.2.3 :5",
      "a/branch dev-main dev :7",
      "__proto__/constructor 2.0.0 (v2.0.0) dev :7",
    ],
  ],
  ["composer.json", '{"require": {"__proto__": "1", "a/b": 2}}', []],
  [
    "composer.lock",
    LOCK,
    [
      `monolog/monolog 3.5.0 https://api.github.com #reference:${COMMIT}`,
      "psr/log 3.0.0 https://repo.example.org/psr-log-3.0.0.zip #sha1:abc",
      "acme/branch dev-main git https://git.example.org/branch.git aaa #reference:aaa",
      "acme/local 1.0.0 local ../local",
      "acme/plugin 2.0 dev",
    ],
  ],
  ["composer.lock", '{"packages": [], "packages-dev": null}', []],
  ["composer.lock", '{"packages": [{"package": "a/b", "version": "1.0"}]}', "unknown-format-version"],
  ["composer.lock", "{}", "malformed"],
  ["composer.lock", '{"packages": [', "malformed"],
  ["composer.lock", '{\n<<<<<<< HEAD\n"a": 1\n=======\n>>>>>>> b\n}', "conflict-markers"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(COMPOSER.formats, path, text)), expected);
  });
}

test("needs are found by name, and by what packages provide", () => {
  const file = readWith(COMPOSER.formats, "composer.lock", LOCK);
  assert.ok(typeof file !== "string");
  const [monolog, log] = file.listed;
  assert.deepEqual(
    file.needsOf?.(monolog ?? null).map(({ name }) => name),
    ["psr/log", "acme/plugin"],
  );
  assert.deepEqual(file.needsOf?.(log ?? null), []);
  assert.deepEqual(
    file.listed.map(({ hasInstallScript }) => hasInstallScript),
    [false, false, false, false, true],
  );
});
