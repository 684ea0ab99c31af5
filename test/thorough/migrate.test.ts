/** Moves of a used installation: interrupted, after reviews, and with a job whose worker was killed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import { listDeliveries, readDelivery } from "../../src/store/repositories/deliveries.ts";
import { readLedger } from "../../src/store/repositories/findings.ts";
import { createPublicationJournal } from "../../src/store/repositories/publications.ts";
import { readRunsOfJob } from "../../src/store/repositories/runs.ts";
import { openStore } from "../../src/store/store.ts";
import { AFTER, createScenario, FINDINGS, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { BIN } from "../support/built-program.ts";
import { eventually } from "../support/eventually.ts";
import { migrate } from "../support/move/run-migrate.ts";
import { readPostgres, readSqlite, sampleMove } from "../support/move/sample-move.ts";
import { makeDatabase } from "../support/postgres/shared-cluster.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";
import { requestOf } from "../support/queue-contract/sample-queue.ts";
import { runKodiai } from "../support/run-kodiai.ts";

/** The app's stored state, as the app reads it. */
async function recall({ queue, database, pullRequest, repository }: Scenario) {
  const jobs = await queue.list({ states: null, limit: 100 });
  const place = { repositoryId: repository.id, pullRequest: pullRequest.number };
  return {
    jobs,
    stats: { ...(await queue.stats()), oldestReadyMs: null },
    deliveries: await listDeliveries({ limit: 100, withoutJob: false }, database),
    runs: await Promise.all(jobs.map(({ id }) => readRunsOfJob(id, database))),
    reported: await readLedger({ ...place, runId: 0 }, database),
    journal: await Promise.all(
      (["review", "summary", "check"] as const).map((part) =>
        createPublicationJournal(database, {
          ...place,
          head: pullRequest.head,
          request: "",
          now: Date.now,
        }).read(part),
      ),
    ),
  };
}

