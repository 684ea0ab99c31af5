/** The session of a review with these models. */
import assert from "node:assert/strict";
import type { ModelAccess } from "../../src/jobs/model-review/model-access.ts";
import { type ModelSession, openModelSession } from "../../src/jobs/model-review/model-session.ts";
import type { PreparedReview } from "../../src/jobs/gathering/prepared-review.ts";
import type { Model } from "../../src/model/model.ts";

export function openTestSession(
  [first, ...others]: readonly Model[],
  prepared: PreparedReview,
  access: ModelAccess,
): Promise<ModelSession> {
  assert.ok(first);
  return openModelSession([first, ...others], prepared, access);
}
