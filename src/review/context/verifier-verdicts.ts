/** What a verifier can say about a claim. */
export const VERIFIER_VERDICTS = ["confirmed", "refuted", "unsure"] as const;
