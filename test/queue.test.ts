/** Runs the contract tests of the Queue port against every engine, in one process. */
import { testAnyOrder } from "./support/queue-contract/any-order.ts";
import { testClaiming } from "./support/queue-contract/claiming.ts";
import { testCrashes } from "./support/queue-contract/crashes.ts";
import { ENGINES } from "./support/queue-contract/engines.ts";
import { testFairness } from "./support/queue-contract/fairness.ts";
import { testLeases } from "./support/queue-contract/leases.ts";
import { testReplacing } from "./support/queue-contract/replacing.ts";

for (const engine of ENGINES) {
  testClaiming(engine);
  testLeases(engine);
  testCrashes(engine);
  testReplacing(engine);
  testAnyOrder(engine);
  testFairness(engine);
}
