import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../../test/support/queue-contract/engines.ts";
import type { Database } from "../../../store/database.ts";
import { readModelRequests } from "../../../store/repositories/model-requests.ts";
import type { RequesterClass } from "../../spending/request-limits.ts";
import type { MentionJob } from "../mention-job.ts";
import { claimMentionRecord } from "../mention-record.ts";
import { permitConversation } from "./permit-conversation.ts";

const NOW = 10_000_000;
const repositoryRef = {
  host: "github.com",
  installationId: 1,
  forgeId: 2,
  repositoryId: 2,
  owner: "acme",
  name: "shop",
};
const subject = {
  repositoryRef,
  number: 7,
  author: { login: "bob", isBot: false },
  association: null,
};

const MENTION: MentionJob = {
  repositoryRef,
  place: { number: 7, target: { kind: "issue-comment", id: 5 }, threadRoot: null },
  isPullRequest: true,
  requester: { login: "eve", isBot: false, isInsider: false },
  requesterId: 9,
  command: { kind: "ask", question: "why?" },
  requestId: "r",
  writtenAt: NOW,
};

type Asking = { readonly maxTurns?: number; readonly hasModel?: boolean; readonly who?: RequesterClass };

/** Asks as the `id`-th mention, as its job would on every attempt. */
async function ask(id: number, database: Database, asking: Asking = {}) {
  const { maxTurns = 10, hasModel = true, who = "stranger" } = asking;
  const store = { database, now: () => NOW };
  const record = await claimMentionRecord({ ...MENTION, requestId: `r${id}` }, store);
  const config = {
    limits: { strangersPerHour: 2, contributorsPerHour: 6 },
    mentions: { enabled: true, allowEveryone: true, threads: false, maxTurns },
  };
  const reply = await permitConversation(
    { record, login: "eve", subject, requesterClass: who, run: { id }, jobId: id, config, hasModel },
    {},
    store,
  );
  return reply === null ? "answered" : [reply.outcome, reply.body !== null];
}

for (const engine of ENGINES) {
  test(`${engine.name}: a class gets its answers an hour, then one line, then only a reaction`, () =>
    withStore(engine, async ({ database }) => {
      assert.equal(await ask(1, database), "answered");
      assert.equal(await ask(2, database), "answered");
      assert.deepEqual(await ask(3, database), ["refused:request-limit", true]);
      assert.deepEqual(await ask(4, database), ["refused:request-limit", false]);
      // Retries after a crash: the same decisions.
      assert.equal(await ask(2, database), "answered");
      assert.deepEqual(await ask(3, database), ["refused:request-limit", true]);
      assert.equal(await ask(5, database, { who: "writer" }), "answered");
      assert.equal(await ask(6, database, { hasModel: false }), "answered");
      const key = { repositoryId: 2, pullRequest: 7, sinceMs: 0 };
      const outcomes = (await readModelRequests(key, database)).map(({ runId, outcome }) => [runId, outcome]);
      assert.deepEqual(
        outcomes.toSorted(([a], [b]) => Number(a) - Number(b)),
        [
          [1, "granted"],
          [2, "granted"],
          [3, "answered"],
          [4, "refused"],
          [5, "granted"],
        ],
      );
    }));

  test(`${engine.name}: two mentions at once can't both take the last answer, and a retry keeps its own`, () =>
    withStore(engine, async ({ database }) => {
      const asking = { maxTurns: 3, who: "writer" } as const;
      assert.equal(await ask(1, database, asking), "answered");
      const all = await Promise.all([2, 3, 4, 5].map((id) => ask(id, database, asking)));
      const answered = all.flatMap((end, index) => (end === "answered" ? [index + 2] : []));
      assert.equal(answered.length, 2);
      for (const id of [1, ...answered]) assert.equal(await ask(id, database, asking), "answered");
      // A person with write access always learns why.
      assert.deepEqual(await ask(8, database, asking), ["refused:max-turns", true]);
      assert.deepEqual(await ask(9, database, { ...asking, who: "contributor" }), [
        "refused:max-turns",
        false,
      ]);
    }));
}
