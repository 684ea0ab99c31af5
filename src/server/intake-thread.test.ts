import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { openStore, type Store } from "../store/store.ts";
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

async function withThread(run: (intake: Intake, store: Store, path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "kodiai.db");
    const databaseUrl = `sqlite:${path}`;
    const store = await openStore(databaseUrl);
    const intake = startIntakeThread({ databaseUrl, appId: 1, host: "github.com" });
    try {
      await run(intake, store, path);
    } finally {
      await intake.close();
      await store.close();
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
  return { id: randomUUID(), event: "pull_request", bytes, receivedAt: 1, slug: "kodiai" };
}

test("webhooks that were recorded are in the database, each with its job", () =>
  withThread(async (intake, store) => {
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

test("each webhook of a group gets its own answer", () =>
  withThread(async (intake) => {
    const first = opened(1);
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
  withThread(async (intake, store, path) => {
    await store.database.query("alter table deliveries rename to renamed");
    await assert.rejects(intake.record(opened(1)), /no such table: deliveries/);
    await store.database.query("alter table renamed rename to deliveries");
    assert.equal((await intake.record(opened(2))).state, "queued");
    rmSync(path);
    await assert.rejects(
      intake.record(opened(3)),
      (error) => error instanceof KodiaiError && error.retryable && error.hint.includes("restore a backup"),
    );
  }));
