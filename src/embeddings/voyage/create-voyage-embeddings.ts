/** Embeddings by Voyage AI. */
import type { Embeddings } from "../embeddings.ts";
import type { RemoteModel } from "../remote-model.ts";
import { requestEmbeddings } from "../request-embeddings.ts";

const DEFAULT_URL = "https://api.voyageai.com/v1";

/** Dimensions that we ask for where a model offers several, so that a new default doesn't change the space. */
const DIMENSIONS: Readonly<Record<string, number>> = { "voyage-code-3": 1_024 };

export function createVoyageEmbeddings({ id, model, key, baseUrl }: RemoteModel): Embeddings {
  const dimensions = DIMENSIONS[model] ?? null;
  const server = {
    id,
    url: `${baseUrl ?? DEFAULT_URL}/embeddings`,
    key,
    keyVariable: "VOYAGE_API_KEY",
    urlVariable: "VOYAGE_BASE_URL",
    dimensions,
  };
  const spaceName = `voyage/${model}`;
  return {
    id,
    spaceName,
    async embed(texts, purpose, signal) {
      const body = {
        model,
        input_type: purpose,
        truncation: true,
        ...(dimensions === null ? {} : { output_dimension: dimensions }),
      };
      const vectors = await requestEmbeddings(server, { body, texts, signal });
      return { space: { name: spaceName, dimensions: vectors[0]?.length ?? 0 }, vectors };
    },
  } satisfies Embeddings;
}
