import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../test/support/analysis-fixtures.ts";
import { companionsOf } from "./companions.ts";
import { compareFiles } from "../../test/support/compare-files.ts";
import type { FilePair } from "./read-pair.ts";
import { couldListDependencies } from "./dependency-paths.ts";
import { extentOf } from "./extent.ts";

const manifest = (dependencies: Readonly<Record<string, string>>): string => JSON.stringify({ dependencies });

const forced = (
  dependencies: Readonly<Record<string, string>>,
  resolutions: Readonly<Record<string, string>>,
): string => JSON.stringify({ dependencies, resolutions });

/** By path in node_modules: "a", "a/node_modules/b". */
function lock(
  requests: Readonly<Record<string, string>>,
  versions: Readonly<Record<string, string>>,
): string {
  const installed = Object.entries(versions).map(([path, version]) => [`node_modules/${path}`, { version }]);
  return JSON.stringify({
    lockfileVersion: 3,
    packages: { "": { dependencies: requests }, ...Object.fromEntries(installed) },
  });
}

const pair = (path: string, base: string | null, head: string | null): FilePair => ({
  path,
  base: base === null ? null : { text: base },
  head: head === null ? null : { text: head },
});

const RELATIONS: Readonly<Record<string, string>> = { true: " direct", false: " through others" };

const shown = (pairs: readonly FilePair[]): readonly string[] =>
  compareFiles(pairs).packages.map(
    ({ name, from, to, kind, isDirect }) =>
      `${name} ${from?.version ?? "–"} ${to?.version ?? "–"} ${kind}${RELATIONS[String(isDirect)] ?? ""}`,
  );

/** Each as "name version", in a go.sum. */
const sums = (...modules: readonly string[]): string =>
  modules.map((each) => `example.org/${each} h1:AAAA=\nexample.org/${each}/go.mod h1:BBBB=\n`).join("");

