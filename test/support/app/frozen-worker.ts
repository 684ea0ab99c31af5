/** A worker is frozen in the middle of a review, as a machine that is suspended, and goes on when another has its job. */
import assert from "node:assert/strict";
import { eventually } from "../eventually.ts";
import { ONE_REVIEW, type Scenario } from "./scenario.ts";

/** Settings of the process that is frozen; `startHeirs` starts those that take its place. */
type Freezing = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly startHeirs: () => Promise<unknown>;
};

/** Another worker publishes the review once. The frozen one notices that it lost its lease, and writes nothing. */
export async function assertFrozenIsFenced(scenario: Scenario, freezing: Freezing): Promise<void> {
  const { fake } = scenario;
  await scenario.start(["serve", "--no-worker"]);
  const frozen = await scenario.start(["worker"], freezing.environment);
  const off = fake.onRequest("pulls/list-reviews", () => {
    off();
    frozen.kill("SIGSTOP");
  });
  await scenario.send("opened");
  await eventually("the worker to be frozen", () =>
    fake.calls.some(({ operation }) => operation === "pulls/list-reviews"),
  );
  await freezing.startHeirs();
  const [job] = await scenario.settled();
  assert.deepEqual([job?.state, job?.attempts, job?.isSuspect], ["done", 2, true]);
  const writes = fake.calls.length;
  frozen.kill("SIGCONT");
  await eventually("the worker to notice", () => /"state":"lost"/.test(frozen.output()));
  const late = fake.calls.slice(writes).map(({ operation }) => operation);
  // A token whose time is over is no reason to publish: asking for another one writes nothing.
  const harmless = "apps/create-installation-access-token";
  assert.deepEqual(
    late.filter((operation) => operation !== harmless && /create|submit|update/.test(operation)),
    [],
  );
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
}
