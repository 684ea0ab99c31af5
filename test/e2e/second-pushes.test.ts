/** Second pushes on the whole app: only what is new is said, fixed findings are closed on proof, nothing is said twice. */
import assert from "node:assert/strict";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import { CONFIG, FIXED_SQL, openAndReview, push, summary } from "../support/second-push-fixtures.ts";

test("a fixed finding is resolved with its thread, and an open one is neither repeated nor closed", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  await openAndReview(scenario);
  assert.equal((await threadStates(scenario)).length, 2);

  await push(scenario, { ...AFTER, "src/users.ts": FIXED_SQL });
  const after = await threadStates(scenario);
  assert.deepEqual(
    after.map((each) => each.split(" | ")[1]),
    ["kodiai[bot]", "open"],
  );
  assert.match(summary(scenario), /### Still open \(1\)/);
  assert.match(summary(scenario), /### Resolved \(1\)/);
  assert.match(summary(scenario), /No new findings.*1 still open; 1 resolved/);

  // Named once as resolved.
  await push(scenario, { ...AFTER, "src/users.ts": FIXED_SQL, "src/users.test.ts": "// three\n" });
  assert.doesNotMatch(summary(scenario), /### Resolved/);
  assert.equal((await threadStates(scenario)).length, 2);

  // Broken again: a new comment under the old number.
  await push(scenario, AFTER);
  assert.equal((await threadStates(scenario)).length, 3);
  assert.match(summary(scenario), /\(1\)/);
  const { database } = scenario;
  const life = await database.query<{ state: string }>(
    `select state from finding_events where reason not like 'feedback:%'
       and identity = (select identity from findings where number = 1) order by id`,
  );
  assert.deepEqual(
    life.map(({ state }) => state),
    ["open", "verified", "open"],
  );
  scenario.check();
});
