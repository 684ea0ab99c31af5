/** Pull requests made to exhaust the server: they are reviewed as far as possible, say what was not read, and hold up nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario, FINDINGS, ONE_REVIEW } from "../support/app/scenario.ts";
import { FILE, FOLDER, treeWriter } from "../support/git-trees.ts";

test("a pull request with countless files and a file too large to compare is reviewed without them", async (t) => {
  const scenario = await createScenario(t);
  const { fake, repository, pullRequest } = scenario;
  const { blob, tree, commit, point, bomb } = treeWriter(repository.directory);
  const large = { mode: FILE, id: blob("12\n".repeat(1_700_000)) };
  const top = tree(
    { bomb: { mode: FOLDER, id: bomb(5) }, "data-1.csv": large, "data-2.csv": large },
    pullRequest.head,
  );
  const head = commit(top, pullRequest.head);
  for (const ref of [`refs/heads/${pullRequest.headRef}`, `refs/pull/${pullRequest.number}/head`])
    point(ref, head);
  pullRequest.head = head;
  const other = await fake.openPullRequest(repository, { files: { "README.md": "# Shop\n" } });
  await scenario.start();
  await scenario.send("opened");
  await fake.send(await fake.events.pullRequest("opened", other));
  const jobs = await scenario.settled();
  assert.deepEqual(
    jobs.map(({ state, reason, attempts }) => [state, reason, attempts]),
    [
      ["done", "published", 1],
      ["done", "published", 1],
    ],
  );
  assert.deepEqual(scenario.published().comments, ONE_REVIEW.comments);
  assert.equal(scenario.published().comments.length, FINDINGS.length);
  assert.deepEqual(scenario.published().conclusions, ["neutral"]);
  const [summary] = fake.commentsOf(pullRequest);
  assert.match(summary?.body ?? "", /folder with too many changed files.*bomb\/0\//s);
  assert.match(summary?.body ?? "", /file too large to read.*data-1\.csv/s);
  assert.match(summary?.body ?? "", /100,000 changed files were not read/);
  scenario.check();
});