test("Ctrl-C stops it between two batches, and the next run goes on", async (t) => {
  const { path, from, targetUrl } = await sampleMove(t);
  // Enough that it is not over before the signal comes.
  const handle = new DatabaseSync(path);
  handle.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
    insert into author_cache select i, 'ada', 1, 1 from n`);
  handle.close();
  const child = spawn(process.execPath, [BIN, "migrate", "--from", from], {
    env: { PATH: process.env["PATH"], DATABASE_URL: targetUrl },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  await eventually("the first batch", async () => {
    assert.equal(child.exitCode, null, said);
    return (await readPostgres(targetUrl))["unfinished_move_tables"]?.length;
  });
  child.kill("SIGINT");
  const [code] = await ended;
  assert.deepEqual([code, said], [130, "kodiai: interrupted; run the command again to continue\n"]);
  const { code: second, stderr } = await migrate(from, targetUrl);
  assert.equal(second, 0, stderr);
  assert.deepEqual(await readPostgres(targetUrl), readSqlite(path));
});

test("an installation that has reviewed moves, and goes on as if nothing had been", async (t) => {
  const config = "review:\n  debounceSeconds: 0\n";
  const scenario = await createScenario(t, { config });
  const { fake, pullRequest } = scenario;
  const first = await scenario.start();
  await scenario.send("opened");
  const [reviewed] = await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  await first.stop();

  // A push that was received but not processed yet.
  const server = await scenario.start(["serve", "--no-worker"]);
  await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
  const pushed = await fake.send(await fake.events.pullRequest("synchronize", pullRequest));
  assert.equal(pushed.statusCode, 202);
  const from = scenario.folder.environment["DATABASE_URL"] ?? "";
  const target = await makeDatabase({ isMigrated: false });
  t.after(() => target.remove());
  const before = await recall(scenario);
  assert.equal(before.reported.length, 2);
  await scenario.database.close();
  const early = await migrate(from, target.url);
  assert.equal(early.code, 2);
  assert.match(early.stderr, /in use by another process\n.*Stop every `kodiai serve`/);
  await server.stop();
  const moved = await migrate(from, target.url);
  assert.equal(moved.code, 0, moved.stderr);

  const store = await openStore(target.url);
  const queue = await engineNamed("postgres").openQueue(store, QUEUE_DEFAULTS, store.now);
  try {
    assert.deepEqual(await recall({ ...scenario, queue, database: store.database }), before);
    const readJobs = async () =>
      (await queue.list({ states: null, limit: 100 })).filter(({ kind }) => kind === "review-pull-request");
    assert.deepEqual(
      (await readJobs()).map(({ state }) => state),
      ["queued", "done"],
    );
    const app = await scenario.start(["serve"], { DATABASE_URL: target.url });
    await eventually("the queued job to run", async () =>
      (await readJobs()).every(({ state }) => state !== "queued" && state !== "running"),
    );
    assert.deepEqual(
      (await readJobs()).map(({ state, reason }) => [state, reason]),
      [
        ["done", "published"],
        ["done", "published"],
      ],
    );
    const comments = fake.reviewCommentsOf(pullRequest).map(({ path }) => path);
    assert.deepEqual(comments, [...FINDINGS.map(({ path }) => path), "src/more.ts"]);

    // A delivery that was taken before is known; a job of before is too; new ones get new numbers.
    const known = await readDelivery(pushed.guid, store.database);
    assert.equal(known?.state, "queued");
    assert.ok(fake.deliveries.redeliver(pushed.id));
    await fake.deliveries.settled();
    assert.equal((await readJobs()).length, 2);
    assert.equal(await queue.requeue(reviewed?.id ?? 0), false, "it is done there too");
    const [made] = await store.database.transaction((sql) =>
      queue.enqueue([requestOf({ lane: "only:no-worker" })], sql),
    );
    assert.ok((made?.jobId ?? 0) > Math.max(...(await readJobs()).map(({ id }) => id)));
    assert.equal(fake.reviewCommentsOf(pullRequest).length, 3);
    await app.stop();
    scenario.check();
  } finally {
    await queue.close();
    await store.close();
  }
});

test("a job whose worker was killed runs again over there, in a process of its own", async (t) => {
  const scenario = await createScenario(t);
  const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-findings" });
  await scenario.send("opened");
  assert.equal(await doomed.ended, "SIGKILL");
  const from = scenario.folder.environment["DATABASE_URL"] ?? "";
  const target = await makeDatabase({ isMigrated: false });
  t.after(() => target.remove());
  await scenario.database.close();
  await eventually("its lease to end", async () => {
    const { code, stderr } = await migrate(from, target.url);
    if (code !== 0) assert.match(stderr, /may still be running a job/);
    return code === 0;
  });
  const app = await scenario.start(["serve"], { DATABASE_URL: target.url });
  await eventually("the review", () => scenario.published().conclusions[0] === "neutral");
  await app.stop();
  const store = await openStore(target.url);
  const jobs = await store.database.query(
    "select state, attempts, crashed_worker is not null as is_suspect from jobs where kind = 'review-pull-request'",
  );
  await store.close();
  assert.deepEqual(jobs, [{ state: "done", attempts: 2, is_suspect: 1 }]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("missing or wrong input gets an error with a fix", async (t) => {
  const { from, targetUrl } = await sampleMove(t);
  const refused = async (args: readonly string[], env: Record<string, string>, says: RegExp) => {
    const { code, stdout, stderr } = await runKodiai(["migrate", ...args], { cwd: import.meta.dirname, env });
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, says);
  };
  await refused([], { DATABASE_URL: targetUrl }, /requires --from sqlite:PATH\n.*migrate --help/);
  await refused(["--from", "data.db"], { DATABASE_URL: targetUrl }, /--from must be .* such as sqlite:/);
  await refused(
    ["--from", "sqlite::memory:"],
    { DATABASE_URL: targetUrl },
    /--from must be .* such as sqlite:/,
  );
  await refused(["--from", targetUrl], { DATABASE_URL: targetUrl }, /--from must be .* an SQLite file/);
  await refused(
    ["--from", "sqlite:none.db"],
    { DATABASE_URL: targetUrl },
    /none\.db does not exist\n.*--from/,
  );
  await refused(["--from", from], {}, /DATABASE_URL isn't the address of a PostgreSQL .*\n.*postgres:\/\//);
  await refused(["--from", from], { DATABASE_URL: from }, /DATABASE_URL isn't the address of a PostgreSQL/);
});
