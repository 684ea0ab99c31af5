/** Models whose answers are watched while they arrive, whatever they are used for. */
import type { ModelTask } from "../../model/model.ts";
import type { ModelAccess } from "../model-review/model-access.ts";

export function watchModels<Real extends Pick<ModelAccess, "choice">>(
  real: Real,
  watch: Pick<ModelTask, "onPiece" | "onArguments">,
): Real {
  return {
    ...real,
    choice: {
      ...real.choice,
      async choose(config) {
        const chosen = await real.choice.choose(config);
        return {
          ...chosen,
          models: chosen.models.map((model) => ({
            id: model.id,
            run: (task, signal) => model.run({ ...task, ...watch }, signal),
          })),
        };
      },
    },
  };
}
