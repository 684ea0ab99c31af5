/** Model access without any model: only the built-in rules review. */
import type { ModelAccess } from "../../src/jobs/model-review/model-access.ts";
import { createMemorySpending } from "../../src/jobs/spending/create-memory-spending.ts";
import { NO_OPERATOR_PRICES } from "../../src/model/prices.ts";
import { createMemoryNotebook } from "../../src/tools/notebook.ts";

export const NO_MODELS: ModelAccess = {
  choice: {
    choose: async () => ({ models: [], noModel: "not-configured", problems: [] }),
    loadNamed: async (name) => ({ kind: "unavailable", problem: `${name} isn't configured here` }),
    mayRetry: async () => true,
  },
  money: { openSpending: () => createMemorySpending(null), operatorPrices: NO_OPERATOR_PRICES },
  openNotebook: async () => createMemoryNotebook(),
  concurrency: 4,
  randomWord: () => "word",
};
