/** `rank_hunks`: the answer of a triage model. It is kept before the model gets an answer, so that a crash doesn't pay for it twice. */
import * as z from "zod";
import type { HunkRanking } from "../review/analysis/hunk-triage.ts";
import type { ReadContext, Tool } from "./tool.ts";

/** More than a prompt has hunks. */
const MAX_RANKED = 5_000;

export type TriageContext = ReadContext & {
  /** Resolves when the ranking is kept. */
  readonly keepRanking: (ranking: HunkRanking) => Promise<void>;
};

const numbers = z.array(z.int().min(1)).max(MAX_RANKED).default([]);

const schema = z.object({
  skim: numbers.describe("Numbers of hunks to skim"),
  skip: numbers.describe("Numbers of hunks that needn't be read"),
});

export const rankHunks: Tool<TriageContext, z.infer<typeof schema>> = {
  name: "rank_hunks",
  description:
    "Ranks hunks by their numbers, and ends your work. Hunks that you don't list are read closely.",
  schema,
  async execute(ranking, { keepRanking }) {
    await keepRanking(ranking);
    return { text: "The hunks are ranked.", isFinal: true };
  },
};
