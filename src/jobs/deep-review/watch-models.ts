/** Models whose answers are watched while they arrive, whatever they are used for. */
import type { StreamedPiece } from "../../model/model.ts";
import type { ModelAccess } from "../model-review/model-access.ts";

export function watchModels(real: ModelAccess, onPiece: (piece: StreamedPiece) => void): ModelAccess {
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
            run: (task, signal) => model.run({ ...task, onPiece }, signal),
          })),
        };
      },
    },
  };
}
