/** Embeddings by any server with OpenAI's API, such as OpenAI itself, vLLM, Ollama or llama.cpp. */
import type { Embeddings } from "../embeddings.ts";
import type { RemoteModel } from "../remote-model.ts";
import { requestEmbeddings } from "../request-embeddings.ts";

export function createCompatibleEmbeddings({ id, model, key, baseUrl }: RemoteModel): Embeddings {
  const server = {
    id,
    url: `${baseUrl ?? ""}/embeddings`,
    key,
    keyVariable: "KODIAI_EMBEDDINGS_KEY or KODIAI_COMPATIBLE_KEY",
    urlVariable: "KODIAI_EMBEDDINGS_URL or KODIAI_COMPATIBLE_URL",
    dimensions: null,
  };
  const spaceName = `openai-compatible/${model}`;
  return {
    id,
    spaceName,
    async embed(texts, _purpose, signal) {
      const vectors = await requestEmbeddings(server, {
        body: { model, encoding_format: "float" },
        texts,
        signal,
      });
      return { space: { name: spaceName, dimensions: vectors[0]?.length ?? 0 }, vectors };
    },
  } satisfies Embeddings;
}
