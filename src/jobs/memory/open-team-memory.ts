/** The memory of one repository, over the store. */
import type { Log } from "../../base/log.ts";
import type { PullRequest } from "../../forge/forge.ts";
import { explainedPattern } from "../../memory/explain-rejection.ts";
import { readFeedback } from "../../store/repositories/feedback.ts";
import { listLearnings } from "../../store/repositories/learnings.ts";
import { readSuppressions } from "../../store/repositories/suppressions.ts";
import type { TeamFeedback, TeamMemory } from "../gathering/team-memory.ts";
import { recallMemories, type RecallDeps } from "./recall-memories.ts";
import { registerRepository } from "./register-repository.ts";

export function openTeamMemory(
  pullRequest: Pick<PullRequest, "repositoryRef" | "number" | "isPrivate">,
  { log, ...deps }: RecallDeps & { readonly log: Log },
): TeamMemory {
  const { database, now } = deps;
  const { repositoryId } = pullRequest.repositoryRef;
  return {
    async recall(request, signal) {
      // Visibility and sharing may have changed since the last review.
      await registerRepository(pullRequest, request.settings, now(), database);
      const recall = await recallMemories(
        { repositoryId, pullRequest: pullRequest.number },
        request,
        signal,
        deps,
      );
      for (const { id, repository, pullRequest: number, distance, method } of recall.memories)
        log.info("similar finding recalled", {
          memory: id,
          from: `${repository}#${number}`,
          distance,
          method,
        });
      return recall;
    },
    readLearnings: () => listLearnings(repositoryId, now(), database),
    readFeedback: () => readTeamFeedback(repositoryId, deps),
  };
}

/** The words of a repository's people about findings. */
export async function readTeamFeedback(
  repositoryId: number,
  { database, now }: Pick<RecallDeps, "database" | "now">,
): Promise<TeamFeedback> {
  const [feedback, suppressions, learnings] = await Promise.all([
    readFeedback(repositoryId, database),
    readSuppressions(repositoryId, database),
    listLearnings(repositoryId, now(), database),
  ]);
  const ofFeedback = learnings.filter(({ source }) => source === "feedback");
  const explained = ofFeedback.flatMap((learning) => {
    const pattern = explainedPattern(learning);
    return pattern === null ? [] : [{ id: learning.id, pattern }];
  });
  const repeated = ofFeedback.flatMap((learning) =>
    explainedPattern(learning) === null ? [{ id: learning.id, pattern: learning.name }] : [],
  );
  return { feedback, suppressions, explained, repeated };
}
