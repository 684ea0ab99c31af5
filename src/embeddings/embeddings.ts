/**
 * The Embeddings port: turns texts into vectors whose directions are close when the texts mean similar things. How well that
 * works depends on the adapter. Without one, similar findings are found by their words alone.
 */

/** Some models embed a question differently from the texts that answer it. */
export type EmbeddingPurpose = "query" | "document";

export type Embedded = {
  /** Provider, model and dimensions: vectors of different spaces are never compared. */
  readonly space: { readonly name: string; readonly dimensions: number };
  /** One per text, in order; finite, not all zeros. */
  readonly vectors: readonly Float32Array[];
};

export type Embeddings = {
  /** As configured: `voyage:MODEL` or `openai-compatible:MODEL`. */
  readonly id: string;
  /** Provider and model: the name of the space. Only an answer shows its dimensions. */
  readonly spaceName: string;
  /**
   * Embeds 1 to `MAX_TEXTS` texts. Throws a KodiaiError if the provider fails, is too slow or answers something that isn't one usable
   * vector per text. Longer texts are cut.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<Embedded>;
};

/** Keeps one request below the limits of all providers. */
export const MAX_TEXTS = 64;
