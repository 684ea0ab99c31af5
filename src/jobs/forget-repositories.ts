/**
 * Deletes the data of repositories some days after the app was removed from them: database rows, telemetry, and the clone
 * on this machine's disk. A repository on which the app was reinstalled in the meantime keeps its data.
 */
import { count } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { RepositoryCache } from "../repository/repository.ts";
import type { Database } from "../store/database.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";
import {
  deleteInstallation,
  deleteRepository,
  findRepositoriesOf,
  findStored,
} from "../store/repositories/stored-repositories.ts";
import { deleteTelemetryOf } from "../store/repositories/telemetry.ts";
import { parseForgetJob } from "./forget-job.ts";
import { embedsOfRepository } from "./memory/embed-job.ts";
import { mentionsOfRepository } from "./mentions/mention-job.ts";
import type { JobContext, JobOutcome, Recipe } from "./recipe.ts";
import { reviewsOfRepository } from "./review-job.ts";

/** Delay before the next check while a review is running or the clone is in use. */
const IN_USE_RETRY_MS = 60_000;

export type ForgetDeps = {
  readonly forge: Pick<Forge, "findRepository">;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  readonly repositories: Pick<RepositoryCache, "discard">;
  readonly repositoryIds: RepositoryIds;
  /** How long data is kept after the app was removed. */
  readonly forgetAfterMs: number;
  readonly now: () => number;
};

export function createForgetRecipe(deps: ForgetDeps): Recipe {
  return { run: (context) => forget(context, deps), giveUp: async () => {} };
}

async function forget(context: JobContext, deps: ForgetDeps): Promise<JobOutcome> {
  const { job } = context;
  const { installationId, repositoryIds } = parseForgetJob(job.payload);
  const dueMs = job.createdAt + deps.forgetAfterMs;
  if (deps.now() < dueMs) return { state: "wait", untilMs: dueMs, reason: "waiting:uninstalled" };
  const wanted = repositoryIds ?? (await findRepositoriesOf(installationId, deps.database));
  let kept = 0;
  for (const repositoryId of wanted) {
    await context.step(`deleting repository ${repositoryId}`);
    if (await isInstalledAgain(repositoryId, deps)) kept++;
    else if (!(await forgetRepository(repositoryId, deps)))
      return { state: "wait", untilMs: deps.now() + IN_USE_RETRY_MS, reason: "waiting:in-use" };
  }
  if (repositoryIds === null && kept === 0) await deleteInstallation(installationId, deps.database);
  const reason = `deleted:${count(wanted.length - kept, "repository", "repositories")}, ${kept} installed again`;
  context.log.info("repository data deleted", { reason, installation: installationId });
  return { state: "done", reason };
}

/** False for a repository without a stored name: it has no data worth keeping. */
async function isInstalledAgain(repositoryId: number, deps: ForgetDeps): Promise<boolean> {
  const { forge, database, repositoryIds } = deps;
  const { name: fullName } = await findStored(repositoryId, database);
  const [owner, name] = fullName?.split("/") ?? [];
  if (owner === undefined || name === undefined) return false;
  try {
    // Another repository may have this name now.
    const found = await forge.findRepository(owner, name);
    return found !== null && (await repositoryIds.idOf(found)) === repositoryId;
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "suspended") return true;
    throw error;
  }
}

/** False while the repository is in use. Rows that lead to other data are deleted last, so a retry after a crash finds the rest. */
async function forgetRepository(repositoryId: number, deps: ForgetDeps): Promise<boolean> {
  const { queue, database, telemetry, repositories } = deps;
  const prefixes = [
    reviewsOfRepository(repositoryId),
    embedsOfRepository(repositoryId),
    ...mentionsOfRepository(repositoryId),
  ];
  const jobs = (await Promise.all(prefixes.map((prefix) => queue.listSerial(prefix)))).flat();
  const open = jobs.filter(({ state }) => state === "queued" || state === "running");
  for (const { id } of open) await queue.cancel(id, "cancelled:uninstalled");
  if (open.some(({ state }) => state === "running")) return false;
  if (!(await repositories.discard(repositoryId))) return false;
  const stored = await findStored(repositoryId, database);
  const jobIds = [...new Set([...jobs.map(({ id }) => id), ...stored.jobIds])];
  await deleteTelemetryOf({ jobIds, repository: stored.name }, telemetry);
  await queue.forget(jobs.map(({ id }) => id));
  await deleteRepository(repositoryId, database);
  return true;
}
