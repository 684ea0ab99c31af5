/** Proves that the fake can't drift from GitHub: wrong requests and responses are violations, and every operation is served. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { servedOperations } from "./api-endpoint.ts";
import { ask, tokenOf } from "./client.ts";
import { operationIds } from "./description.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";

async function stage(context: TestContext): Promise<{ readonly fake: FakeGithub; readonly token: string }> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  await fake.openPullRequest(await fake.createRepository(), { files: { "a.ts": "a\n" } });
  return { fake, token: await tokenOf(fake) };
}

test("every described operation is served, and every served one is described", () => {
  assert.deepEqual(servedOperations().toSorted(), operationIds().toSorted());
});

test("a request that doesn't match the description is a violation and isn't handled", async (context) => {
  const { fake, token } = await stage(context);
  const pull = "/repos/acme/shop/pulls/1";
  const table: readonly (readonly [string, unknown, RegExp])[] = [
    [`POST ${pull}/reviews`, { event: "SHOUT" }, /body\/event must be equal/],
    [
      `POST ${pull}/reviews`,
      { comments: [{ path: "a.ts", lines: 1, body: "x" }] },
      /unknown property "lines"/,
    ],
    [`POST ${pull}/reviews`, { comments: [{ line: 1, body: "x" }] }, /required property 'path'/],
    [`GET ${pull}/reviews?perpage=100`, undefined, /additional properties "perpage"/],
    ["GET /repos/acme/shop/pulls/one", undefined, /pull_number must be integer/],
    ["POST /repos/acme/shop/issues/1/comments", undefined, /body is missing/],
    ["POST /repos/acme/shop/check-runs", { name: "x" }, /required property 'head_sha'/],
    ["PUT /repos/acme/shop/pulls/1/merge", {}, /no such operation/],
    ["POST /repos/acme/shop/issues/1/labels", { labels: ["x"] }, /no such operation/],
  ];
  for (const [route, body, expected] of table) {
    fake.violations.length = 0;
    const answer = await ask(fake, route, { token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status === 500 || answer.status === 404, route);
    assert.match(fake.violations.join("\n"), expected);
  }
  assert.deepEqual(fake.world.writes, []);
});

test("a body that isn't JSON is a violation", async (context) => {
  const { fake, token } = await stage(context);
  const answer = await fetch(`${fake.url}/repos/acme/shop/issues/1/comments`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: "{ not json",
  });
  assert.equal(answer.status, 500);
  assert.match(fake.violations.join("\n"), /body must be object/);
});

test("a response that doesn't match the description is a violation", async (context) => {
  const { fake, token } = await stage(context);
  fake.faults.add({
    operation: "pulls/get",
    fault: { kind: "alter", body: (body) => ({ ...(body as object), number: "one", head: undefined }) },
  });
  assert.equal((await ask(fake, "GET /repos/acme/shop/pulls/1", { token })).status, 500);
  assert.match(fake.violations.join("\n"), /answer 200\/number must be integer/);
  assert.match(fake.violations.join("\n"), /answer 200 must have required property 'head'/);
});
