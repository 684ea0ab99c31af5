import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MODEL_REASONS } from "../../../model/no-model-reason.ts";
import { describeNoModel } from "./describe-no-model.ts";

test("without a model: only a missing configuration suggests a key", () => {
  const suggesting = NO_MODEL_REASONS.filter((reason) =>
    describeNoModel(reason).includes("ANTHROPIC_API_KEY"),
  );
  assert.deepEqual(suggesting, ["not-configured"]);
  assert.match(describeNoModel("unavailable"), /the configured model is unavailable, see Degraded$/);
});
