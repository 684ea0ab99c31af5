/** Second pushes on the whole app: only what is new is said, fixed findings are closed on proof, nothing is said twice. */
import assert from "node:assert/strict";
import { pushAndReview, reasonOf, threadStates } from "../support/app/pushes.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

const CONFIG = "review:\n  debounceSeconds: 0\n";
const USERS = AFTER["src/users.ts"];
const FIXED_SQL = USERS.replace(
  "`select * from users where id = ${id}`",
  '"select * from users where id = $1", [id]',
);
const FIXED_CATCH = USERS.replace("} catch {}", "} catch (error) {\n    console.error(error);\n  }");

async function open(scenario: Scenario): Promise<void> {
  await scenario.start();
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "published");
}

async function push(scenario: Scenario, files: Readonly<Record<string, string>>): Promise<void> {
  assert.equal(await pushAndReview(scenario, files), "published");
}

function summary({ fake, pullRequest }: Scenario): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}

test("a fixed finding is resolved with its thread, and an open one is neither repeated nor closed", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  await open(scenario);
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

test("a thread on which a person wrote last, or whose code is unchanged, stays open", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scenario;
  await open(scenario);
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

test("[P4] a resolved thread waives a finding only if a person with write access resolved it", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, repository } = scenario;
  repository.roles.set("grace", "write");
  await open(scenario);
  const [sql, empty] = await fake.threadsOf(pullRequest);
  assert.ok(sql !== undefined && empty !== undefined);
  await fake.resolveThread(sql.comments[0], "mallory");
  await fake.resolveThread(empty.comments[0], "grace");
  await push(scenario, { ...AFTER, "src/users.test.ts": "// three\n" });
  assert.match(summary(scenario), /### Still open \(1\)\n\n- \(1\)/);
  assert.match(summary(scenario), /### Contested or waived \(1\)\n\n- \(2\)/);
  scenario.check();
});

test("with the database lost between pushes, nothing is said twice and proven fixes are closed", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  await open(scenario);
  const { database } = scenario;
  for (const table of ["findings", "finding_events", "run_readings", "publications", "runs"])
    await database.query(`delete from ${table}`);
  await push(scenario, { ...AFTER, "src/users.ts": FIXED_CATCH });
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
  await open(scenario);
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
