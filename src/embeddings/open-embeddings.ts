/** Opens embeddings by their name. Each adapter is loaded on first use. */
import { KodiaiError } from "../base/errors.ts";
import {
  type EmbeddingSettings,
  findEmbeddingModel,
  LOCAL_EMBEDDINGS,
} from "../config/embedding-settings.ts";
import type { Embeddings } from "./embeddings.ts";

/** `id` is `local`, `voyage:MODEL` or `openai-compatible:MODEL`. Null for `local`: words alone. Throws a KodiaiError if it can't be used. */
export async function openEmbeddings(id: string, { access }: EmbeddingSettings): Promise<Embeddings | null> {
  if (id === LOCAL_EMBEDDINGS) return null;
  const found = findEmbeddingModel(id, access);
  if (typeof found === "string")
    throw new KodiaiError("config", found, {
      hint: "Set what is missing, or use embeddings: local.",
    });
  const { provider, model } = found;
  const { key, baseUrl } = access[provider] ?? { key: null, baseUrl: null };
  if (provider === "voyage") {
    const { createVoyageEmbeddings } = await import("./voyage/create-voyage-embeddings.ts");
    return createVoyageEmbeddings({ id, model, key, baseUrl });
  }
  const { createCompatibleEmbeddings } = await import("./openai-compatible/create-compatible-embeddings.ts");
  return createCompatibleEmbeddings({ id, model, key, baseUrl });
}
