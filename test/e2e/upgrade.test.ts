/** An installation of the version before hosts is upgraded: its jobs, findings and journals go on as if nothing had happened. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { CONFIG, FIXED_SQL, summary } from "../support/second-push-fixtures.ts";
import type { JobRequest } from "../../src/queue/queue.ts";
import { hosts } from "../../src/store/migrations/knowledge/0017-hosts.ts";

type DialectName = Scenario["database"]["dialect"]["name"];

/** Removes the triggers that note the days of a table. */
function dropNotes(prefix: string): Readonly<Record<DialectName, readonly string[]>> {
  return {
    sqlite: ["added", "removed", "changed"].map((event) => `drop trigger ${prefix}_day_of_${event}`),
    postgres: ["rows", "row"].map((each) => `drop function ${prefix}_note_${each} cascade`),
  };
}

/** Undoes the migrations since then, the newest first. */
const UNDONE = [
  ...["finding_figures", "memory_figures", "run_figures"].map(dropNotes),
  "drop table daily_findings",
  "alter table suppressions drop column last_hidden_at",
  "alter table suppressions drop column hidden",
  "drop table changed_finding_days",
  "drop table reply_readings",
  "drop index findings_by_repository",
  "alter table bumps drop column advisories",
  "alter table bumps drop column confidence",
  ...["runs", "findings", "memories", "spendings"].map(dropNotes),
  "drop table daily_costs",
  "drop table daily_totals",
  "drop table changed_days",
  "drop table kept_publications",
  "alter table feedback drop column words",
  "drop table dashboard_audit",
  "drop table dashboard_sign_ins",
  "drop table dashboard_sessions",
  "drop index memories_by_time",
  "drop index spendings_by_time",
  "drop index findings_by_time",
  "drop index runs_by_repository",
  "drop index runs_by_time",
  "drop table review_views",
  "alter table findings drop column merged_at",
  "alter table runs drop column mode",
  "drop table repositories",
];

/** Takes the database back to the version before, with jobs as it wrote them. */
async function downgrade({ database }: Scenario): Promise<void> {
  for (const undone of UNDONE) {
    const statements = typeof undone === "string" ? [undone] : undone[database.dialect.name];
    for (const statement of statements) await database.query(statement);
  }
  await database.query("delete from schema_migrations where number >= $1", [hosts.number]);
  const jobs = await database.query<{ id: number; payload: string }>("select id, payload from jobs");
  for (const { id, payload } of jobs) {
    // Written by review-job.ts.
    const { place, ...rest } = JSON.parse(payload) as { place?: Record<string, unknown> };
    if (place === undefined) continue;
    const { host: _host, forgeId: _number, ...old } = place;
    await database.query("update jobs set payload = $2 where id = $1", [
      id,
      JSON.stringify({ place: old, ...rest }),
    ]);
  }
}

/** Queues the review of a push like that of the first head, as a server does when it gets the event. */
async function enqueuePush(scenario: Scenario, head: string): Promise<void> {
  const [first] = await scenario.jobs();
  assert.ok(first !== undefined);
  const { key, kind, lane, serialKey, group, priority, payload } = first;
  const request: JobRequest = {
    kind,
    lane,
    serialKey,
    group,
    priority,
    key: key.replace(/[^/]+$/, head),
    supersedes: true,
    delayMs: 0,
    payload: JSON.stringify({ ...(JSON.parse(payload) as object), trigger: "synchronize" }),
  };
  await scenario.database.transaction((sql) => scenario.queue.enqueue([request], sql));
}

test("a review of a known pull request goes on incrementally, from a job that the old version queued", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, repository, database } = scenario;
  const old = await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  assert.equal((await threadStates(scenario)).length, 2);
  await old.stop();
  await enqueuePush(scenario, await fake.push(pullRequest, { ...AFTER, "src/users.ts": FIXED_SQL }));
  await downgrade(scenario);

  await scenario.start();
  await eventually("the second review", async () =>
    (await scenario.jobs()).every(({ state }) => state === "done"),
  );
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["kodiai[bot]", "open"],
  );
  assert.match(summary(scenario), /No new findings.*1 still open; 1 resolved/);

  // The next event gives the repository's row the name of its host.
  await fake.push(pullRequest, { ...AFTER, "src/users.ts": FIXED_SQL, "src/more.ts": "debugger;\n" });
  assert.equal(await scenario.send("synchronize"), 202);
  await scenario.settled();
  assert.match(summary(scenario), /1 new finding \(.*; 1 more still open/);
  const rows = await database.query("select id, host, forge_id from repositories");
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [[repository.id, new URL(fake.url).host, repository.id]],
  );
  scenario.check();
});
