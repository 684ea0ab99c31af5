/** Models that count their runs for the statistics, whichever command uses them. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Model, ModelTask } from "../../../model/model.ts";
import { costUsd, type Price, priceOf } from "../../../model/prices.ts";
import type { ModelAccess } from "../../model-review/model-access.ts";
import { figuresOfRun, type ModelRunFigures } from "../../run/model-run-figures.ts";

export type CountedModels = {
  readonly models: ModelAccess;
  /** The runs that have ended. */
  readonly runs: () => readonly ModelRunFigures[];
};

/** `pass` names the command. */
export function countedModels(real: ModelAccess, pass: string): CountedModels {
  const runs: ModelRunFigures[] = [];
  const counted = (model: Model, { prices }: RepoConfig): Model => ({
    id: model.id,
    async run(task, signal) {
      const price = priceOf(model.id, prices, real.money.operatorPrices);
      const watched = watchCost(task, price);
      const outcome = await model.run(watched.task, signal);
      const spentUsd = price === null ? null : watched.spentUsd();
      runs.push(figuresOfRun({ ...outcome, costUsd: spentUsd, pass, step: "full", outcome: outcome.kind }));
      return outcome;
    },
  });
  return {
    runs: () => runs,
    models: {
      ...real,
      choice: {
        ...real.choice,
        async choose(config) {
          const chosen = await real.choice.choose(config);
          return { ...chosen, models: chosen.models.map((model) => counted(model, config)) };
        },
      },
    },
  };
}

/** Per call, because the price of a token depends on the size of its call. */
function watchCost(task: ModelTask, price: Price | null): { readonly task: ModelTask; spentUsd(): number } {
  let spent = 0;
  const add: ModelTask["meter"]["add"] = (tokens) => {
    if (price !== null) spent += costUsd(tokens, price);
    task.meter.add(tokens);
  };
  return { task: { ...task, meter: { ...task.meter, add } }, spentUsd: () => spent };
}
