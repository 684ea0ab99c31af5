/** A pull request that never gets a summary, on the whole app: the check has its text. */
import assert from "node:assert/strict";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import {
  checkText,
  CONFIG,
  fixCatch,
  FOOTER,
  openAndReview,
  push,
  USERS,
} from "../support/second-push-fixtures.ts";

test("[P14] with review.summary: off, the check has everything, and a lost database repeats nothing", async (openScenario) => {
  const scenario = await openScenario({ config: `${CONFIG}  summary: off\n` });
  await openAndReview(scenario);
  assert.deepEqual(scenario.published(), { ...ONE_REVIEW, summaries: 0 });
  const [review] = scenario.fake.reviewsOf(scenario.pullRequest);
  assert.match(review?.body ?? "", FOOTER);
  assert.match(checkText(scenario), /Prompt for a coding agent/);

  const { database } = scenario;
  for (const table of ["findings", "finding_events", "run_readings", "publications", "runs"])
    await database.query(`delete from ${table}`);
  await push(scenario, { ...AFTER, "src/users.ts": fixCatch(USERS) });
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["open", "kodiai[bot]"],
  );
  assert.equal(scenario.published().summaries, 0);
  assert.match(checkText(scenario), /1 still open; 1 resolved/);
  scenario.check();
});
