/** The app is removed from a repository: after a delay nothing of it is stored any more, and nothing else is touched. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { EMBED_KIND } from "../../src/jobs/memory/embed-job.ts";
import type { Job } from "../../src/queue/queue.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, BEFORE, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import type { PullRequest, Repository } from "../../fake-github/world.ts";

const DAY_MS = 86_400_000;

const AT_ONCE = { KODIAI_FORGET_AFTER_DAYS: "0", KODIAI_RECORD_RUNS: "on" };

/** A repository whose stored texts all differ from the other one's. */
async function openLeaving({ fake }: Scenario): Promise<Leaving> {
  const files = { "src/leaving.ts": BEFORE["src/users.ts"] };
  const repository = await fake.createRepository({ name: "leaving", files, isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, {
    title: "Leaving",
    files: { "src/leaving.ts": AFTER["src/users.ts"] },
  });
  return { repository, pullRequest };
}

type Leaving = { readonly repository: Repository; readonly pullRequest: PullRequest };

async function reviewBoth(scenario: Scenario, { pullRequest }: Leaving): Promise<void> {
  const { fake } = scenario;
  await scenario.send("opened");
  await fake.send(await fake.events.pullRequest("opened", pullRequest));
  await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  await eventually("the figures of both", async () => {
    const rows = await scenario.telemetry.query(
      "select repository from executions where repository is not null",
    );
    return rows.length >= 2;
  });
  await eventually("the vectors of both", async () => {
    return (await embedded(scenario)) === 2;
  });
}

async function embedded({ queue }: Scenario): Promise<number> {
  const jobs = await queue.list({ states: ["done"], limit: 100 });
  return jobs.filter(({ kind }) => kind === EMBED_KIND).length;
}

const removed = ({ repository }: Leaving, { fake }: Scenario) =>
  fake.deliver("installation_repositories", {
    action: "removed",
    installation: { id: fake.installationId },
    repositories_removed: [{ id: repository.id, full_name: "acme/leaving" }],
    repositories_added: [],
    sender: { login: "acme", type: "Organization" },
  });

async function tablesOf(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(
    database.dialect.name === "sqlite"
      ? "select name from sqlite_schema where type = 'table' and substr(name, 1, 7) <> 'sqlite_'"
      : "select table_name as name from information_schema.tables where table_schema = current_schema()",
  );
  return rows.map(({ name }) => name);
}

/** Recordings are packed texts. Vectors are numbers. */
function read(bytes: Uint8Array): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? gunzipSync(bytes).toString() : Buffer.from(bytes).toString("base64");
}

/** "table: row" for every row of the store. */
async function everything({ database, telemetry }: Scenario): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const each of [database, telemetry]) {
    for (const table of await tablesOf(each)) {
      // Vectors name their repository only by their place, and readings by their run.
      const isPlaced = table === "vectors" || table === "vector_blocks";
      const place = isPlaced ? " left join vector_places on vector_places.id = place_id" : "";
      const run = table === "run_readings" ? " left join runs on runs.id = run_id" : "";
      for (const row of await each.query(`select * from ${table}${place}${run}`)) {
        const readable = Object.values(row).map((value) =>
          value instanceof Uint8Array ? read(value) : value,
        );
        rows.push(`${table}: ${JSON.stringify(Object.keys(row))} ${JSON.stringify(readable)}`);
      }
    }
  }
  return [...new Set(rows)];
}

const isOf = ({ repository, pullRequest }: Leaving, row: string): boolean =>
  /leaving/i.test(row) || row.includes(pullRequest.head) || new RegExp(`\\b${repository.id}\\b`).test(row);

/** All that is not about the deletion itself. */
const withoutUpkeep = (rows: readonly string[]): readonly string[] =>
  rows
    .filter(
      (row) =>
        !/^clock:|^changed_|^daily_|reconcile|forget|installation_repositories|job_turns|"upkeep"|"embed"/.test(
          row,
        ),
    )
    .toSorted();

