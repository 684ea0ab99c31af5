import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, Queue } from "../../queue/queue.ts";
import { CLOSE_KIND, renderReviewJob, REVIEW_KIND, type ReviewTrigger } from "../review-job.ts";
import { gatherRequests, triggersOf } from "./gather-requests.ts";

const REPOSITORY = {
  host: "github.com",
  installationId: 7,
  forgeId: 42,
  repositoryId: 42,
  owner: "octo",
  name: "cat",
};

function jobOf(id: number, trigger: ReviewTrigger, kind = REVIEW_KIND): Job {
  return {
    id,
    key: String(id),
    kind,
    lane: "review",
    serialKey: "review/42/5",
    group: "7",
    priority: 0,
    payload: renderReviewJob({
      repositoryRef: REPOSITORY,
      number: 5,
      trigger,
      request: "",
      isFull: false,
      reactTo: null,
      requester: null,
    }),
    state: "superseded",
    reason: null,
    step: null,
    attempts: 0,
    deaths: 0,
    isSuspect: false,
    supersededBy: null,
    createdAt: 0,
    runAt: 0,
    startedAt: null,
    finishedAt: null,
    worker: null,
  };
}

function queueOf(replaced: readonly Job[], jobId: number): Queue {
  const supersededBy: Queue["supersededBy"] = async (id) => (id === jobId ? replaced : []);
  // A test double: calling any other method throws.
  return { supersededBy } as Queue;
}

test("a job that replaced no other has only its own trigger", async () => {
  assert.deepEqual(triggersOf(await gatherRequests(jobOf(3, "opened"), queueOf([], 3))), ["opened"]);
});

test("a push that replaced the first review keeps that review's trigger", async () => {
  const replaced = [jobOf(2, "synchronize"), jobOf(1, "opened")];
  const triggers = triggersOf(await gatherRequests(jobOf(3, "synchronize"), queueOf(replaced, 3)));
  assert.deepEqual(triggers, ["synchronize", "opened"]);
});

test("a replaced close job adds no trigger", async () => {
  const replaced = [jobOf(2, "opened", CLOSE_KIND)];
  const triggers = triggersOf(await gatherRequests(jobOf(3, "reopened"), queueOf(replaced, 3)));
  assert.deepEqual(triggers, ["reopened"]);
});
