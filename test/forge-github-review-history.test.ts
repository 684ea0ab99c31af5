/** Merged pull requests over several pages, and long conversations, as the adapter reads them from a fake GitHub. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import { createLog } from "../src/base/log.ts";
import { createGithubReviewHistory } from "../src/forge/github/github-review-history.ts";

const DAY_MS = 86_400_000;

test("the last merged pull requests are listed over all pages, and the others since then are counted", async (t) => {
  const fake = await startFakeGithub();
  t.after(() => fake.close());
  const repository = await fake.createRepository();
  const first = await fake.openPullRequest(repository, { title: "First", files: { "a.ts": "1\n2\n3\n" } });
  const said = ["One", "Two", "Three"].map((body, index) => ({ path: "a.ts", line: index + 1, body }));
  const { comments } = await fake.review(first, { author: "ben", body: "", comments: said });
  for (const comment of comments) fake.reply(comment, { author: "ada", body: "Yes" });
  await fake.closePullRequest(first, { isMerged: true });
  const now = fake.clock.now();
  // The higher its number, the earlier it was merged. All were changed a moment ago, as by a comment.
  for (let number = 2; number <= 130; number += 1)
    fake.world.pullRequests.push({
      ...first,
      id: 10_000 + number,
      number,
      mergedAtMs: now - number * DAY_MS,
    });
  const log = createLog({ level: "error", format: "text", write: () => {}, now: Date.now });
  const { signal } = new AbortController();
  const options = { apiUrl: fake.url, userAgent: "kodiai/test", token: null, log, signal };
  const reviews = createGithubReviewHistory({ owner: "acme", name: "shop" }, options);

  const listed = await reviews.listMerged({ sinceMs: now - 119.5 * DAY_MS, max: 10 });
  assert.deepEqual(
    listed.pullRequests.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.deepEqual([listed.leftOut, listed.isWhole], [109, true]);
  assert.equal(fake.calls.filter(({ operation }) => operation === "pulls/list").length, 2);

  const openings = await reviews.listOpenings(1, 2);
  assert.deepEqual(
    openings.openings.map(({ body, lines, author }) => [body, lines, author.login]),
    [
      ["One", [1, 1], "ben"],
      ["Two", [2, 2], "ben"],
    ],
  );
  assert.equal(openings.hasMore, true);
  assert.equal((await reviews.listOpenings(1, 3)).hasMore, false);
  assert.deepEqual(fake.violations, []);
});
