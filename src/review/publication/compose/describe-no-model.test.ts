import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MODEL_REASONS } from "../../../model/no-model-reason.ts";
import { adviseNoModel, describeNoModel } from "./describe-no-model.ts";

test("without a model: only a missing configuration suggests a key", () => {
  const suggesting = NO_MODEL_REASONS.filter((reason) => adviseNoModel(reason) !== null);
  assert.deepEqual(suggesting, ["not-configured"]);
  assert.match(adviseNoModel("not-configured") ?? "", /ANTHROPIC_API_KEY/);
  assert.match(describeNoModel("unavailable"), /the configured model is unavailable, see Degraded$/);
});
