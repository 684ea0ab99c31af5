import assert from "node:assert/strict";
import { test } from "node:test";
import { type UnfinishedRun, requestToPublish } from "./find-unfinished-runs.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";

const HEAD = "a".repeat(40);
const OTHER_HEAD = "b".repeat(40);

function requestOf(jobId: number, request: string): GatheredRequest {
  const repositoryRef = {
    host: "github.com",
    installationId: 7,
    forgeId: 42,
    repositoryId: 42,
    owner: "octo",
    name: "cat",
  };
  return {
    jobId,
    repositoryRef,
    number: 5,
    trigger: "opened",
    request,
    isFull: false,
    reactTo: null,
    requester: null,
  };
}

function runOf(jobId: number, request: string, head = HEAD): UnfinishedRun {
  return { id: jobId, jobId, head, isOpen: true, request, finish: async () => {} };
}

const CASES: readonly (readonly [
  name: string,
  requests: readonly GatheredRequest[],
  unfinished: readonly UnfinishedRun[],
  request: string,
])[] = [
  ["its own request", [requestOf(3, "c3")], [], "c3"],
  ["no request, when an event started the job", [requestOf(3, "")], [], ""],
  ["a person's request that it inherited", [requestOf(3, ""), requestOf(2, "c2")], [], "c2"],
  ["the same request on its next attempt", [requestOf(3, ""), requestOf(2, "c2")], [runOf(3, "")], "c2"],
  [
    "the request of a replaced job that had started",
    [requestOf(3, "c3"), requestOf(2, "")],
    [runOf(2, "")],
    "",
  ],
  [
    "its own request, when the replaced job had started on another head",
    [requestOf(3, "c3"), requestOf(2, "")],
    [runOf(2, "", OTHER_HEAD)],
    "c3",
  ],
  [
    "the oldest request, when several jobs had started",
    [requestOf(3, "c3"), requestOf(1, "c1"), requestOf(2, "c2")],
    [runOf(1, "c1"), runOf(2, "c2"), runOf(3, "c3")],
    "c1",
  ],
];

for (const [name, requests, unfinished, request] of CASES) {
  test(`a head is published under ${name}`, () =>
    assert.equal(requestToPublish(requests, unfinished, HEAD), request));
}
