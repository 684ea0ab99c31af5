/** The possible verdicts of a verifier about a claim. */
export const VERIFIER_VERDICTS = ["confirmed", "refuted", "unsure"] as const;
