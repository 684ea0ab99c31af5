/** The embeddings that find similar findings in the memory of reviews. */
import type { Embeddings } from "../../embeddings/embeddings.ts";
import { adviceOf, type DoctorCheck, failure, fine, notChecked, unknown } from "../check.ts";

export type ChosenEmbedder = {
  readonly id: string;
  /** Needs neither key nor network. */
  readonly isLocal: boolean;
  readonly open: () => Promise<Embeddings | null>;
};

/** `choose` returns null if the settings are invalid, which their own check reports. */
export function createEmbeddingsCheck(
  choose: () => ChosenEmbedder | null,
  { mayCall }: { readonly mayCall: boolean },
): DoctorCheck {
  return {
    name: "embeddings",
    async run(signal) {
      const chosen = choose();
      if (chosen === null)
        return [
          unknown("setting-invalid", {
            what: "Embeddings couldn't be checked, because their settings are invalid.",
            remedy: "Correct the settings that this report lists.",
          }),
        ];
      const { id, isLocal, open } = chosen;
      if (!isLocal && !mayCall)
        return [notChecked(`Whether ${id} embeds texts: it is called only with --call-model.`)];
      try {
        const embeddings = await open();
        if (embeddings === null)
          return [fine("Similar findings are found by their words alone; no embeddings are configured.")];
        const { space } = await embeddings.embed(["doctor"], "query", signal);
        return [fine(`${id} answered with ${space.dimensions} dimensions.`)];
      } catch (error) {
        signal.throwIfAborted();
        return [failure("embeddings-failed", adviceOf(error))];
      }
    },
  };
}
