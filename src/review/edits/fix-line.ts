/** The outcome of a finding that a request names. */
export type FixLine = {
  readonly number: number;
  /** `already`: the pull request that is continued fixes it. `notDone` says why, as a sentence. */
  readonly result: "suggestion" | "model" | "already" | { readonly notDone: string };
};
