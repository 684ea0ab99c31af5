import assert from "node:assert/strict";
import { hash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type Engine, ENGINES, engineNamed, withStore } from "../../test/support/queue-contract/engines.ts";
import { openStore, sqlitePathOf, type Store } from "../store/store.ts";
import { listDeliveries } from "../store/repositories/deliveries.ts";
import type { Intake, ReceivedWebhook } from "./intake.ts";
import { startIntakeThread } from "./intake-thread.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-intake-"));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Opened = { readonly intake: Intake; readonly store: Store; readonly url: string };

async function withThread(engine: Engine, run: (opened: Opened) => Promise<void>): Promise<void> {
  await withStore(engine, async (store, url) => {
    const intake = startIntakeThread({ databaseUrl: url, appId: 1, host: "github.com" });
    try {
      await run({ intake, store, url });
    } finally {
      await intake.close();
    }
  });
}

/** A pull request was opened. `paddingBytes` makes the body larger. */
function opened(number: number, paddingBytes = 0): ReceivedWebhook {
  const body = {
    action: "opened",
    installation: { id: 7 },
    repository: { id: 8, name: "repo", full_name: "octo/repo", owner: { login: "octo" } },
    sender: { id: 9, login: "octocat", type: "User" },
    pull_request: {
      number,
      title: "A change",
      state: "open",
      draft: false,
      updated_at: "2026-01-01T00:00:00Z",
      user: { id: 9, login: "octocat", type: "User" },
      head: { sha: "a".repeat(40) },
    },
    padding: "x".repeat(paddingBytes),
  };
  return webhook(Buffer.from(JSON.stringify(body)));
}

function webhook(bytes: Uint8Array): ReceivedWebhook {
  const bodyHash = hash("sha256", bytes);
  return { id: randomUUID(), event: "pull_request", bytes, bodyHash, receivedAt: 1, slug: "kodiai" };
}

for (const engine of ENGINES) {
  test(`${engine.name}: webhooks that were recorded are in the database, each with its job`, () =>
    withThread(engine, async ({ intake, store }) => {
      // Small bodies share a buffer, larger ones have their own, and the largest are parsed by a job.
      const received = [0, 100, 20_000, 70_000, 600_000].map((bytes, index) => opened(index + 1, bytes));
      const recorded = await Promise.all(received.map((each) => intake.record(each)));
      assert.deepEqual(
        recorded.map(({ state }) => state),
        received.map(() => "queued"),
      );
      const found = await listDeliveries({ limit: 10, withoutJob: false }, store.database);
      assert.deepEqual(found.map(({ guid }) => guid).toSorted(), received.map(({ id }) => id).toSorted());
      assert.equal(new Set(found.map(({ jobId }) => jobId)).size, received.length);
      assert.deepEqual(new Set(found.map(({ pullRequest }) => pullRequest)), new Set([1, 2, 3, 4, null]));
    }));

  test(`${engine.name}: each webhook of a group gets its own answer`, () =>
    withThread(engine, async ({ intake }) => {
      const first = opened(1);
      // The repository is known then, so that the others are planned in one turn of the event loop.
      await intake.record(opened(3));
      const answers = await Promise.all([
        intake.record({ ...first, bytes: first.bytes.slice() }),
        intake.record(webhook(Buffer.from("payload=no+JSON"))),
        intake.record({ ...first, bytes: first.bytes.slice() }),
        intake.record({ ...opened(2), id: first.id }),
        intake.record(webhook(Buffer.from("{}"))),
      ]);
      assert.deepEqual(
        answers.map((each) => ("reason" in each ? (each.reason ?? each.state) : each.state)),
        ["queued", "bad-json", "skipped:duplicate-delivery", "conflict", "skipped:unhandled-action"],
      );
    }));

  test(`${engine.name}: one webhook of a group that can't be written is refused, and the others are recorded once`, () =>
    withThread(engine, async ({ intake, store: { database } }) => {
      await intake.record(opened(1));
      await database.query(REFUSE[database.dialect.name]);
      const good = [opened(2), opened(3), opened(4)];
      const [a, b, c] = good;
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      const outcomes = await Promise.allSettled(
        [a, b, { ...opened(5), id: "refused" }, c].map((each) => intake.record(each)),
      );
      assert.deepEqual(
        outcomes.map((each) => (each.status === "fulfilled" ? each.value.state : each.status)),
        ["queued", "queued", "rejected", "queued"],
      );
      const found = await listDeliveries({ limit: 10, withoutJob: false }, database);
      const ids = new Set(found.map(({ guid }) => guid));
      assert.equal(found.length, 4);
      assert.ok(good.every(({ id }) => ids.has(id)));
      assert.equal((await database.query("select id from jobs")).length, 4);
    }));
}

