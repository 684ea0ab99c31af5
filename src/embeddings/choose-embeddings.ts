/**
 * Chooses who embeds the texts of a repository. They leave the server only to a provider for which the operator has set credentials. Pure:
 * nothing is loaded.
 */
import {
  type EmbeddingSettings,
  findEmbeddingModel,
  LOCAL_EMBEDDINGS,
} from "../config/embedding-settings.ts";

export type ChosenEmbeddings = {
  /** `local`, `voyage:MODEL` or `openai-compatible:MODEL`; usable. */
  readonly id: string;
  /** Why the repository's choice isn't used and what to do; null if it is. */
  readonly problem: string | null;
};

/** `configured` is `memory.embeddings` of the repository; null if it has none. A repository can always keep its texts on the server. */
export function chooseEmbeddings(configured: string | null, settings: EmbeddingSettings): ChosenEmbeddings {
  if (configured === LOCAL_EMBEDDINGS) return { id: LOCAL_EMBEDDINGS, problem: null };
  const wanted = settings.embeddings ?? configured ?? LOCAL_EMBEDDINGS;
  const found = wanted === LOCAL_EMBEDDINGS ? null : findEmbeddingModel(wanted, settings.access);
  if (typeof found !== "string") return { id: wanted, problem: null };
  return { id: LOCAL_EMBEDDINGS, problem: `${found}; similar findings were searched for by words alone` };
}
