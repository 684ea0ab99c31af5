/** How the search for similar findings of the past went. */
export type Retrieval = {
  /** "words-only": the embeddings failed, so vectors weren't compared. */
  readonly outcome: "complete" | "words-only" | "failed";
  /** The provider that was used. If it failed, the one that the repository configured, or "". */
  readonly embeddings: string;
  /** How many findings were compared with the threshold. */
  readonly candidates: number;
  readonly ms: number;
};
