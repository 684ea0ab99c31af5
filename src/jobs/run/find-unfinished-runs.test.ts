import assert from "node:assert/strict";
import { test } from "node:test";
import { type UnfinishedRun, requestToPublish } from "./find-unfinished-runs.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";

const HEAD = "a".repeat(40);
const OTHER_HEAD = "b".repeat(40);

function requestOf(jobId: number, request: string): GatheredRequest {
  const repositoryRef = { installationId: 7, repositoryId: 42, owner: "octo", name: "cat" };
  return { jobId, repositoryRef, number: 5, trigger: "opened", request, reactTo: null, asker: null };
}

function runOf(jobId: number, request: string, head = HEAD): UnfinishedRun {
  return { id: jobId, jobId, head, isOpen: true, request };
}

const CASES: readonly (readonly [
  what: string,
  requests: readonly GatheredRequest[],
  left: readonly UnfinishedRun[],
  request: string,
])[] = [
  ["its own", [requestOf(3, "c3")], [], "c3"],
  ["none, when nobody asked", [requestOf(3, "")], [], ""],
  ["a person's that it inherited", [requestOf(3, ""), requestOf(2, "c2")], [], "c2"],
  ["the same at its next attempt", [requestOf(3, ""), requestOf(2, "c2")], [runOf(3, "")], "c2"],
  ["that of a replaced job which had begun", [requestOf(3, "c3"), requestOf(2, "")], [runOf(2, "")], ""],
  [
    "its own, when that one had begun with another head",
    [requestOf(3, "c3"), requestOf(2, "")],
    [runOf(2, "", OTHER_HEAD)],
    "c3",
  ],
  [
    "the oldest, when several had begun",
    [requestOf(3, "c3"), requestOf(1, "c1"), requestOf(2, "c2")],
    [runOf(1, "c1"), runOf(2, "c2"), runOf(3, "c3")],
    "c1",
  ],
];

for (const [what, requests, left, request] of CASES) {
  test(`a head is published under ${what}`, () =>
    assert.equal(requestToPublish(requests, left, HEAD), request));
}
