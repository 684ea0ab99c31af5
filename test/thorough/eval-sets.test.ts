/** `kodiai eval fetch` without a network, a public set whose lines and commits aren't as expected, and `kodiai eval mine` on a history. All data is our own. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readAacrSet } from "../../src/evaluation/import/aacr.ts";
import { readEvaluationSet } from "../../src/evaluation/set/read-evaluation-set.ts";
import { repository, shop, sourcesAt, lines } from "../support/evaluation-set-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("eval fetch says what to do without a network, and for a set that it doesn't know", async (t) => {
  const { path: cwd } = repository(t);
  const run = (...args: readonly string[]) =>
    runKodiai(["eval", "fetch", ...args], { cwd, env: { GITHUB_API_URL: "http://127.0.0.1:9" } });
  const [unknown, unreachable, missing] = await Promise.all([
    run("other", "--to", "sets"),
    run("martian", "--to", "sets"),
    run("martian"),
  ]);
  assert.deepEqual([unknown.code, unreachable.code, missing.code], [2, 4, 2]);
  assert.match(unknown.stderr, /SET must be martian or aacr/);
  assert.match(unreachable.stderr, /127\.0\.0\.1/);
});

test("aacr has lines, also in the wrong order, and a missing commit is a problem with its command", async (t) => {
  const { made, base, head, merged } = shop(t);
  const data = repository(t);
  const comment = { note: "Use cents.", path: "src/price.ts", side: "right", category: "Code Defect" };
  const entry = (number: number, reviewed: string) => ({
    project_main_language: "TypeScript",
    source_commit: merged,
    target_commit: reviewed,
    githubPrUrl: `https://github.com/acme/shop/pull/${number}`,
    comments: [
      { ...comment, from_line: 3, to_line: 1 },
      { ...comment, from_line: 1, to_line: 1, side: "left", category: "Novel" },
      { note: "" },
    ],
  });
  const gone = "1".repeat(40);
  data.write("dataset/positive_samples.json", JSON.stringify([entry(7, head), entry(8, gone)]));
  data.commit("Data");
  const parent = repository(t).path;
  made.git("clone", "--quiet", "--mirror", made.path, join(parent, "shop.git"));
  const set = await readAacrSet(sourcesAt(data.path, parent));
  const [only, ...others] = set.cases;
  assert.deepEqual(others, []);
  assert.deepEqual(only?.code, { kind: "commits", repository: "acme/shop", base, head });
  assert.deepEqual(
    only?.answers.map(({ side, lines: at, category }) => [side, at, category]),
    [
      ["new", [1, 3], "correctness"],
      ["old", [1, 1], null],
    ],
  );
  assert.deepEqual(
    set.problems.map(({ problem }) => /comments|shape|git fetch origin 1+/.test(problem)),
    [true, true],
  );
});

/** Two pull requests: one is fixed later, one is reverted with a reason; further commits only look like fixes. */
function teamHistory(t: TestContext) {
  const made = repository(t);
  const body = ["function count(items) {", "  let sum = 0;", "  return sum;", "}"];
  made.write("src/count.js", lines(...body));
  made.write("README.md", lines("Count"));
  made.commit("Start");
  const loop = "  for (let i = 0; i <= items.length; i++) sum += items[i].amount;";
  made.write("src/count.js", lines(body[0] ?? "", body[1] ?? "", loop, ...body.slice(2)));
  const summed = made.commit("Sum the amounts (#3)\n\nCo-authored-by: Ben <ben@example.org>");
  made.write("src/cache.js", lines("export const cache = new Map();"));
  const cached = made.commit("Cache prices (#4)");
  made.write("README.md", lines("Counts"));
  made.commit("fix: typo in the readme (#5)");
  made.write("src/count.js", lines(body[0] ?? "", body[1] ?? "", loop.replace("<=", "<"), ...body.slice(2)));
  made.commit("fix(count): the loop reads past the last item (#6)");
  made.git("rm", "--quiet", "src/cache.js");
  made.commit(
    `Revert "Cache prices (#4)" (#7)\n\nPrices of one customer are shown to another one.\n\nThis reverts commit ${cached}.`,
  );
  return { made, summed, cached };
}

test("eval mine finds what was fixed and reverted later, twice the same, and never overwrites other files", async (t) => {
  const { made, summed, cached } = teamHistory(t);
  const { path: cwd } = repository(t);
  const mineSince = (since: string, ...args: readonly string[]) =>
    runKodiai(["eval", "mine", "--repository", made.path, "--since", since, ...args], { cwd });
  const mine = (...args: readonly string[]) => mineSince("2025-12-31", ...args);
  const { code, stdout, stderr } = await mine("--to", "mined");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^2 cases in mined/m);
  const set = readEvaluationSet(join(cwd, "mined"));
  assert.deepEqual(set.problems, []);
  assert.deepEqual(
    set.cases.map(({ id, title, language, answers, code: at }) => ({
      id,
      title,
      language,
      head: at.kind === "commits" ? at.head : null,
      answers: answers.map(({ path, lines: place, sentence }) => [path, place, sentence]),
    })),
    [
      {
        id: "pr-3",
        title: "Sum the amounts",
        language: "JavaScript",
        head: summed,
        answers: [["src/count.js", [3, 3], "fix(count): the loop reads past the last item"]],
      },
      {
        id: "pr-4",
        title: "Cache prices",
        language: "JavaScript",
        head: cached,
        answers: [[null, null, "Prices of one customer are shown to another one."]],
      },
    ],
  );
  assert.equal((await mine("--to", "mined")).code, 0);
  assert.equal(readEvaluationSet(join(cwd, "mined")).version, set.version);
  assert.equal(made.git("status", "--porcelain").trim(), "");

  const refused = await mine("--to", made.path);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /isn't empty/);
  assert.ok(existsSync(join(made.path, "src/count.js")));
  const empty = await mineSince("1h", "--to", "none");
  assert.equal(empty.code, 3);
  assert.match(empty.stdout, /No set was written/);
  assert.ok(!existsSync(join(cwd, "none")));
});