async function forgetting({ queue }: Scenario): Promise<Job | undefined> {
  const jobs = await queue.list({ states: null, limit: 100 });
  return jobs.find(({ kind }) => kind === "forget");
}

const ended = (scenario: Scenario): Promise<Job> =>
  eventually("the deletion to end", async () => {
    const job = await forgetting(scenario);
    return job !== undefined && job.state !== "queued" && job.state !== "running" && job;
  });

testAppInOneProcess(
  "the app is removed from a repository: no row, text or copy of it is left, and the others are as they were",
  async (openScenario) => {
    const scenario = await openScenario({ environment: AT_ONCE });
    const { folder, repository } = scenario;
    const leaving = await openLeaving(scenario);
    await scenario.start();
    await reviewBoth(scenario, leaving);
    const before = await everything(scenario);
    assert.ok(before.filter((row) => isOf(leaving, row)).length >= 10, "every kind of row is there");
    const copies = [leaving.repository, repository].map(({ id }) =>
      join(folder.path, "repositories", `${id}.git`),
    );
    assert.deepEqual(copies.map(existsSync), [true, true]);

    Object.assign(leaving.repository, { installation: null });
    await removed(leaving, scenario);
    const job = await ended(scenario);
    assert.deepEqual([job.state, job.reason], ["done", "deleted:1 repository, 0 installed again"]);
    const after = await everything(scenario);
    // The job that did it, and the event that asked for it, name the repository by its number.
    const left = after.filter((row) => isOf(leaving, row) && !row.startsWith("jobs: "));
    assert.deepEqual(left, []);
    assert.equal(await embedded(scenario), 1);
    assert.doesNotMatch(after.join("\n"), /leaving/i);
    assert.deepEqual(copies.map(existsSync), [false, true]);
    const others = withoutUpkeep(before.filter((row) => !isOf(leaving, row)));
    assert.deepEqual(
      withoutUpkeep(after).filter((row) => !isOf(leaving, row)),
      others,
    );
    scenario.check();
  },
);

testAppInOneProcess(
  "the app is uninstalled: nothing of the installation is left but counts and the record of the deletion",
  async (openScenario) => {
    const scenario = await openScenario({ environment: AT_ONCE });
    const { fake } = scenario;
    const leaving = await openLeaving(scenario);
    await scenario.start();
    await reviewBoth(scenario, leaving);
    const { installation } = fake;
    fake.uninstall(installation);
    await fake.send(fake.events.installation("deleted", installation));
    const job = await ended(scenario);
    assert.deepEqual([job.state, job.reason], ["done", "deleted:2 repositories, 0 installed again"]);
    const rows = (await everything(scenario)).filter((row) => /acme|users\.ts|leaving/i.test(row));
    assert.deepEqual(rows, []);
  },
);

testAppInOneProcess(
  "the app was installed again before the delay is over: what is stored stays",
  async (openScenario) => {
    const scenario = await openScenario({ environment: AT_ONCE });
    const leaving = await openLeaving(scenario);
    await scenario.start();
    await reviewBoth(scenario, leaving);
    const before = await everything(scenario);
    // GitHub says that it is installed: the event is an old one.
    await removed(leaving, scenario);
    const job = await ended(scenario);
    assert.deepEqual([job.state, job.reason], ["done", "deleted:0 repositories, 1 installed again"]);
    assert.deepEqual(withoutUpkeep(await everything(scenario)), withoutUpkeep(before));
    scenario.check();
  },
);

testAppInOneProcess("what is stored stays for a week after the app was uninstalled", async (openScenario) => {
  const scenario = await openScenario();
  const leaving = await openLeaving(scenario);
  await scenario.start();
  await reviewBoth(scenario, leaving);
  await removed(leaving, scenario);
  const job = await eventually("the deletion to wait", async () => {
    const found = await forgetting(scenario);
    return found?.reason != null && found;
  });
  assert.deepEqual([job.state, job.reason], ["queued", "waiting:uninstalled"]);
  assert.equal(job.runAt - job.createdAt, 7 * DAY_MS);
  assert.match((await everything(scenario)).join("\n"), /acme\/leaving/);
});
