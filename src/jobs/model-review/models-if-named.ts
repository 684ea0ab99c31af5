/**
 * Models on a machine whose settings name none: nothing of them is loaded unless the repository's configuration does. Most reviews on
 * a command line are such, and loading would take longer than reading a small change.
 */
import { NO_MODEL } from "../../model/no-model.ts";
import type { ModelAccess } from "./model-access.ts";

export function modelsIfNamed(load: () => Promise<ModelAccess>): ModelAccess {
  let loaded: ModelAccess | null = null;
  const real = (): ModelAccess => {
    if (loaded === null) throw new TypeError("a model was asked before one was chosen");
    return loaded;
  };
  return {
    async choose(config) {
      if (config.model === undefined && config.fallbackModels.length === 0)
        return { models: [], note: NO_MODEL, problems: [] };
      loaded = await load();
      return loaded.choose(config);
    },
    openSpending: (config) => real().openSpending(config),
    openNotebook: (change) => real().openNotebook(change),
    get operatorPrices() {
      return loaded?.operatorPrices ?? { prices: {}, hasCeilings: false };
    },
    readChecks: null,
    openFindings: [],
    mayRetry: () => real().mayRetry(),
    randomWord: () => real().randomWord(),
  };
}
