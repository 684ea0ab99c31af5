/** Events missed while the app was down are found and reviewed, or skipped with a reason. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

test("[P15] a failed delivery is requested again and reviewed", async (openScenario) => {
  const scenario = await openScenario();
  const { fake } = scenario;
  // Nothing listens there.
  fake.setWebhookUrl("http://127.0.0.1:9/webhooks/github");
  assert.notEqual(await scenario.send("opened"), 202);
  await scenario.start();
  await eventually("the redelivery to be asked for", () =>
    fake.calls.some(({ operation }) => operation === "apps/redeliver-webhook-delivery"),
  );
  await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("[P15] the sweep finds an open head that no delivery announced", async (openScenario) => {
  const scenario = await openScenario({ isSwept: true });
  await scenario.start();
  const [job] = await scenario.settled();
  assert.match(job?.payload ?? "", /"trigger":"sweep"/);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});
