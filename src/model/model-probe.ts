/** The answer of a provider about a key and a model, without a call of the model. */
export type ModelProbe =
  | { readonly kind: "found" }
  /** The key is accepted, but the provider doesn't list the model. */
  | { readonly kind: "not-found" }
  | { readonly kind: "key-refused"; readonly status: number }
  /** The server has no list of models, so nothing is known. */
  | { readonly kind: "no-list" }
  | { readonly kind: "failed"; readonly status: number }
  | { readonly kind: "no-answer"; readonly words: string };
