/** Proves that the oracle detects each forbidden state, and reports nothing otherwise. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import { checkOracle, type OracleExpectations, oracleProblems } from "./oracle.ts";
import type { PullRequest } from "./world.ts";

type Stage = {
  readonly fake: FakeGithub;
  readonly pullRequest: PullRequest;
  readonly token: string;
  readonly post: (path: string, body: object) => Promise<{ readonly id: number }>;
};

const PULL = "/repos/acme/shop/pulls/1";

async function stage(context: TestContext): Promise<Stage> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const pullRequest = await fake.openPullRequest(await fake.createRepository(), { files: { "a.ts": "a\n" } });
  const token = await tokenOf(fake);
  return {
    fake,
    pullRequest,
    token,
    post: async (path, body) => (await ask(fake, `POST ${path}`, { token, body })).body,
  };
}

async function publish({ post, pullRequest }: Stage): Promise<void> {
  const comments = [{ path: "a.ts", line: 1, body: "hm" }];
  const { id } = await post(`${PULL}/reviews`, { body: "review", comments, commit_id: pullRequest.head });
  await post(`${PULL}/reviews/${id}/events`, { event: "COMMENT" });
  await post("/repos/acme/shop/issues/1/comments", { body: "summary" });
  await post("/repos/acme/shop/check-runs", { name: "Kodiai", head_sha: pullRequest.head });
}

test("one review, one summary and one check are correct", async (context) => {
  const staged = await stage(context);
  await publish(staged);
  checkOracle(staged.fake);
  await ask(staged.fake, "DELETE /installation/token", { token: staged.token });
  checkOracle(staged.fake, { tokensRevoked: true });
});

type Misdeed = {
  readonly title: string;
  readonly act: (staged: Stage) => Promise<unknown>;
  readonly expected: RegExp;
  readonly excusedBy?: OracleExpectations;
};

const MISDEEDS: readonly Misdeed[] = [
  {
    title: "everything published twice",
    act: publish,
    expected:
      /2 × submitted review[^]*2 × summary[^]*2 × check run "Kodiai"[^]*2 × comment on acme\/shop#1 a\.ts:1 hm/,
  },
  {
    title: "a second review of the same head",
    act: ({ post }) => post(`${PULL}/reviews`, { body: "again", event: "COMMENT" }),
    expected: /2 × submitted review/,
    excusedBy: { reviewsPerHead: 2 },
  },
  {
    title: "a pending review left behind",
    act: ({ post }) => post(`${PULL}/reviews`, { body: "pending" }),
    expected: /a pending review is left on acme\/shop#1/,
    excusedBy: { isPendingAllowed: true },
  },
  {
    title: "a comment that is no summary",
    act: ({ post }) => post("/repos/acme/shop/issues/1/comments", { body: "an answer" }),
    expected: /2 × summary/,
    excusedBy: { isSummary: (body) => body === "summary" },
  },
  {
    title: "a review of an old head",
    act: async ({ fake, post, pullRequest }) => {
      const old = pullRequest.head;
      const { id } = await post(`${PULL}/reviews`, { body: "late", commit_id: old });
      await fake.push(pullRequest, { "b.ts": "b\n" });
      await post(`${PULL}/reviews/${id}/events`, { event: "COMMENT" });
    },
    expected: /pulls\/submit-review on acme\/shop#1 speaks of/,
    excusedBy: { isLateWriteAllowed: true, reviewsPerHead: 2 },
  },
  {
    title: "a write after the pull request was closed",
    act: async ({ fake, post, pullRequest }) => {
      await fake.closePullRequest(pullRequest);
      await post("/repos/acme/shop/issues/1/comments", { body: "late" });
    },
    expected: /issues\/create-comment on acme\/shop#1 after it was closed/,
    excusedBy: { isLateWriteAllowed: true, isSummary: (body) => body === "summary" },
  },
  {
    title: "a merge",
    act: ({ fake, token }) => ask(fake, `PUT ${PULL}/merge`, { token, body: {} }),
    expected: /PUT \/repos\/acme\/shop\/pulls\/1\/merge is nothing the app may do/,
  },
  {
    title: "two writes at once",
    act: async ({ fake, post }) => {
      const gate = Promise.withResolvers<void>();
      const fault = { kind: "delay", until: gate.promise } as const;
      fake.faults.add({ operation: "reactions/create-for-issue", fault });
      const arrived = Promise.withResolvers<void>();
      const off = fake.onRequest("reactions/create-for-issue", () => arrived.resolve());
      const first = post("/repos/acme/shop/issues/1/reactions", { content: "eyes" });
      await arrived.promise;
      off();
      await post("/repos/acme/shop/issues/1/reactions", { content: "+1" });
      gate.resolve();
      await first;
    },
    expected: /reactions\/create-for-issue was sent while reactions\/create-for-issue was under way/,
    excusedBy: { isOverlapAllowed: true },
  },
  {
    title: "more than eighty writes in a minute",
    act: async ({ post }) => {
      for (let index = 0; index < 80; index++)
        await post("/repos/acme/shop/issues/1/reactions", { content: "eyes" });
    },
    expected: /more than 80 content-creating requests/,
  },
];

for (const { title, act, expected, excusedBy } of MISDEEDS) {
  test(`the oracle detects ${title}`, async (context) => {
    const staged = await stage(context);
    await publish(staged);
    await act(staged);
    assert.match(oracleProblems(staged.fake).join("\n"), expected);
    if (excusedBy !== undefined) assert.deepEqual(oracleProblems(staged.fake, excusedBy), []);
  });
}

test("the oracle detects a token that wasn't revoked, unless it has expired", async (context) => {
  const staged = await stage(context);
  assert.match(oracleProblems(staged.fake, { tokensRevoked: true }).join("\n"), /was not revoked/);
  staged.fake.clock.advance(61 * 60_000);
  checkOracle(staged.fake, { tokensRevoked: true });
});
