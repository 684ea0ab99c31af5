/**
 * Deletes what is stored of repositories that the app was removed from, some days after that: rows, figures, and the copy on
 * this machine's disk. A repository that the app is installed on again by then is left alone.
 */
import { count } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { RepositoryCache } from "../repository/repository.ts";
import type { Database } from "../store/database.ts";
import {
  deleteInstallation,
  deleteRepository,
  findRepositoriesOf,
  findStored,
} from "../store/repositories/stored-repositories.ts";
import { deleteTelemetryOf } from "../store/repositories/telemetry.ts";
import { parseForgetJob } from "./forget-job.ts";
import type { JobContext, JobOutcome, Recipe } from "./recipe.ts";
import { reviewsOfRepository } from "./review-job.ts";

/** A review that still runs, or a copy that is still read, is done by then or gets the chance once more. */
const LOOK_AGAIN_MS = 60_000;

export type ForgetDeps = {
  readonly forge: Pick<Forge, "findRepository">;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  readonly repositories: Pick<RepositoryCache, "discard">;
  /** How long everything is kept after the app was removed. */
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
      return { state: "wait", untilMs: deps.now() + LOOK_AGAIN_MS, reason: "waiting:in-use" };
  }
  if (repositoryIds === null && kept === 0) await deleteInstallation(installationId, deps.database);
  const reason = `deleted:${count(wanted.length - kept, "repository", "repositories")}, ${kept} installed again`;
  context.log.info("what was stored of repositories is deleted", { reason, installation: installationId });
  return { state: "done", reason };
}

/** Of a repository without a name nothing is stored that could be missed. */
async function isInstalledAgain(repositoryId: number, { forge, database }: ForgetDeps): Promise<boolean> {
  const { name: fullName } = await findStored(repositoryId, database);
  const [owner, name] = fullName?.split("/") ?? [];
  if (owner === undefined || name === undefined) return false;
  try {
    // Another repository may have taken the name.
    return (await forge.findRepository(owner, name))?.repositoryId === repositoryId;
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "suspended") return true;
    throw error;
  }
}

/** False when something of it is in use. What leads to the rest goes last, so that it can be done again after a crash. */
async function forgetRepository(repositoryId: number, deps: ForgetDeps): Promise<boolean> {
  const { queue, database, telemetry, repositories } = deps;
  const jobs = await queue.listSerial(reviewsOfRepository(repositoryId));
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
