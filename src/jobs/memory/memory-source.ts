/** Provided by the composition root: where vectors are kept, and who makes them. */
import type { Embeddings } from "../../embeddings/embeddings.ts";
import type { Vectors } from "../../store/vectors/vectors.ts";

export type MemorySource = {
  readonly vectors: Vectors;
  /** `configured` is `memory.embeddings` of the repository; null if it has none. */
  openEmbeddings(configured: string | null): Promise<OpenedEmbeddings>;
};

export type OpenedEmbeddings = {
  /** Null: words alone. */
  readonly embeddings: Embeddings | null;
  /** Why the repository's choice isn't used and what to do, for a degradation; null if it is. */
  readonly problem: string | null;
};
