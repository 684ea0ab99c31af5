import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, changeOf, fileAnalysis } from "../../../test/support/analysis-fixtures.ts";
import type { ChangedFile } from "../change/change.ts";
import type { FileAnalysis } from "./analysis.ts";
import { categoryOf } from "./categories.ts";
import { languageOf } from "../../languages/language-of.ts";
import { findRiskSignals } from "./risk-signals.ts";

function signals(files: readonly ChangedFile[], given: Partial<FileAnalysis> = {}): readonly string[] {
  const analyses = files.map(({ path }) =>
    fileAnalysis({ path, category: categoryOf(path), language: languageOf(path), ...given }),
  );
  return findRiskSignals(changeOf(files), analyses).map(
    (signal) => `${signal.id}: ${signal.paths.join(" ")}`,
  );
}

const evil = ["+eval(input)", "+} catch (e) {}"];
const modified = { path: "src/a.ts", status: "modified" } as const;

const CHANGES: readonly [
  what: string,
  file: ChangedFile,
  given: Partial<FileAnalysis>,
  expected: readonly string[],
][] = [
  ["nothing", changedFile({ path: "src/a.ts", lines: ["+const a = 1;"] }), {}, []],
  ["by path", changedFile({ path: "src/auth.ts" }), {}, ["authentication: src/auth.ts"]],
  [
    "by content",
    changedFile({ path: "src/a.ts", lines: evil }),
    {},
    ["code-execution: src/a.ts", "error-handling: src/a.ts"],
  ],
  [
    "path and content give one signal",
    changedFile({ path: "src/crypto.ts", lines: ["+createHash(a)"] }),
    {},
    ["cryptography: src/crypto.ts"],
  ],
  ["removed lines do not count", changedFile({ ...modified, lines: ["-eval(input)"] }), {}, []],
  ["context does not count", changedFile({ ...modified, lines: [" eval(input)", "+a"] }), {}, []],
  ["comments do not count", changedFile({ path: "src/a.ts", lines: ["+// eval(input)"] }), {}, []],
  [
    "cut lines are not read",
    changedFile({ path: "src/a.ts", lines: ["+eval(input)"], cutLines: [1] }),
    {},
    [],
  ],
  ["tests are not read", changedFile({ path: "src/auth.test.ts", lines: evil }), {}, []],
  ["prose is not read", changedFile({ path: "docs/auth.md", lines: evil }), {}, []],
  ["skipped", changedFile({ path: "src/auth.ts", lines: evil }), { isSkipped: true }, []],
  ["generated", changedFile({ path: "src/auth.ts", lines: evil }), { mark: "generated" }, []],
  [
    "lock file",
    changedFile({ path: "yarn.lock", lines: evil }),
    { mark: "lockfile" },
    ["dependencies: yarn.lock"],
  ],
  ["deleted", changedFile({ path: "src/a.ts", status: "deleted", lines: ["-} catch (e) {"] }), {}, []],
  ["mode", changedFile({ ...modified, oldMode: "100644", newMode: "100755" }), {}, ["permissions: src/a.ts"]],
  ["new executable", changedFile({ path: "src/a.ts", newMode: "100755" }), {}, []],
];

test("signals come from paths and added lines", () => {
  for (const [what, file, given, expected] of CHANGES)
    assert.deepEqual(signals([file], given), expected, what);
});

test("at most ten signals, the most important first, with at most five paths each", () => {
  const everything = changedFile({
    path: ".github/scripts/auth/secrets/crypto/migrations/package.json",
    status: "modified",
    newMode: "100755",
    lines: ['+q("DELETE FROM a ")', "+eval(x)", "+pickle.loads(x)", "+} catch (e) {}", "+chmod 777 a"],
  });
  const found = signals([everything]);
  assert.equal(found.length, 10);
  assert.match(found[0] ?? "", /^authentication/);
  assert.ok(!found.some((signal) => signal.startsWith("infrastructure")));

  const many = Array.from({ length: 8 }, (_, index) => changedFile({ path: `src/auth/${index}.ts` }));
  assert.equal(
    findRiskSignals(
      changeOf(many),
      many.map(({ path }) => fileAnalysis({ path })),
    )[0]?.paths.length,
    5,
  );
});

test("a file is read up to a limit", () => {
  const filler = Array<string>(4_000).fill("+const a = 1;");
  assert.deepEqual(signals([changedFile({ path: "a.ts", lines: [...filler, "+eval(x)"] })]), []);
  assert.equal(signals([changedFile({ path: "a.ts", lines: [...filler.slice(1), "+eval(x)"] })]).length, 1);
});
