/** Runs the contract tests of the Queue port that need several processes against every engine. */
import { ENGINES } from "../support/queue-contract/engines.ts";
import { testFairnessOfProcesses } from "../support/queue-contract/fairness.ts";
import { testProcesses } from "../support/queue-contract/processes.ts";

for (const engine of ENGINES) {
  testFairnessOfProcesses(engine);
  testProcesses(engine);
}
