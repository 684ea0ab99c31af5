import assert from "node:assert/strict";
import { test } from "node:test";
import { NPM_HOST } from "../base/npm-hosts.ts";
import { compareFiles } from "../../test/support/compare-files.ts";
import type { FilePair } from "./read-pair.ts";

type Files = Readonly<Record<string, readonly [base: string, head: string]>>;

/** The changes and disagreements of some files, one text for each. */
function compare(files: Files): readonly string[] {
  const pairs = Object.entries(files).map(([path, [base, head]]): FilePair => ({
    path,
    base: { text: base },
    head: { text: head },
  }));
  const { packages, disagreements, unread } = compareFiles(pairs);
  assert.deepEqual(unread, []);
  return [
    ...packages.map(
      ({ kind, name, from, to }) => `${kind} ${name} ${from?.version ?? ""} ${to?.version ?? ""}`,
    ),
    ...disagreements.map(({ manifest, name, locked }) => `${manifest} ${name} isn't ${locked ?? "locked"}`),
  ];
}

const mod = (version: string, go = "1.21"): string =>
  `module example.com/demo\n\ngo ${go}\n\nrequire example.com/a ${version}\n`;
const sum = (...lines: readonly string[]): string => lines.map((line) => `example.com/${line}\n`).join("");

const OLD = ["a v1.0.0 h1:a0=", "a v1.0.0/go.mod h1:m0=", "test v0.1.0 h1:t1="];
const NEW = ["a v1.1.0 h1:a1=", "a v1.1.0/go.mod h1:m1=", "test v0.2.0 h1:t2=", "seen v1.0.0/go.mod h1:s="];

const poetry = (hashes: readonly string[]): string =>
  `[[package]]\nname = "a"\nversion = "1.0"\nfiles = [\n${hashes
    .map((hash, at) => `    {file = "${at}.whl", hash = "sha256:${hash}"},\n`)
    .join("")}]\n\n[metadata]\nlock-version = "2.0"\n`;

const UV = `version = 1

[[package]]
name = "w"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "a" }]

[package.metadata]
requires-dist = [{ name = "a" }]

[[package]]
name = "a"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
`;

const CASES: readonly (readonly [string, Files, readonly string[]])[] = [
  [
    "go.mod selects, and go.sum only has checksums",
    { "go.mod": [mod("v1.0.0"), mod("v1.1.0")], "go.sum": [sum(...OLD), sum(...OLD, ...NEW)] },
    ["minor example.com/a v1.0.0 v1.1.0"],
  ],
  [
    "before Go 1.17, go.sum has the transitive modules",
    { "go.mod": [mod("v1.0.0", "1.16"), mod("v1.1.0", "1.16")], "go.sum": [sum(...OLD), sum(...NEW)] },
    ["minor example.com/a v1.0.0 v1.1.0", "minor example.com/test v0.1.0 v0.2.0"],
  ],
  [
    "another checksum of the same version",
    {
      "go.mod": [mod("v1.0.0"), mod("v1.0.0")],
      "go.sum": [sum(...OLD), sum("a v1.0.0 h1:evil=", ...OLD.slice(1))],
    },
    ["source example.com/a v1.0.0 v1.0.0"],
  ],
  [
    "another checksum of a go.mod alone",
    { "go.sum": [sum(...OLD), sum("a v1.0.0/go.mod h1:evil=")], "go.mod": [mod("v1.0.0"), mod("v1.0.0")] },
    ["source example.com/a v1.0.0 v1.0.0"],
  ],
  [
    "a version without a checksum",
    { "go.mod": [mod("v1.0.0"), mod("v1.1.0")], "go.sum": [sum(...OLD), sum(...OLD)] },
    ["minor example.com/a v1.0.0 v1.1.0", "go.mod example.com/a isn't locked"],
  ],
  ["more files of the same version", { "poetry.lock": [poetry(["1", "2"]), poetry(["1", "2", "3"])] }, []],
  [
    "another file in the place of one",
    { "poetry.lock": [poetry(["1", "2"]), poetry(["1", "3"])] },
    ["source a 1.0 1.0"],
  ],
  [
    "a requirements file that isn't Poetry's",
    {
      "poetry.lock": [poetry(["1"]), poetry(["1"])],
      "docs/requirements.txt": ["a==0.9\n", "a==0.9\nsphinx==7.0\n"],
    },
    ["added sphinx  7.0"],
  ],
  [
    "a project that isn't part of the workspace",
    {
      "uv.lock": [UV, UV],
      "other/pyproject.toml": ['[project]\nname = "o"\n', '[project]\nname = "o"\ndependencies = ["b>=2"]\n'],
    },
    ["added b  2"],
  ],
  [
    "a request that the lockfile doesn't have",
    {
      "uv.lock": [UV, UV],
      "pyproject.toml": [
        '[project]\nname = "w"\ndependencies = ["a"]\n',
        '[project]\nname = "w"\ndependencies = ["a", "b>=2"]\n',
      ],
    },
    ["added b  2", "pyproject.toml b isn't locked"],
  ],
  [
    "build tools that no lockfile has",
    {
      "poetry.lock": [poetry(["1"]), poetry(["1"])],
      "pyproject.toml": ["", '[build-system]\nrequires = ["hatchling>=1"]\n'],
    },
    ["added hatchling  1"],
  ],
];

test("checksums and lockfiles are compared for the manifests that they belong to", () => {
  for (const [name, files, expected] of CASES) assert.deepEqual(compare(files), expected, name);
});

test("an entry that didn't change is looked at when the old tree has another checksum for its version", () => {
  const resolved = `https://${NPM_HOST}/b/-/b-1.0.0.tgz`;
  const lock = (integrity: string): string =>
    JSON.stringify({
      lockfileVersion: 2,
      packages: { "": {}, "node_modules/a": { version: "1.0.0", resolved, integrity: "sha512-one" } },
      dependencies: { a: { version: "1.0.0", resolved, integrity } },
    });
  const { packages } = compareFiles([
    { path: "package-lock.json", base: { text: lock("sha512-one") }, head: { text: lock("sha512-two") } },
  ]);
  const kinds = packages.flatMap(({ signals }) => signals.map(({ kind }) => kind));
  assert.deepEqual(kinds, ["integrity-changed", "other-package"]);
});
