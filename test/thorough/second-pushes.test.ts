/** Second pushes in their variations: people in threads, who may waive, a lost database, a rebase. */
import assert from "node:assert/strict";
import { reasonOf, threadStates } from "../support/app/pushes.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";
import {
  CONFIG,
  fixCatch,
  FIXED_SQL,
  openAndReview,
  push,
  summary,
  USERS,
} from "../support/second-push-fixtures.ts";

test("a thread on which a person wrote last, or whose code is unchanged, stays open", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scenario;
  await openAndReview(scenario);
  const [first] = await fake.threadsOf(pullRequest);
  assert.ok(first !== undefined);
  fake.reply(first.comments[0], { author: "ada", body: "This is intended." });
  await push(scenario, { ...AFTER, "src/users.ts": FIXED_SQL });
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["open", "open"],
  );
  scenario.check();
});

test("with the database lost between pushes, nothing is said twice and proven fixes are closed", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  await openAndReview(scenario);
  const { database } = scenario;
  for (const table of ["findings", "finding_events", "run_readings", "publications", "runs"])
    await database.query(`delete from ${table}`);
  await push(scenario, { ...AFTER, "src/users.ts": fixCatch(USERS) });
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["open", "kodiai[bot]"],
  );
  assert.equal(scenario.published().summaries, 1);
  assert.match(summary(scenario), /1 still open; 1 resolved/);
  scenario.check();
});

test("rebased onto a moved base without edits, a pull request carries its review over", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, repository } = scenario;
  await openAndReview(scenario);
  await fake.commit(repository, { "src/other.ts": "export const other = 1;\n" });
  await fake.push(pullRequest, AFTER, { isForced: true });
  assert.equal(await reasonOf(scenario, () => scenario.send("synchronize")), "published");
  assert.equal((await threadStates(scenario)).length, 2);
  assert.match(summary(scenario), /2 still open/);
  const [row] = await scenario.database.query<{ readings: string }>(
    "select readings from run_readings order by run_id desc limit 1",
  );
  assert.doesNotMatch(row?.readings ?? "", new RegExp(pullRequest.head), "nothing was read again");
  scenario.check();
});

test("[P4] a resolved thread waives a finding only if a person with write access resolved it", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, repository } = scenario;
  repository.roles.set("grace", "write");
  await openAndReview(scenario);
  const [sql, empty] = await fake.threadsOf(pullRequest);
  assert.ok(sql !== undefined && empty !== undefined);
  await fake.resolveThread(sql.comments[0], "mallory");
  await fake.resolveThread(empty.comments[0], "grace");
  await push(scenario, { ...AFTER, "src/users.test.ts": "// three\n" });
  assert.match(summary(scenario), /### Still open \(1\)\n\n- \(1\)/);
  assert.match(summary(scenario), /### Dismissed or accepted \(1\)\n\n- \(2\)/);
  scenario.check();
});
