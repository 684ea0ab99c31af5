/** Memories and learnings, for tests. Fields that aren't given have neutral values. */
import type { Learning } from "../../src/review/context/learning.ts";
import type { Memory } from "../../src/review/context/memory.ts";

export function memoryOf(more: Partial<Memory> = {}): Memory {
  return {
    id: 7,
    title: "Promise is not awaited",
    body: "The request is answered before the row is written.",
    path: "src/db/users.ts",
    language: "typescript",
    category: "correctness",
    severity: "major",
    rule: null,
    outcome: "accepted",
    repository: "acme/app",
    pullRequest: 12,
    url: "https://github.com/acme/app/pull/12#discussion_r1",
    distance: 0.214,
    method: "both",
    createdAt: 0,
    ...more,
  };
}

export function learningOf(more: Partial<Learning> = {}): Learning {
  return {
    id: 3,
    source: "person",
    kind: "preference",
    text: "Errors are returned, never thrown.",
    paths: [],
    confidence: 0.5,
    provenance: null,
    owner: null,
    uses: 0,
    lastUsedAt: null,
    expiresAt: null,
    ...more,
  };
}
