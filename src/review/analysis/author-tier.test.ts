import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthorTier } from "./analysis.ts";
import { authorTier } from "./author-tier.ts";

const AUTHORS: readonly [association: string | null, merged: number | null, tier: AuthorTier][] = [
  ["OWNER", null, "core"],
  ["OWNER", 0, "core"],
  ["MEMBER", 1, "core"],
  ["member", 1, "core"],
  ["FIRST_TIMER", null, "first-time"],
  ["FIRST_TIME_CONTRIBUTOR", 50, "first-time"],
  ["COLLABORATOR", null, "regular"],
  ["CONTRIBUTOR", null, "regular"],
  ["NONE", null, "regular"],
  [null, null, "regular"],
  ["SOMETHING_NEW", null, "regular"],
  ["CONTRIBUTOR", 0, "first-time"],
  ["CONTRIBUTOR", 1, "first-time"],
  ["CONTRIBUTOR", 2, "regular"],
  ["NONE", 9, "regular"],
  ["NONE", 10, "core"],
  [null, 500, "core"],
];

test("the association decides first, then merged pull requests", () => {
  for (const [association, mergedPullRequests, tier] of AUTHORS) {
    assert.equal(
      authorTier({ association, mergedPullRequests }),
      tier,
      `${association} ${mergedPullRequests}`,
    );
  }
});
