/**
 * Model access on a machine whose settings name no model. It loads nothing unless the repository's configuration names one: most
 * reviews on a command line don't, and loading takes longer than reading a small change.
 */
import type { ModelAccess } from "./model-access.ts";

export function modelsIfNamed(load: () => Promise<ModelAccess>): ModelAccess {
  let loaded: ModelAccess | null = null;
  const real = (): ModelAccess => {
    if (loaded === null) throw new TypeError("a model was used before one was chosen");
    return loaded;
  };
  return {
    choice: {
      async choose(config) {
        if (config.model === undefined && config.fallbackModels.length === 0)
          return { models: [], noModel: "not-configured", problems: [] };
        loaded = await load();
        return loaded.choice.choose(config);
      },
      loadNamed: (name, style) => real().choice.loadNamed(name, style),
      mayRetry: () => real().choice.mayRetry(),
    },
    money: {
      openSpending: (config) => real().money.openSpending(config),
      get operatorPrices() {
        return loaded?.money.operatorPrices ?? { prices: {}, hasCeilings: false };
      },
    },
    openNotebook: (change) => real().openNotebook(change),
    get concurrency() {
      return real().concurrency;
    },
    randomWord: () => real().randomWord(),
  };
}
