/** The test command itself: what it builds and starts, which files it runs and in which order, and how it checks promises. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isBuilt, rememberBuilt } from "../scripts/built.ts";
import { checkPromises } from "../scripts/promises.ts";
import { isWanted } from "../scripts/testing/find-files.ts";
import { findNeeds } from "../scripts/testing/needs.ts";
import { planWork } from "../scripts/testing/plan-work.ts";
import { renderFailure } from "../scripts/testing/report.ts";
import { hasRoomInMemory, IN_MEMORY } from "../scripts/testing/temporary-folder.ts";

const DOCUMENT =
  "# Promises\n\n## P1. It works\n\nAlways.\n\nTests: 2\n\n## P2. It is safe\n\nTests: 1\n\n## Limits\n";

const KEPT = ["[P1] one", "[P1] [P2] two", "three"];

test("a promise is kept when as many tests passed as its document names, and none failed", () => {
  assert.deepEqual(checkPromises([DOCUMENT], { passed: KEPT, failed: [] }, true), {
    lines: ["kept   P1. It works (2 tests)", "kept   P2. It is safe (1 test)"],
    broken: 0,
  });
});

for (const [problem, passed, failed, line] of [
  ["a test that is missing", ["[P1] one", "[P2] two"], [], "1 test passed, and the document names 2"],
  ["a test that fails", KEPT, ["[P2] four"], "failed: [P2] four"],
  [
    "a test that the document doesn't count",
    [...KEPT, "[P2] five"],
    [],
    "2 tests passed, and the document names 1",
  ],
  ["an unknown id", [...KEPT, "[P3] six"], [], "BROKEN no document has this promise: [P3] six"],
] as const) {
  test(`${problem} breaks a promise`, () => {
    const { lines, broken } = checkPromises([DOCUMENT], { passed, failed }, true);
    assert.equal(broken, 1);
    assert.ok(
      lines.some((each) => each.trim() === line),
      lines.join("\n"),
    );
  });
}

test("a run that leaves tests out holds each promise with at least one, and with no more than its document names", () => {
  const brokenBy = (passed: readonly string[], failed: readonly string[]) =>
    checkPromises([DOCUMENT], { passed, failed }, false).broken;
  assert.equal(brokenBy(["[P1] [P2] one"], []), 0);
  assert.equal(brokenBy(["[P2] one"], []), 1);
  assert.equal(brokenBy(["[P1] [P2] one"], ["[P1] two"]), 1);
  assert.equal(brokenBy(["[P1] one", "[P2] two", "[P2] three"], []), 1);
});

test("a promise without tests is broken", () => {
  assert.equal(checkPromises(["## P1. It works\n"], { passed: [], failed: [] }, true).broken, 1);
});

test("every promise of the documents has a number of tests", () => {
  for (const path of ["docs/security.md", "docs/reliability.md"]) {
    const sections = readFileSync(path, "utf8").split(/^## (?=P\d)/m);
    assert.ok(sections.length > 1);
    for (const section of sections.slice(1)) assert.match(section, /^P\d+\. .+\n[^]*^Tests: [1-9]\d*$/m);
  }
});

test("the program is built and PostgreSQL is started only for tests that import them", () => {
  const needs = (file: string) => findNeeds([file]);
  const none = { program: false, postgres: false, chromium: false };
  assert.deepEqual(needs("src/base/count.ts"), none);
  assert.deepEqual(needs("test/plurals.test.ts"), none);
  assert.deepEqual(needs("test/build.test.ts"), { ...none, program: true });
  assert.deepEqual(needs("test/queue.test.ts"), { ...none, postgres: true });
  assert.deepEqual(needs("test/e2e/github-app.test.ts"), { ...none, program: true, postgres: true });
  assert.deepEqual(needs("test/dashboard-browser.test.ts"), { ...none, postgres: true, chromium: true });
});

test("the program is built again after a source has changed or is gone, and not after a test has", (t) => {
  const root = mkdtempSync(join(tmpdir(), "kodiai-test-built-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const long = new Date("2026-01-01");
  for (const path of ["src/a.ts", "src/b.ts", "src/b.test.ts", "dist/main.mjs"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  const age = (...paths: readonly string[]): void => {
    for (const path of paths) utimesSync(join(root, path), long, long);
  };
  age("src/a.ts", "src/b.ts", "src");
  assert.equal(isBuilt(root), false);
  rememberBuilt(root);
  writeFileSync(join(root, "src/b.test.ts"), "changed");
  assert.equal(isBuilt(root), true);
  rmSync(join(root, "src/b.ts"));
  assert.equal(isBuilt(root), false);
  age("src");
  assert.equal(isBuilt(root), true);
  writeFileSync(join(root, "src/a.ts"), "changed");
  assert.equal(isBuilt(root), false);
});

test("the tier of a test is its folder, and a name finds tests of both tiers", () => {
  const chosen = (parts: readonly string[], isAll: boolean) =>
    ["src/a.test.ts", "test/e2e/b.test.ts", "test/thorough/a.test.ts"].filter((file) =>
      isWanted(file, parts, isAll),
    );
  assert.deepEqual(chosen([], false), ["src/a.test.ts", "test/e2e/b.test.ts"]);
  assert.deepEqual(chosen([], true), ["src/a.test.ts", "test/e2e/b.test.ts", "test/thorough/a.test.ts"]);
  assert.deepEqual(chosen(["a.test"], false), ["src/a.test.ts", "test/thorough/a.test.ts"]);
});

test("a failure comes with the command that runs it alone", () => {
  const failure = renderFailure({
    name: "it isn't lost",
    path: "test/a.test.ts",
    line: 3,
    error: new Error("lost"),
  });
  assert.match(failure, /^FAILED: it isn't lost\n {2}test\/a\.test\.ts:3\n/);
  assert.ok(failure.includes(String.raw`npm test -- test/a.test.ts --only 'it isn'\''t lost'`), failure);
});

test("unit tests share processes of even length, and the longest work comes first", () => {
  const durations = new Map([
    ["src/a.test.ts", 5],
    ["src/b.test.ts", 4],
    ["fake-github/c.test.ts", 1],
    ["test/long.test.ts", 20],
    ["test/short.test.ts", 2],
  ]);
  const work = planWork([...durations.keys()], 2, durations);
  assert.deepEqual(
    work.map(({ files }) => files),
    [
      ["test/long.test.ts"],
      ["src/a.test.ts"],
      ["src/b.test.ts", "fake-github/c.test.ts"],
      ["test/short.test.ts"],
    ],
  );
});

test("few unit tests share a process, because a large one starts programs slowly", () => {
  const files = Array.from({ length: 60 }, (_, at) => `src/${at}.test.ts`);
  const work = planWork(files, 2, new Map(files.map((file) => [file, 1])));
  assert.deepEqual(
    work.map(({ files: own }) => own.length),
    [20, 20, 20],
  );
});

test("temporary files are in memory where there is room, and gone with the run", () => {
  const program = `
    import { tmpdir } from "node:os";
    import { keepTemporaryFilesInMemory } from "./scripts/testing/temporary-folder.ts";
    keepTemporaryFilesInMemory();
    process.stdout.write(tmpdir());`;
  const { NODE_TEST_CONTEXT: _, TMPDIR: __, ...env } = process.env;
  const tmpdirWith = (more: NodeJS.ProcessEnv): string => {
    const args = ["--input-type=module", "--eval", program];
    return spawnSync(process.execPath, args, { encoding: "utf8", env: { ...env, ...more } }).stdout;
  };
  const folder = tmpdirWith({});
  assert.equal(folder.startsWith(`${IN_MEMORY}/`), hasRoomInMemory());
  assert.equal(existsSync(folder), !hasRoomInMemory());
  assert.equal(tmpdirWith({ TMPDIR: process.cwd() }), process.cwd());
});

test("a title that no test has is an error, not a run that passed", () => {
  const args = ["scripts/test.ts", "src/base/is-comment-line", "--only", "a title that is nowhere"];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  assert.match(stdout, /\nNo test of the chosen files has the title: a title that is nowhere\n/);
  assert.equal(status, 1);
});