const CASES: readonly (readonly [string, readonly FilePair[], readonly string[]])[] = [
  [
    "a bump of manifest and lockfile is one change",
    [
      pair("package.json", manifest({ a: "^1.0.0" }), manifest({ a: "^2.0.0" })),
      pair("package-lock.json", lock({ a: "^1.0.0" }, { a: "1.2.0" }), lock({ a: "^2.0.0" }, { a: "2.1.0" })),
    ],
    ["a 1.2.0 2.1.0 major direct"],
  ],
  [
    "versions of one package are paired by their places, then by their majors",
    [
      pair(
        "package-lock.json",
        lock(
          {},
          {
            m: "3.1.2",
            "a/node_modules/m": "10.2.0",
            "b/node_modules/m": "10.2.2",
            "c/node_modules/m": "5.1.0",
          },
        ),
        lock(
          {},
          {
            m: "3.1.5",
            "a/node_modules/m": "10.2.4",
            "d/node_modules/m": "5.1.6",
            "e/node_modules/m": "9.0.0",
          },
        ),
      ),
    ],
    [
      "m 3.1.2 3.1.5 patch",
      "m 10.2.0 10.2.4 patch",
      "m 5.1.0 5.1.6 patch",
      "m – 9.0.0 added",
      "m 10.2.2 – removed",
    ],
  ],
  [
    "an old version that another package keeps doesn't make the new one an addition",
    [
      pair("package.json", manifest({ a: "1.0.0" }), manifest({ a: "2.0.0" })),
      pair(
        "package-lock.json",
        lock({ a: "1.0.0" }, { a: "1.0.0", b: "1.0.0" }),
        lock({ a: "2.0.0" }, { a: "2.0.0", b: "1.0.0", "b/node_modules/a": "1.0.0" }),
      ),
    ],
    ["a 1.0.0 2.0.0 major direct"],
  ],
  [
    "a new version that was there before is still a step",
    [
      pair("package.json", manifest({ a: "1.0.0" }), manifest({ a: "2.0.0" })),
      pair(
        "package-lock.json",
        lock({ a: "1.0.0" }, { a: "1.0.0", b: "1.0.0", "b/node_modules/a": "2.0.0" }),
        lock({ a: "2.0.0" }, { a: "2.0.0", b: "1.0.0" }),
      ),
    ],
    ["a 1.0.0 2.0.0 major direct"],
  ],
  [
    "a range that selects the same version is a change of the range",
    [
      pair("package.json", manifest({ a: "^1.0.0" }), manifest({ a: "^1.1.0" })),
      pair("package-lock.json", lock({ a: "^1.0.0" }, { a: "1.2.0" }), lock({ a: "^1.1.0" }, { a: "1.2.0" })),
    ],
    ["a 1.2.0 1.2.0 requirement direct"],
  ],
  [
    "without a lockfile the lowest version of the range counts",
    [pair("package.json", manifest({ a: "^1.0.3", b: "2" }), manifest({ a: "^1.0.6" }))],
    ["a 1.0.3 1.0.6 patch direct", "b 2 – removed direct"],
  ],
  [
    "two versions of a package are two steps",
    [
      pair(
        "package-lock.json",
        lock({}, { a: "1.0.0", b: "1.0.0", "b/node_modules/a": "2.0.0" }),
        lock({}, { a: "1.0.1", b: "1.0.0", "b/node_modules/a": "2.1.0" }),
      ),
    ],
    ["a 1.0.0 1.0.1 patch", "a 2.0.0 2.1.0 minor"],
  ],
  [
    "a request and a forced version of one package are one bump",
    [
      pair("package.json", manifest({ a: "^1.0.0" }), forced({ a: "^2.0.0" }, { a: "^2.0.0" })),
      pair("package-lock.json", lock({ a: "^1.0.0" }, { a: "1.2.0" }), lock({ a: "^2.0.0" }, { a: "2.1.0" })),
    ],
    ["a 1.2.0 2.1.0 major direct"],
  ],
  [
    "a forced version bumps a package that others need",
    [
      pair("package.json", manifest({ b: "^1.0.0" }), forced({ b: "^1.0.0" }, { a: "2.1.0" })),
      pair(
        "package-lock.json",
        lock({ b: "^1.0.0" }, { a: "1.2.0", b: "1.0.0" }),
        lock({ b: "^1.0.0" }, { a: "2.1.0", b: "1.0.0" }),
      ),
    ],
    ["a 1.2.0 2.1.0 major"],
  ],
  [
    "a forced version that is gone removes no package",
    [
      pair("package.json", forced({ a: "^1.0.0" }, { a: "1.2.0" }), manifest({ a: "^2.0.0" })),
      pair("package-lock.json", lock({ a: "^1.0.0" }, { a: "1.2.0" }), lock({ a: "^2.0.0" }, { a: "2.1.0" })),
    ],
    ["a 1.2.0 2.1.0 major direct"],
  ],
  [
    "without a lockfile a forced version belongs to the request of its manifest",
    [pair("package.json", manifest({ a: "^1.0.0" }), forced({ a: "^2.0.0" }, { a: "2.1.0" }))],
    ["a 1.0.0 2.0.0 major direct"],
  ],
  [
    "versions that only change places are no change",
    [
      pair(
        "package-lock.json",
        lock({}, { a: "1.0.0", b: "1.0.0", "b/node_modules/a": "2.0.0" }),
        lock({}, { a: "2.0.0", b: "1.0.0", "b/node_modules/a": "1.0.0" }),
      ),
    ],
    [],
  ],
  [
    "checksums that go.sum loses are no downgrade, and those of modules that go.mod doesn't list are of others",
    [
      pair(
        "go.mod",
        "module x\n\ngo 1.13\n\nrequire example.org/m v1.3.3\n",
        "module x\n\ngo 1.13\n\nrequire example.org/m v1.4.0\n",
      ),
      pair(
        "go.sum",
        sums("m v1.3.3", "p v0.3.0", "s v0.0.1", "s v2.19.12"),
        sums("m v1.4.0", "p v0.4.0", "s v0.0.1"),
      ),
    ],
    ["example.org/m v1.3.3 v1.4.0 minor direct", "example.org/p v0.3.0 v0.4.0 minor through others"],
  ],
  [
    "another major of a Go module, whose name has its number, is a bump",
    [
      pair(
        "go.mod",
        "module x\n\nrequire (\n\texample.org/m v1.2.1\n\tgopkg.in/y.v2 v2.4.0\n\texample.org/z v1.0.0\n)\n",
        "module x\n\nrequire (\n\texample.org/m/v2 v2.0.0\n\tgopkg.in/y.v3 v3.0.1\n\texample.org/zz v1.0.0\n)\n",
      ),
    ],
    [
      "example.org/m v1.2.1 – removed direct",
      "example.org/m/v2 v1.2.1 v2.0.0 major direct",
      "example.org/z v1.0.0 – removed direct",
      "example.org/zz – v1.0.0 added direct",
      "gopkg.in/y.v2 v2.4.0 – removed direct",
      "gopkg.in/y.v3 v2.4.0 v3.0.1 major direct",
    ],
  ],
  [
    "a request that goes down is a downgrade, whatever go.sum has",
    [
      pair(
        "go.mod",
        "module x\n\nrequire example.org/m v1.4.0\n",
        "module x\n\nrequire example.org/m v1.3.3\n",
      ),
      pair("go.sum", sums("m v1.4.0"), sums("m v1.3.3")),
    ],
    ["example.org/m v1.4.0 v1.3.3 downgrade direct"],
  ],
  [
    "a file that can't be read on one side has no changes, and the others do",
    [
      pair("package-lock.json", lock({}, { a: "1.0.0" }), "{"),
      pair(
        "go.mod",
        "module x\n\nrequire example.org/m v1.0.0\n",
        "module x\n\nrequire example.org/m v1.1.0\n",
      ),
    ],
    ["example.org/m v1.0.0 v1.1.0 minor direct"],
  ],
];

