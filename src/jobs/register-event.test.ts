/** Numbers of a host become our ids before a job is planned, and jobs of older versions still name the same repository. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ForgeEvent } from "../forge/forge.ts";
import { parseLearnJob } from "./memory/learn-job.ts";
import { parseMentionJob } from "./mentions/mention-job.ts";
import { registerEvent } from "./register-event.ts";
import { parseReviewJob } from "./review-job.ts";

const HERE = { host: "ghe.example.org", forgeId: 5 };
const ids = { idOf: async ({ forgeId }: { readonly forgeId: number }) => forgeId + 1_000 };

test("an event about a repository gets its id and keeps the rest", async () => {
  const repositoryRef = { ...HERE, installationId: 7, owner: "octo", name: "cat" };
  const event: ForgeEvent = { kind: "visibility", repositoryRef, isPrivate: true };
  assert.deepEqual(await registerEvent(event, ids), {
    ...event,
    repositoryRef: { ...repositoryRef, repositoryId: 1_005 },
  });
});

test("removed repositories become ids, and all repositories stay all", async () => {
  const removed: ForgeEvent = {
    kind: "uninstalled",
    installationId: 7,
    repositories: [HERE],
    requestId: "d",
  };
  const registered = await registerEvent(removed, ids);
  assert.deepEqual(registered, { ...removed, repositories: [1_005] });
  const all: ForgeEvent = { ...removed, repositories: null };
  assert.deepEqual(await registerEvent(all, ids), all);
});

const OLD_REF = { installationId: 7, repositoryId: 42, owner: "octo", name: "cat" };
const NEW_REF = { ...OLD_REF, host: "ghe.example.org", forgeId: 5, repositoryId: 1_005 };

for (const [kind, key, parse] of [
  ["review", "place", parseReviewJob],
  ["learn", "place", parseLearnJob],
  ["mention", "repositoryRef", parseMentionJob],
] as const)
  test(`a ${kind} job of an older version means the app's host, and one of this version its own`, () => {
    const refOf = (stored: unknown) => parse(JSON.stringify({ [key]: stored })).repositoryRef;
    assert.deepEqual(refOf(OLD_REF), { ...OLD_REF, host: "", forgeId: 42 });
    assert.deepEqual(refOf(NEW_REF), NEW_REF);
  });
