/** Comments of reviewers that a pull request got before it was merged, in real git, without a host. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { mineReviews } from "../src/evaluation/mine/mine-reviews.ts";
import type { MergedPullRequest, ReviewHistory, ThreadOpening } from "../src/forge/review-history.ts";
import { openHistory } from "../src/repository/git/open-history.ts";
import { testRepository } from "./support/test-repository.ts";

const person = (login: string) => ({ login, isBot: false });

/** A pull request whose branch merged the base branch before it was merged itself. The host names the oldest base. */
function mergedTwice(t: TestContext) {
  const made = testRepository();
  t.after(() => made.remove());
  const write = (path: string, text: string, message: string): string => {
    made.write(path, text);
    return made.commit(message);
  };
  const base = write("a.js", "a\n", "Start");
  made.git("checkout", "--quiet", "-b", "change");
  write("b.js", "one\ntwo\nthree\n", "Add b");
  made.git("checkout", "--quiet", "main");
  const trunk = write("a.js", "A\n", "Other work");
  made.git("checkout", "--quiet", "change");
  made.git("merge", "--quiet", "--no-edit", "main");
  const reviewed = made.git("rev-parse", "HEAD").trim();
  const head = write("b.js", "one\n2\nthree\n", "Use a number");
  made.git("checkout", "--quiet", "main");
  made.git("merge", "--quiet", "--no-ff", "--no-edit", "change");
  const mergeCommit = made.git("rev-parse", "HEAD").trim();
  const title = "Add b";
  const pullRequest: MergedPullRequest = {
    number: 7,
    title,
    body: "",
    author: person("ada"),
    head,
    base,
    mergeCommit,
  };
  const opening: ThreadOpening = {
    id: "1",
    author: person("ben"),
    isOwn: false,
    body: "The second one must be a number.",
    commit: reviewed,
    path: "b.js",
    lines: [2, 2],
  };
  return { made, trunk, reviewed, pullRequest, opening };
}

test("the case has only the changes of its pull request, and the limits that were reached are problems", async (t) => {
  const { made, trunk, reviewed, pullRequest, opening } = mergedTwice(t);
  const history = await openHistory(
    made.path,
    { PATH: process.env["PATH"] ?? "" },
    new AbortController().signal,
  );
  const asked: unknown[] = [];
  const reviews: ReviewHistory = {
    async listMerged(wanted) {
      asked.push(wanted);
      return { pullRequests: [pullRequest], leftOut: 3, isWhole: false };
    },
    async listOpenings(number, max) {
      asked.push([number, max]);
      const own = { ...opening, id: "2", isOwn: true };
      const gone = { ...opening, id: "3", commit: "1".repeat(40) };
      return { openings: [opening, own, gone], hasMore: true };
    },
  };
  const wanted = { repository: "shop", sinceMs: 5, onProgress: () => {} };
  const { cases, fates, problems, failure } = await mineReviews(wanted, { reviews, history });
  assert.deepEqual(asked, [{ sinceMs: 5, max: 200 }, [7, 50]]);
  assert.deepEqual(
    cases.map(({ code, answers }) => [code, answers.map(({ id }) => id)]),
    [[{ kind: "commits", repository: "shop", base: trunk, head: reviewed }, ["1"]]],
  );
  assert.deepEqual([fates, failure], [{ answer: 1, "no-reviewer": 1, absent: 1 }, null]);
  assert.match(
    problems.map(({ problem }) => problem).join("\n"),
    /1 pull request merged last .* at least 3 others.*\n.*1 pull request with many.*\n.*1 comment aren't/,
  );
});
