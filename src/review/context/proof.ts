/**
 * The proof that a finding of a rule or a linter shows by itself, so that its reader needn't believe the rule. Without a proof, or judged findings of
 * the rule on real commits, a finding is medium at most.
 */
export const PROOFS = [
  /** Outside input reaches a dangerous call, and the finding shows the way. */
  "trace",
  /** A file or a value that the program that reads it must reject. */
  "unparsable",
  /** The places that still use what the change removes or changes. */
  "use",
  /** The declaration of what is used, which says that it's another kind of value. */
  "declaration",
  /** A credential in a format that only its issuer gives out. */
  "credential",
  /** Code points that the reader of the code can't see. */
  "hidden",
  /** An advisory that names this version. */
  "advisory",
] as const;
export type Proof = (typeof PROOFS)[number];
