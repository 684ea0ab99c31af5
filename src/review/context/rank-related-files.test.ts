import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_RELATED_FILES } from "./code-lookup.ts";
import { rankRelatedFiles, type RelatedSources } from "./rank-related-files.ts";

const NONE: RelatedSources = {
  links: { importing: [], imported: [] },
  history: [],
  tests: [],
  isTest: false,
  isKnown: () => true,
};

test("files with several reasons come first, each with all its reasons", () => {
  const { files, omitted, gaps } = rankRelatedFiles("cart.ts", {
    ...NONE,
    links: { importing: ["cart.test.ts", "shop.ts", "cart.ts"], imported: ["money.ts", "money.ts"] },
    tests: ["cart.test.ts"],
    history: [
      ["cart.ts", "shop.ts", "README.md"],
      ["cart.ts", "shop.ts", "gone.ts"],
      ["cart.ts", "gone.ts"],
      ["shop.ts", "README.md"],
      ["cart.ts", ...Array.from({ length: 40 }, (_, index) => `bulk${index}.ts`)],
    ],
    isKnown: (path) => path !== "gone.ts",
  });
  assert.deepEqual(
    files.map(({ path, reasons, commits }) => `${path}: ${reasons.join(", ")} ${commits}`),
    ["cart.test.ts: test, importer 0", "shop.ts: importer, changed-together 2", "money.ts: imported 0"],
  );
  assert.deepEqual([omitted, gaps], [0, []]);
});

test("a test has what it tests, and unread sources are named", () => {
  const { files, gaps } = rankRelatedFiles("cart.test.ts", {
    ...NONE,
    tests: ["cart.ts"],
    isTest: true,
    links: null,
    history: null,
  });
  assert.deepEqual(files, [{ path: "cart.ts", reasons: ["tested"], commits: 0 }]);
  assert.deepEqual(gaps, ["imports", "history"]);
});

test("the list is bounded, whatever imports a file, and counts what it leaves out", () => {
  const many = (prefix: string): readonly string[] =>
    Array.from({ length: 400 }, (_, index) => `${prefix}${index}.ts`);
  const sources = { ...NONE, tests: many("t"), links: { importing: many("i"), imported: many("d") } };
  const { files, omitted } = rankRelatedFiles("cart.ts", sources);
  assert.equal(files.length, MAX_RELATED_FILES);
  assert.equal(files.length + omitted, 1_200);
  assert.deepEqual(new Set(files.flatMap(({ reasons }) => reasons)), new Set(["test", "importer"]));
  const shuffled = { ...sources, tests: many("t").toReversed() };
  assert.deepEqual(rankRelatedFiles("cart.ts", shuffled), rankRelatedFiles("cart.ts", sources));
});
