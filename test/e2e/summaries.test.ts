/** When a pull request gets a summary, on the whole app: with findings, without any, and never. */
import assert from "node:assert/strict";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER, FINDINGS, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import { CONFIG, FIXED_SQL, openAndReview, push, summary, USERS } from "../support/second-push-fixtures.ts";

const FIXED_CATCH = (text: string): string =>
  text.replace("} catch {}", "} catch (error) {\n    console.error(error);\n  }");

const FOOTER = /`@kodiai help` lists the commands · React with 👎 to a wrong finding/;

/** Of the newest check. */
function checkOf({ fake, pullRequest }: Scenario): string {
  const output = fake.checksOf(pullRequest).at(-1)?.output;
  return `${output?.title ?? ""}\n${output?.summary ?? ""}`;
}

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
  assert.match(checkOf(scenario), /^No findings in 1 file/);
  assert.match(checkOf(scenario), FOOTER);

  await push(scenario, AFTER);
  const { reviews, comments, summaries } = scenario.published();
  assert.deepEqual([reviews, comments, summaries], [1, ONE_REVIEW.comments, 1]);
  assert.match(summary(scenario), FOOTER);
  const threads = await scenario.fake.threadsOf(scenario.pullRequest);
  assert.equal(threads.length, FINDINGS.length);
  for (const text of [summary(scenario), checkOf(scenario)]) {
    // Each row has the address of a comment, and no explanation is repeated.
    assert.equal(
      text.match(/^\| \d \| \w+ \| [^|]+ \| \[`src\/users\.ts:\d+`\]\(\S+#discussion_r\d+\) \|$/gm)?.length,
      2,
    );
    for (const { body } of scenario.fake.reviewCommentsOf(scenario.pullRequest))
      assert.ok(!text.includes(body.split("\n")[2] ?? ""), text);
  }
  assert.equal(summary(scenario).split("Prompt for a coding agent").length, 2);

  await push(scenario, { ...AFTER, "src/users.ts": FIXED_CATCH(FIXED_SQL) });
  assert.equal(scenario.published().summaries, 1);
  assert.match(summary(scenario), /\*\*No findings .*; 2 resolved/);
  assert.doesNotMatch(summary(scenario), /\| Severity \|/);
  scenario.check();
});

test("[P14] with review.summary: off, the check has everything, and a lost database repeats nothing", async (openScenario) => {
  const scenario = await openScenario({ config: `${CONFIG}  summary: off\n` });
  await openAndReview(scenario);
  assert.deepEqual(scenario.published(), { ...ONE_REVIEW, summaries: 0 });
  const [review] = scenario.fake.reviewsOf(scenario.pullRequest);
  assert.match(review?.body ?? "", FOOTER);
  assert.match(checkOf(scenario), /Prompt for a coding agent/);

  const { database } = scenario;
  for (const table of ["findings", "finding_events", "run_readings", "publications", "runs"])
    await database.query(`delete from ${table}`);
  await push(scenario, { ...AFTER, "src/users.ts": FIXED_CATCH(USERS) });
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["open", "kodiai[bot]"],
  );
  assert.equal(scenario.published().summaries, 0);
  assert.match(checkOf(scenario), /1 still open; 1 resolved/);
  scenario.check();
});
