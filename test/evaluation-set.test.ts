/** The format of sets, and the shipped set `injected`: what it has to have, and that its form doesn't tell defects from sound changes. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import type { EvaluationCase } from "../src/evaluation/set/evaluation-set.ts";
import { createCaseOpener } from "../src/evaluation/set/open-case.ts";
import { readEvaluationSet } from "../src/evaluation/set/read-evaluation-set.ts";
import { createGitLocalRepositories } from "../src/repository/git/git-local-repositories.ts";
import { INJECTED } from "./support/injected-set.ts";
import { testRepository } from "./support/test-repository.ts";

const { cases } = INJECTED;
const sound = cases.filter(({ isSound }) => isSound);
const defects = cases.filter(({ isSound }) => !isSound);

const filesOf = ({ code }: EvaluationCase) =>
  code.kind === "texts" ? code.files : assert.fail("a shipped case has texts");

/** Lines of each changed file that the other side doesn't have. */
function changedLines(given: EvaluationCase, side: "new" | "old"): ReadonlyMap<string, readonly number[]> {
  const { base, changes } = filesOf(given);
  return new Map(
    Object.entries(changes).map(([path, after]) => {
      const [from = "", to = ""] = side === "new" ? [base[path], after ?? ""] : [after ?? "", base[path]];
      const before = new Set(from.split("\n"));
      return [path, to.split("\n").flatMap((line, index) => (before.has(line) ? [] : [index + 1]))] as const;
    }),
  );
}

const addedIn = (given: EvaluationCase): number =>
  [...changedLines(given, "new").values()].reduce((sum, lines) => sum + lines.length, 0);

test("the shipped set has what it promises", () => {
  assert.deepEqual(INJECTED.problems, []);
  assert.ok(defects.length >= 80 && sound.length >= 30, `${defects.length} and ${sound.length}`);
  const of = (values: readonly string[]): number => new Set(values).size;
  assert.ok(of(cases.map(({ code }) => code.repository)) >= 12);
  assert.ok(of(cases.map(({ language }) => language)) >= 8);
  const categories = Map.groupBy(defects, ({ answers }) => answers[0]?.category);
  assert.ok(categories.size >= 4);
  for (const [category, some] of categories) assert.ok(some.length >= 3, `${category} has ${some.length}`);
  for (const given of cases) {
    const count = Object.keys(filesOf(given).changes).length;
    assert.ok(count >= 1 && count <= 20, given.id);
    const baseFiles = Object.keys(filesOf(given).base).length;
    assert.ok(baseFiles >= 6 && baseFiles <= 15, given.id);
  }
});

test("every answer is in the changed hunks", () => {
  const HUNK_CONTEXT = 3;
  for (const given of defects)
    for (const { path, side, lines } of given.answers) {
      assert.ok(path !== null && lines !== null && lines[1] - lines[0] <= 3, given.id);
      const changed = changedLines(given, side).get(path) ?? [];
      const isNear = changed.some(
        (line) => line >= lines[0] - HUNK_CONTEXT && line <= lines[1] + HUNK_CONTEXT,
      );
      assert.ok(isNear, `${given.id}: ${path}:${lines.join("-")} isn't in a hunk`);
    }
});

/** The probability that a random defect has a higher value than a random sound change; .5 when the value says nothing. */
function separation(value: (given: EvaluationCase) => number): number {
  const wins = defects.flatMap((defect) =>
    sound.map((other) => Math.sign(value(defect) - value(other)) / 2 + 0.5),
  );
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}

test("the form of a pull request doesn't tell whether it's sound", () => {
  const features: Record<string, (given: EvaluationCase) => number> = {
    files: (given) => Object.keys(filesOf(given).changes).length,
    added: addedIn,
    title: ({ title }) => title.length,
    body: ({ body }) => body.length,
    id: ({ id }) => Number(/\d+$/.exec(id)?.[0]),
  };
  for (const [name, value] of Object.entries(features)) {
    const area = separation(value);
    assert.ok(area > 0.35 && area < 0.65, `${name} separates them: ${area.toFixed(2)}`);
  }
  for (const { id, title, body } of cases)
    assert.doesNotMatch(`${title} ${body}`, /\b(?:bug|defect|wrong|mistake|inject|sound)\w*/i, id);
  const wordsOf = (some: readonly EvaluationCase[]) =>
    some.map(({ title }) => new Set(title.toLowerCase().split(/\W+/)));
  const shareWith = (word: string, texts: readonly ReadonlySet<string>[]): number =>
    texts.filter((text) => text.has(word)).length / texts.length;
  const [inDefects, inSound] = [wordsOf(defects), wordsOf(sound)];
  for (const word of new Set([...inDefects, ...inSound].flatMap((words) => [...words])))
    assert.ok(Math.abs(shareWith(word, inDefects) - shareWith(word, inSound)) < 0.2, word);
});

