/** Gathers the team's learnings for a change: those of `.kodiai/learnings.yml` at the base, and those that Kodiai stored. */
import { rankLearnings } from "../../memory/rank-learnings.ts";
import type { Learning } from "../../review/context/learning.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { type TeamMemory, teamMemoryOf } from "./team-memory.ts";

type LearningsRequest = Pick<PreparedReview, "config" | "degradations"> & {
  /** Changed files, the most important first. */
  readonly paths: readonly string[];
};

type LearningsDeps = Pick<ReviewDeps, "now"> & {
  readonly teamMemory: Pick<TeamMemory, "readLearnings"> | null;
};

export async function gatherLearnings(
  { paths, config, degradations }: LearningsRequest,
  { teamMemory, now }: LearningsDeps,
): Promise<readonly Learning[]> {
  const memory = teamMemoryOf(config, teamMemory);
  const stored =
    memory === null ? null : await degradations.optional("learnings", () => memory.readLearnings());
  return rankLearnings([...config.learnings, ...(stored ?? [])], {
    paths,
    now: now(),
  });
}
