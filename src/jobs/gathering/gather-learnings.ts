/** Gathers the team's learnings for a change: those of `.kodiai/learnings.yml` at the base, and those that Kodiai stored. */
import { rankLearnings } from "../../memory/rank-learnings.ts";
import type { Learning } from "../../review/context/learning.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { teamMemoryOf } from "./team-memory.ts";

export async function gatherLearnings(
  { analysis, config, degradations }: PreparedReview,
  { teamMemory, now }: Pick<ReviewDeps, "teamMemory" | "now">,
): Promise<readonly Learning[]> {
  const memory = teamMemoryOf(config, teamMemory);
  const stored =
    memory === null ? null : await degradations.optional("learnings", () => memory.readLearnings());
  return rankLearnings([...config.learnings, ...(stored ?? [])], {
    paths: analysis.files.map(({ path }) => path),
    now: now(),
  });
}