test("a case that can't be used is a problem with its file and field, and the rest is used", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-set-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof value === "string" ? value : JSON.stringify(value));
  };
  const about = { name: "own", description: "", licence: "MIT", version: "1" };
  const caseOf = (id: string, changes: Readonly<Record<string, string | null>>, more: object = {}) => {
    const code = { kind: "texts", repository: "shop", changes };
    return { id, title: "Change", language: "TypeScript", isSound: true, code, ...more };
  };
  const answer = { id: "1", path: "a.ts", lines: [3, 3], severity: null, category: null, sentence: "No." };
  const clone = testRepository();
  t.after(() => clone.remove());
  const head = clone.commit("first");

  assert.throws(() => readEvaluationSet(folder), KodiaiError);
  write("set.json", { ...about, format: 2 });
  assert.throws(() => readEvaluationSet(folder), /format must be 1/);
  write("set.json", { ...about, format: 1 });
  assert.match(readEvaluationSet(folder).problems[0]?.problem ?? "", /no usable case/);

  write("repositories/shop.json", { files: { "a.ts": "one\ntwo\n", "b/c.ts": "x\n" } });
  write("cases/a-good.json", caseOf("good", { "a.ts": "one\n2\n" }));
  write("cases/broken.json", "{");
  write("cases/again.json", caseOf("good", { "a.ts": "1\n" }));
  write("cases/escape.json", caseOf("escape", { "../a": "" }));
  write("cases/git.json", caseOf("git", { "b/.GIT/config": "" }));
  write("cases/absolute.json", caseOf("absolute", { "/etc/passwd": "" }));
  write("cases/same.json", caseOf("same", { "a.ts": "one\ntwo\n" }));
  write("cases/sure.json", caseOf("sure", { "a.ts": "1\n" }, { answers: [answer] }));
  write("cases/past.json", caseOf("past", { "a.ts": "1\n2\n" }, { isSound: false, answers: [answer] }));
  write("cases/other.json", caseOf("other", { "b/c.ts": "y\n" }, { isSound: false, answers: [answer] }));
  write("cases/folder.json", caseOf("folder", { b: "file\n" }));
  const commits = { kind: "commits", repository: "shop/web", base: head, head };
  write("cases/cloned.json", caseOf("cloned", {}, { code: commits }));
  write("cases/gone.json", caseOf("gone", {}, { code: { ...commits, head: "1".repeat(40) } }));
  write("cases/missing.json", caseOf("missing", {}, { code: { ...commits, repository: "no/where" } }));
  const set = readEvaluationSet(folder);
  assert.deepEqual(
    set.problems.map(({ where }) => where),
    [
      "cases/absolute.json: code.changes./etc/passwd",
      "cases/again.json: id",
      "cases/broken.json",
      "cases/escape.json: code.changes.../a",
      "cases/git.json: code.changes.b/.GIT/config",
      "cases/other.json: answers[0].path",
      "cases/past.json: answers[0].lines",
      "cases/same.json: code.changes.a.ts",
      "cases/sure.json: answers",
      "cases/sure.json: answers[0].lines",
    ],
  );

  const { signal } = new AbortController();
  mkdirSync(join(folder, "clones", "shop+web"), { recursive: true });
  clone.git("clone", "--quiet", "--bare", clone.path, join(folder, "clones", "shop+web", "repo"));
  const open = (scratch: string) => {
    const repositories = createGitLocalRepositories({ PATH: process.env["PATH"] ?? "" }, signal);
    const repositoriesFolder = join(folder, "clones");
    const opener = createCaseOpener({
      scratch: join(folder, scratch),
      repositoriesFolder,
      repositories,
      signal,
    });
    return Promise.all(set.cases.map((each) => opener.open(each)));
  };
  const [first, second] = [await open("one"), await open("two")];
  const named = new Map(set.cases.map(({ id }, index) => [id, first[index]]));
  assert.deepEqual([...named.keys()].toSorted(), ["cloned", "folder", "gone", "good", "missing"]);
  const problemOf = (id: string): string => {
    const opened = named.get(id);
    return opened !== undefined && "problem" in opened ? opened.problem : assert.fail(`${id} was opened`);
  };
  assert.match(problemOf("folder"), /a folder is there/);
  assert.match(problemOf("gone"), /has no commit 1{40}; fetch it/);
  assert.match(problemOf("missing"), /no\/where isn't below .*clone it/);
  const ids = (opened: typeof first): readonly unknown[] =>
    opened.map((each) => ("problem" in each ? null : [each.base, each.head]));
  assert.ok(ids(first).filter((each) => each !== null).length === 2);
  assert.deepEqual(ids(first), ids(second), "commit ids are the same every time");
});
