/** Jobs for measurements: one per pull request, in fifty installations. */
import type { JobRequest } from "../../src/queue/queue.ts";

const GROUPS = 50;

let made = 0;

export function nextRequest(): JobRequest {
  const number = ++made;
  return {
    key: `review/${number}/${crypto.randomUUID()}`,
    kind: "review",
    lane: "review",
    serialKey: `pull-request/${number}`,
    supersedes: true,
    group: `installation-${number % GROUPS}`,
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ repositoryId: 5_000_000_000, number, head: "0".repeat(40) }),
  };
}
