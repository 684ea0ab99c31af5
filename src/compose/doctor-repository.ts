/** Composes the checks of one repository: the same forge, clones and gates as in a job. */
import { join } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { AppSettings } from "../config/server-settings.ts";
import type { AppAccess } from "../doctor/app-access.ts";
import type { DoctorCheck } from "../doctor/check.ts";
import {
  createRepositoryChecks,
  type Previewed,
  type RepositorySubject,
} from "../doctor/checks/repository.ts";
import type { OpenedRecords, OpenRecords } from "../doctor/records-access.ts";
import type { Forge, RepositoryRef } from "../forge/forge.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { createGithubForge } from "../forge/github/github-forge.ts";
import { previewPullRequest, previewRepository } from "../jobs/preview-review.ts";
import { toRepositoryRef } from "../jobs/register-event.ts";
import { reviewSerialKey, reviewsOfRepository } from "../jobs/review-job.ts";
import { SKIP_WORDS } from "../jobs/run/skip-review.ts";
import type { Job } from "../queue/queue.ts";
import { createRepositoryCache } from "../repository/git/cache/repository-cache.ts";
import { createRepositoryIds } from "../store/repositories/repository-ids.ts";
import type { AppSources } from "./app.ts";
import type { DoctorSettings } from "./doctor-settings.ts";

export type RepositoryParts = {
  readonly read: DoctorSettings;
  readonly sources: AppSources;
  readonly openRecords: OpenRecords;
  readonly access: AppAccess;
  readonly log: Log;
  readonly signal: AbortSignal;
};

export function composeRepositoryChecks(
  subject: RepositorySubject,
  parts: RepositoryParts,
): readonly DoctorCheck[] {
  const { access, openRecords } = parts;
  let opening: Promise<Opened> | null = null;
  const open = (records: OpenedRecords) => (opening ??= openRepository(subject, records, parts));
  let previewing: Promise<Previewed> | null = null;
  return createRepositoryChecks(subject, {
    access,
    openRecords,
    preview: (records) => (previewing ??= preview(subject, open(records), records, parts)),
    readLastJob: async (records) => readLastJob(subject, (await open(records)).ref, records),
    skipWords: SKIP_WORDS,
  });
}

type Opened = { readonly app: AppSettings; readonly forge: Forge; readonly ref: RepositoryRef };

async function openRepository(
  { owner, name }: RepositorySubject,
  { database, now }: OpenedRecords,
  { read: { app }, sources, log }: RepositoryParts,
): Promise<Opened> {
  if (app === null) throw new TypeError("these checks run only with the settings of an app");
  const forge = createGithubForge({ ...app, userAgent: `kodiai/${sources.version}`, now, log });
  const found = await forge.findRepository(owner, name);
  if (found === null)
    throw new KodiaiError("not-found", `the app has no access to ${owner}/${name}`, {
      hint: "Add the repository in the settings of the installation.",
    });
  return {
    app,
    forge,
    ref: await toRepositoryRef(found, createRepositoryIds(database, hostOfApi(app.apiUrl))),
  };
}

async function preview(
  { number }: RepositorySubject,
  opening: Promise<Opened>,
  { database, now }: OpenedRecords,
  { sources, read, signal }: RepositoryParts,
): Promise<Previewed> {
  const { app, forge, ref } = await opening;
  const session = forge.openSession(ref);
  try {
    if (number === null) return { of: "repository", ...(await previewRepository({ session })) };
    if (read.models === null) throw new TypeError("the settings of models are part of the app's");
    const repositories = createRepositoryCache({
      folder: join(app.dataFolder, "repositories"),
      environment: sources.gitEnvironment,
      maxBytes: app.cacheBytes,
      allowHttp: app.apiUrl.startsWith("http:"),
    });
    const { openReader } = sources;
    const deps = { session, store: { database, now }, repositories, openReader, models: read.models, signal };
    return { of: "pull-request", ...(await previewPullRequest(ref, number, deps)) };
  } finally {
    await session.close();
  }
}

/** Keys of pull request 1 begin like those of pull request 12. */
async function readLastJob(
  { number }: RepositorySubject,
  ref: RepositoryRef,
  { queue }: OpenedRecords,
): Promise<Job | null> {
  const key = number === null ? null : reviewSerialKey(ref, number);
  const jobs = await queue.listSerial(key ?? reviewsOfRepository(ref.repositoryId));
  for (const { id } of jobs.toReversed()) {
    const job = await queue.read(id);
    if (key === null || job?.serialKey === key) return job;
  }
  return null;
}
