import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOf } from "./all-ecosystems.ts";
import { openPair, readPair } from "./read-pair.ts";

type Locked = Readonly<Record<string, unknown>>;

const PATH = "package-lock.json";

function lockOf(packages: Readonly<Record<string, Locked>>): string {
  const places = Object.entries(packages).map(([name, locked]) => [`node_modules/${name}`, locked]);
  return JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...Object.fromEntries(places) } });
}

const numbered = (from: number, to: number): Readonly<Record<string, Locked>> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [`p${from + index}`, { version: `1.${index}.0` }]),
  );

const BASE = {
  ...numbered(100, 200),
  shared: { version: "1.0.0", integrity: "sha512-a", resolved: "a.tgz" },
};
const WITHOUT_ONE = Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== "p150"));

const HEADS: Readonly<Record<string, Readonly<Record<string, Locked>>>> = {
  "another version": { ...BASE, p150: { version: "9.0.0" } },
  "another checksum": { ...BASE, shared: { ...BASE.shared, integrity: "sha512-b" } },
  "another address": { ...BASE, shared: { ...BASE.shared, resolved: "b.tgz" } },
  "another group": { ...BASE, shared: { ...BASE.shared, dev: true } },
  "a script": { ...BASE, shared: { ...BASE.shared, hasInstallScript: true } },
  "one fewer": WITHOUT_ONE,
  "one more at the beginning": { a: { version: "1.0.0" }, ...BASE },
  "another order": Object.fromEntries(Object.entries(BASE).toReversed()),
  "no package of base": { other: { version: "1.0.0" } },
  "more removed in a row than are skipped": { ...numbered(100, 101), shared: BASE.shared },
};

for (const [name, head] of Object.entries(HEADS)) {
  test(`a pair that is sent to the comparison has what each file lists: ${name}`, () => {
    const texts = { base: lockOf(BASE), head: lockOf(head) };
    const reading = readPair({ path: PATH, base: { text: texts.base }, head: { text: texts.head } });
    const opened = openPair(reading);
    for (const side of ["base", "head"] as const) {
      const file = formatOf(PATH)?.read(texts[side], PATH);
      assert.ok(typeof file === "object");
      assert.deepEqual(opened?.[side]?.listed, file.listed, side);
    }
    // A comparison looks only at entries of these names.
    const unchanged = (side: "base" | "head") =>
      (opened?.[side]?.listed ?? []).filter((entry) => opened?.changedNames.has(entry.name) === false);
    assert.equal(unchanged("base").length, unchanged("head").length);
    for (const [at, entry] of unchanged("base").entries()) assert.equal(unchanged("head")[at], entry);
  });
}

test("entries that are the same at base are sent once", () => {
  const pair = { path: PATH, base: { text: lockOf(BASE) }, head: { text: lockOf(WITHOUT_ONE) } };
  const { files } = readPair(pair);
  assert.equal(files?.split("sha512-a").length, 2);
});
