/** Composes what the memory of reviews needs: stored vectors, and the embeddings that the operator and a repository chose. */
import type { EmbeddingSettings } from "../config/embedding-settings.ts";
import { chooseEmbeddings } from "../embeddings/choose-embeddings.ts";
import { openEmbeddings } from "../embeddings/open-embeddings.ts";
import type { MemorySource, OpenedEmbeddings } from "../jobs/memory/memory-source.ts";
import type { Database } from "../store/database.ts";
import { openVectors } from "../store/vectors/open-vectors.ts";

export async function openMemorySource(
  settings: EmbeddingSettings,
  database: Database,
): Promise<MemorySource> {
  return {
    vectors: await openVectors(database),
    openEmbeddings: (configured) => openChosen(configured, settings),
  };
}

async function openChosen(configured: string | null, settings: EmbeddingSettings): Promise<OpenedEmbeddings> {
  const { id, problem } = chooseEmbeddings(configured, settings);
  return { embeddings: await openEmbeddings(id, settings), problem };
}
