/** A machine without any model: the floor reviews alone. */
import type { ModelAccess } from "../../src/jobs/model-review/model-access.ts";
import { createMemorySpending } from "../../src/jobs/spending/create-memory-spending.ts";
import { NO_OPERATOR_PRICES } from "../../src/model/prices.ts";
import { createMemoryNotebook } from "../../src/tools/notebook.ts";

export const NO_MODELS: ModelAccess = {
  choose: async () => ({ models: [], note: "none", problems: [] }),
  openSpending: () => createMemorySpending(null),
  operatorPrices: NO_OPERATOR_PRICES,
  openNotebook: async () => createMemoryNotebook(),
  readChecks: null,
  openFindings: [],
  mayRetry: async () => true,
  randomWord: () => "word",
};
