import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../../test/support/queue-contract/engines.ts";
import type { PullRequest } from "../../../forge/forge.ts";
import { saveSeenHeads } from "../../../store/repositories/seen-heads.ts";
import { wasHeadAt } from "./pin-head.ts";

const WRITTEN_AT = 10_000;

type Seen = readonly (readonly [seenAt: number, head: string])[];

/** Each case: heads seen before, the time of the last change at the host, and whether "now" was the head at the comment. */
const CASES: readonly (readonly [name: string, seen: Seen, updatedAt: number, expected: boolean])[] = [
  ["nothing was seen, and nothing happened since", [], WRITTEN_AT, true],
  ["nothing was seen, and something happened since", [], WRITTEN_AT + 1_000, false],
  ["it was pushed before", [[9_000, "now"]], WRITTEN_AT + 5_000, true],
  ["it was pushed after", [[9_000, "old"]], WRITTEN_AT + 1_000, false],
  [
    "its event is recorded, too",
    [
      [9_000, "old"],
      [11_000, "now"],
    ],
    11_000,
    false,
  ],
  [
    "it was pushed in the second of the comment",
    [
      [9_000, "old"],
      [WRITTEN_AT, "now"],
    ],
    WRITTEN_AT,
    false,
  ],
  [
    "another head was current, and the old one came back",
    [
      [8_000, "now"],
      [9_000, "good"],
    ],
    11_000,
    false,
  ],
  [
    "two pushes have the same time",
    [
      [9_000, "now"],
      [9_000, "good"],
    ],
    WRITTEN_AT,
    false,
  ],
  [
    "it moved away and back after the comment",
    [
      [9_000, "now"],
      [11_000, "bad"],
    ],
    12_000,
    true,
  ],
];

for (const engine of ENGINES)
  for (const [name, seen, updatedAt, expected] of CASES)
    test(`${engine.name}: ${name}`, () =>
      withStore(engine, async ({ database }) => {
        const key = { repositoryId: 2, pullRequest: 5 };
        await saveSeenHeads(
          seen.map(([seenAt, head]) => ({ ...key, seenAt, head })),
          database,
        );
        const pullRequest = { repositoryRef: { repositoryId: 2 }, number: 5, head: "now", updatedAt };
        // The function reads no other fields.
        const current = pullRequest as PullRequest;
        assert.equal(await wasHeadAt(current, WRITTEN_AT, database), expected);
        assert.equal(await wasHeadAt(current, updatedAt + 1_000, database), true, "a later comment");
      }));
