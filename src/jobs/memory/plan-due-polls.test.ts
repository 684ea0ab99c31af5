import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { QUEUE_DEFAULTS } from "../../queue/queue.ts";
import { writeFeedbackPoll } from "../../store/repositories/feedback-polls.ts";
import { nextPollAt } from "./next-poll.ts";
import { planDuePolls } from "./plan-due-polls.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

test("a quiet pull request is read less and less often, and a closed one for two weeks", () => {
  const now = 100 * DAY_MS;
  for (const [quietMs, closedForMs, expected] of [
    [0, null, HOUR_MS],
    [8 * HOUR_MS, null, 2 * HOUR_MS],
    [30 * DAY_MS, null, DAY_MS],
    [0, 13 * DAY_MS, HOUR_MS],
    [0, 15 * DAY_MS, null],
  ] as const) {
    const closedAt = closedForMs === null ? null : now - closedForMs;
    const next = nextPollAt({ changedAt: now - quietMs, closedAt }, now);
    assert.equal(next === null ? null : next - now, expected);
  }
});

for (const engine of ENGINES)
  test(`${engine.name}: a due pull request gets one waiting job, which names the repository`, () =>
    withStore(engine, async (store) => {
      const { database, now } = store;
      const queue = await engine.openQueue(store, QUEUE_DEFAULTS, now);
      const poll = {
        repositoryId: 5,
        pullRequest: 7,
        installationId: 3,
        repository: "acme/shop",
        closedAt: null,
        changedAt: 10,
        nextAt: 50,
      };
      await database.query("insert into repositories (id, host, forge_id) values (5, 'ghe.example.org', 9)");
      await writeFeedbackPoll(poll, database);
      await writeFeedbackPoll({ ...poll, pullRequest: 8, nextAt: now() + DAY_MS }, database);
      assert.equal(await planDuePolls({ database, queue, now }), 1);
      assert.equal(await planDuePolls({ database, queue, now }), 0);
      await writeFeedbackPoll({ ...poll, nextAt: 60 }, database);
      assert.equal(await planDuePolls({ database, queue, now }), 1);
      const [waiting, ...others] = await queue.list({ states: ["queued"], limit: 10 });
      assert.deepEqual(others, []);
      assert.deepEqual(JSON.parse(waiting?.payload ?? ""), {
        place: {
          host: "ghe.example.org",
          installationId: 3,
          forgeId: 9,
          repositoryId: 5,
          owner: "acme",
          name: "shop",
        },
        number: 7,
      });
      await queue.close();
    }));
