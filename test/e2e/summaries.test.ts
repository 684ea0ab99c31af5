/** When a pull request gets a summary, on the whole app: with findings, and with none any more. */
import assert from "node:assert/strict";
import { AFTER, FINDINGS, ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import {
  checkText,
  CONFIG,
  fixCatch,
  FIXED_SQL,
  FOOTER,
  openAndReview,
  push,
  summary,
} from "../support/second-push-fixtures.ts";

test("[P14] without findings there is only a check; findings create the summary, and it stays true when they are fixed", async (openScenario) => {
  const scenario = await openScenario({
    config: CONFIG,
    pullRequest: { files: { "src/users.test.ts": "// two\n" } },
  });
  await openAndReview(scenario);
  assert.deepEqual(scenario.published(), {
    reviews: 0,
    comments: [],
    summaries: 0,
    conclusions: ["success"],
  });
  assert.match(checkText(scenario), /^No findings in 1 file/);
  assert.match(checkText(scenario), FOOTER);

  await push(scenario, AFTER);
  const { reviews, comments, summaries } = scenario.published();
  assert.deepEqual([reviews, comments, summaries], [1, ONE_REVIEW.comments, 1]);
  assert.match(summary(scenario), FOOTER);
  const threads = await scenario.fake.threadsOf(scenario.pullRequest);
  assert.equal(threads.length, FINDINGS.length);
  for (const text of [summary(scenario), checkText(scenario)]) {
    // Each row has the address of a comment, and no explanation is repeated.
    assert.equal(
      text.match(/^\| \d \| \w+ \| [^|]+ \| \[`src\/users\.ts:\d+`\]\(\S+#discussion_r\d+\) \|$/gm)?.length,
      2,
    );
    for (const { body } of scenario.fake.reviewCommentsOf(scenario.pullRequest))
      assert.ok(!text.includes(body.split("\n")[2] ?? ""), text);
  }
  assert.equal(summary(scenario).split("Prompt for a coding agent").length, 2);

  await push(scenario, { ...AFTER, "src/users.ts": fixCatch(FIXED_SQL) });
  assert.equal(scenario.published().summaries, 1);
  assert.match(summary(scenario), /\*\*No findings .*; 2 resolved/);
  assert.doesNotMatch(summary(scenario), /\| Severity \|/);
  scenario.check();
});
