/** The lenses of later rounds: each is one question with which a model reads the change again. rounds.ts chooses them. */
export const LENSES = ["removed-code", "siblings", "tests", "concurrency", "guidelines"] as const;

export type Lens = (typeof LENSES)[number];