const REFUSE = {
  sqlite: `create trigger refuse before insert on deliveries when new.guid = 'refused'
    begin select raise(abort, 'refused'); end`,
  postgres: "alter table deliveries add constraint refuse check (guid <> 'refused')",
} as const;

test("postgres: webhooks that arrive together share a transaction", () =>
  withThread(engineNamed("postgres"), async ({ intake, store: { database } }) => {
    await intake.record(opened(1));
    await Promise.all(Array.from({ length: 50 }, (_, index) => intake.record(opened(index + 2))));
    // PostgreSQL keeps the transaction that inserted a row.
    const [row] = await database.query(
      "select count(*) as deliveries, count(distinct xmin::text) as transactions from deliveries",
    );
    assert.deepEqual({ ...row }, { deliveries: 51, transactions: 2 });
  }));

test("postgres: connections are lost while groups are written: each webhook that was recorded is in the database once", () =>
  withThread(engineNamed("postgres"), async ({ intake, store: { database } }) => {
    await intake.record(opened(1));
    let number = 1;
    let losses = 0;
    const isDisrupted = (): boolean => losses < LOSSES;
    const recorded: string[] = [];
    const sender = async (): Promise<void> => {
      while (isDisrupted()) {
        const received = opened(++number);
        // A commit without an answer is refused. The sender would send it again.
        const state = await intake.record(received).then(
          (each) => each.state,
          () => "refused",
        );
        if (state === "queued") recorded.push(received.id);
      }
    };
    const disrupt = async (): Promise<void> => {
      for (; losses < LOSSES; losses++) {
        const before = recorded.length;
        await eventually("more webhooks to be recorded", () => recorded.length > before + 20);
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
    };
    await Promise.all([disrupt(), ...Array.from({ length: 10 }, sender)]);
    const rows = await database.query<{ guid: string; job_id: number }>(
      "select guid, job_id from deliveries",
    );
    const jobs = new Set((await database.query<{ id: number }>("select id from jobs")).map(({ id }) => id));
    const found = new Map(rows.map((row) => [row.guid, row.job_id]));
    assert.deepEqual(
      recorded.filter((id) => !jobs.has(found.get(id) ?? 0)),
      [],
    );
    // Whatever was written without an answer is complete too.
    assert.equal(jobs.size, rows.length);
  }));

/** Enough that some hit a transaction between its first statement and its commit. */
const LOSSES = 8;

test("a thread that crashed is replaced, and its webhooks are refused", () =>
  inFolder(async (folder) => {
    const blocker = join(folder, "data");
    const databaseUrl = `sqlite:${join(blocker, "kodiai.db")}`;
    // The thread can't open a database in a folder that is a file.
    writeFileSync(blocker, "");
    const intake = startIntakeThread({ databaseUrl, appId: 1, host: "github.com" });
    await assert.rejects(
      intake.record(opened(1)),
      (error) => error instanceof KodiaiError && error.code === "database",
    );
    rmSync(blocker);
    const store = await openStore(databaseUrl);
    assert.equal((await intake.record(opened(2))).state, "queued");
    await intake.close();
    await store.close();
  }));

test("errors of the thread reach the caller with their fields, and the thread goes on", () =>
  withThread(engineNamed("sqlite"), async ({ intake, store, url }) => {
    await store.database.query("alter table deliveries rename to renamed");
    await assert.rejects(intake.record(opened(1)), /no such table: deliveries/);
    await store.database.query("alter table renamed rename to deliveries");
    assert.equal((await intake.record(opened(2))).state, "queued");
    rmSync(sqlitePathOf(url));
    await assert.rejects(
      intake.record(opened(3)),
      (error) => error instanceof KodiaiError && error.retryable && error.hint.includes("restore a backup"),
    );
  }));
