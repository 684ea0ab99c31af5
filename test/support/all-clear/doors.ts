/** The ways in which a review remembers the one before: the command line's file, and the App's database on each engine. */
import { openReviewMemory } from "../../../src/cli/review-memory.ts";
import { createDegradations } from "../../../src/jobs/gathering/optional.ts";
import { gatherFindings, readEarlier, withDiffs } from "../../../src/jobs/gathering/gather-prior-review.ts";
import { rememberPending, rememberPublished } from "../../../src/jobs/run/remember-findings.ts";
import type { PullRequest } from "../../../src/forge/forge.ts";
import type { Repository } from "../../../src/repository/repository.ts";
import type { Change } from "../../../src/review/change/change.ts";
import type { PriorReview } from "../../../src/review/context/prior-review.ts";
import type { Database } from "../../../src/store/database.ts";
import { claimRun, finishRun } from "../../../src/store/repositories/runs.ts";
import type { Reviewed } from "./reviewer.ts";

export type Door = {
  readonly name: string;
  recall(change: Change, repository: Repository): Promise<PriorReview>;
  keep(change: Change, prior: PriorReview, reviewed: Reviewed): Promise<void>;
};

/** One branch; what is remembered goes through a file. */
export async function commandLineDoor(): Promise<Door> {
  const disk = { text: null as string | null };
  const open = () =>
    openReviewMemory({ branch: "feature", gitFolder: "/repository/.git", kind: "current" }, () => {}, {
      version: "1.0.0",
      files: {
        openMemoryFile: async () => ({
          read: () => disk.text,
          write: (written) => void (disk.text = written),
          remove: () => void (disk.text = null),
          putAside: () => void (disk.text = null),
        }),
      },
    });
  return {
    name: "command line",
    recall: async (change) => (await open()).recall(change),
    keep: async (change, _, { leftBehind, publication }) =>
      (await open()).keep(change, leftBehind, publication.receipt),
  };
}

const REPOSITORY_ID = 5;
let pullRequests = 0;

/** A pull request of its own; nothing of it is in memory between two reviews. */
export function appDoor(name: string, database: Database): Door {
  const key = { repositoryId: REPOSITORY_ID, pullRequest: ++pullRequests };
  const reviews = { readThreads: async () => [], readState: async () => null };
  let [at, runId] = [0, 0];
  return {
    name,
    async recall(change, repository) {
      const earlier = await readEarlier(key, { database, reviews });
      const run = await claimRun(
        {
          ...key,
          jobId: key.pullRequest * 1_000 + ++at,
          installationId: 1,
          repository: "acme/shop",
          base: change.base ?? "",
          head: change.head ?? "",
          triggers: "opened",
          startedAt: at,
        },
        database,
      );
      runId = run.id;
      const degradations = createDegradations(new AbortController().signal);
      const findings = await gatherFindings({ ...key, runId }, earlier, {
        database,
        reviews,
        degradations,
        hasWriteAccess: async () => true,
      });
      return withDiffs({ ...earlier, findings }, repository, change);
    },
    async keep(change, prior, { publication, leftBehind }) {
      const repositoryRef = {
        host: "github.com",
        installationId: 1,
        forgeId: REPOSITORY_ID,
        repositoryId: REPOSITORY_ID,
        owner: "acme",
        name: "shop",
      };
      // Only these fields are read.
      const pullRequest = { repositoryRef, number: key.pullRequest, head: change.head ?? "" } as PullRequest;
      const remembered = { pullRequest, run: { id: runId, prior }, publication, leftBehind };
      await database.transaction(async (sql) => {
        await rememberPending(remembered, sql);
        await rememberPublished(remembered, ++at, sql);
        const end = { status: "completed", reason: "published", finishedAt: at } as const;
        await finishRun(runId, { ...end, findingsTotal: 0, findingsReported: 0 }, sql);
      });
    },
  };
}
