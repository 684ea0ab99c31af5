/** Comparing takes linear time and space, whatever the files contain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareFiles } from "../support/compare-files.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import type { FilePair } from "../../src/ecosystems/read-pair.ts";

type Packages = Readonly<Record<string, object>>;

const pair = (path: string, base: unknown, head: unknown): FilePair => ({
  path,
  base: { text: JSON.stringify(base) },
  head: { text: JSON.stringify(head) },
});

const table = <Value>(
  count: number,
  entry: (index: number) => readonly [string, Value],
): Record<string, Value> => Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));

const lock = (packages: Packages): object => ({ lockfileVersion: 3, packages: { "": {}, ...packages } });
const locks = (
  count: number,
  entry: (index: number, version: number) => readonly [string, object],
): FilePair =>
  pair(
    "package-lock.json",
    lock(table(count, (index) => entry(index, 1))),
    lock(table(count, (index) => entry(index, 2))),
  );
const manifests = (count: number, path = "package.json"): FilePair =>
  pair(
    path,
    { dependencies: table(count, (index) => [`p${index}`, "^1.0.0"]) },
    { dependencies: table(count, (index) => [`p${index}`, "^2.0.0"]) },
  );

const SHAPES: readonly (readonly [name: string, write: (count: number) => readonly FilePair[]])[] = [
  [
    "direct dependencies",
    (count) => [
      manifests(count),
      locks(count, (at, version) => [`node_modules/p${at}`, { version: `${version}.0.0` }]),
    ],
  ],
  [
    "versions of one package",
    (count) => [
      locks(count, (at, version) => [
        `node_modules/x${at}/node_modules/a`,
        { version: `${version}.0.${at}` },
      ]),
    ],
  ],
  [
    "copies of one version",
    (count) => [
      locks(count, (at, version) => [
        `node_modules/x${at}/node_modules/a`,
        { version: "1.0.0", integrity: `sha512-${version}` },
      ]),
    ],
  ],
  [
    "one chain",
    (count) => [
      pair(
        "package-lock.json",
        lock({}),
        lock(
          table(count, (at) => [
            `node_modules/p${at}`,
            { version: "1.0.0", dependencies: { [`p${at + 1}`]: "1" } },
          ]),
        ),
      ),
    ],
  ],
  [
    "replaced packages",
    (count) => [
      locks(count, (at, version) => [`node_modules/p${at}`, { name: `${version}-${at}`, version: "1.0.0" }]),
    ],
  ],
];

const SMALL = 2_000;
const LARGE = 4 * SMALL;

/** Linear growth is 4, quadratic growth 16. */
const MAX_GROWTH = 9;

for (const [name, write] of SHAPES) {
  test(`${name} are compared in linear time and space`, () => {
    const [small, large] = [write(SMALL), write(LARGE)];
    const size = (pairs: readonly FilePair[]): number => JSON.stringify(compareFiles(pairs)).length;
    assert.ok(size(large) < MAX_GROWTH * size(small));
    const growth = (): number => cpuMs(() => compareFiles(large)) / cpuMs(() => compareFiles(small));
    // Other processes disturb a measurement.
    assert.ok(Math.min(growth(), growth(), growth()) < MAX_GROWTH);
  });
}

test("a very long chain has its first and its last names", () => {
  const head = lock({
    "": { dependencies: { p0: "1" } },
    ...table(15_000, (at) => [
      `node_modules/p${at}`,
      { version: "1.0.0", dependencies: { [`p${at + 1}`]: "1" } },
    ]),
  });
  const { packages } = compareFiles([pair("package-lock.json", lock({}), head)]);
  const chainOf = (wanted: string): readonly string[] =>
    packages.find(({ name }) => name === wanted)?.chain ?? [];
  assert.deepEqual(chainOf("p2"), ["p0", "p1", "p2"]);
  assert.equal(chainOf("p39").length, 40);
  const long = chainOf("p14999");
  assert.equal(long.length, 40);
  assert.deepEqual([...long.slice(0, 3), long.at(-1)], ["p0", "…", "p14962", "p14999"]);
});

const LONG = "9".repeat(5_000_000);

const LONG_VALUES: readonly (readonly [what: string, key: string, entry: object, other: object])[] = [
  ["version", "node_modules/a", { version: `1.0.${LONG}1` }, { version: `1.0.${LONG}2` }],
  [
    "address",
    "node_modules/a",
    { version: "1.0.0", resolved: `https://x.example/${LONG}1` },
    { version: "1.0.0", resolved: `https://x.example/${LONG}2` },
  ],
  [
    "checksum",
    "node_modules/a",
    { version: "1.0.0", integrity: `sha512-${LONG}1` },
    { version: "1.0.0", integrity: `sha512-${LONG}2` },
  ],
  [
    "name",
    "node_modules/a",
    { name: `a${LONG}1`, version: "1.0.0" },
    { name: `a${LONG}2`, version: "1.0.0" },
  ],
];

/** A report has a value several times. */
const MAX_REPORT_CHARS = 2_000_000;

for (const [what, key, before, after] of LONG_VALUES) {
  test(`a ${what} of 5 MB is cut, and another one is still another`, () => {
    const compare = (head: object) =>
      compareFiles([pair("package-lock.json", lock({ [key]: before }), lock({ [key]: head }))]);
    assert.ok(JSON.stringify(compare(after)).length < MAX_REPORT_CHARS);
    assert.ok(compare(after).packages.length > 0);
    assert.deepEqual(compare(before).packages, []);
  });
}

test("a lockfile in which everything needs everything is too large", () => {
  const tables = Array.from(
    { length: 2_500 },
    (_, at) => `[[package]]\nname = "a"\nversion = "1.0.${at}"\ndependencies = ["a"]\n`,
  );
  const text = `version = 4\n${tables.join("\n")}`;
  const { unread } = compareFiles([{ path: "Cargo.lock", base: null, head: { text } }]);
  assert.deepEqual(unread, [{ path: "Cargo.lock", side: "head", problem: "too-large" }]);
});