for (const [name, pairs, expected] of CASES) {
  test(name, () => {
    assert.deepEqual(shown(pairs), expected);
  });
}

test("a lockfile's manifests and a manifest's lockfile are read too", () => {
  const paths = [
    "package.json",
    "package-lock.json",
    "packages/a/package.json",
    "other/go.mod",
    "node_modules/x/package.json",
  ];
  assert.deepEqual(companionsOf(["package-lock.json"], paths), ["package.json", "packages/a/package.json"]);
  assert.deepEqual(companionsOf(["packages/a/package.json"], paths), ["package-lock.json"]);
});

test("a pure bump has only lines about its packages", () => {
  const base = '{\n  "dependencies": {\n    "a": "1.0.0"\n  }\n}\n';
  const changes = compareFiles([pair("package.json", base, base.replace("1.0.0", "2.0.0"))]);
  const bump = changedFile({
    path: "package.json",
    status: "modified",
    lines: ['-    "a": "1.0.0"', '+    "a": "2.0.0"'],
  });
  const more = changedFile({
    path: "package.json",
    status: "modified",
    lines: ['-    "a": "1.0.0"', '+    "a": "2.0.0"', '+  "type": "module"'],
  });
  const code = changedFile({ path: "src/a.js", lines: ["+code"] });
  const extents = [[bump], [more], [bump, code]].map((files) => extentOf(files, changes, () => false));
  assert.deepEqual(extents, ["pure", "mixed", "mixed"]);
  assert.equal(
    extentOf([bump, code], changes, ({ path }) => path === "src/a.js"),
    "pure",
  );
});

test("every file of the documentation's table is recognized by its name", () => {
  const names =
    "package.json pnpm-workspace.yaml package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock requirements.txt requirements-dev.txt pyproject.toml Pipfile setup.cfg poetry.lock uv.lock Pipfile.lock pdm.lock go.mod go.sum Cargo.toml Cargo.lock Gemfile x.gemspec Gemfile.lock pom.xml build.gradle build.gradle.kts gradle/libs.versions.toml gradle.lockfile composer.json composer.lock App.csproj Directory.Packages.props packages.config packages.lock.json pubspec.yaml pubspec.lock mix.exs mix.lock .github/workflows/ci.yml action.yml Dockerfile docker-compose.yml .pre-commit-config.yaml main.tf main.tofu .terraform.lock.hcl dotnet-tools.json pubspec_overrides.yaml x.gemfile";
  assert.deepEqual(
    names
      .split(" ")
      .filter((name) => !couldListDependencies(`folder/${name}`.replace("folder/.github", ".github"))),
    [],
  );
});
