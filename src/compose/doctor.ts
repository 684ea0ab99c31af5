/** Composes the checks of `kodiai doctor` from settings and adapters. Nothing is opened before its check runs. */
import { existsSync, statfsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createLog, type Log } from "../base/log.ts";
import { proxyFor } from "../base/outbound/proxy.ts";
import type { Records } from "../cli/app.ts";
import { type EmbeddingSettings, LOCAL_EMBEDDINGS } from "../config/embedding-settings.ts";
import { findUnknownSettings } from "../config/known-settings.ts";
import { type AppSettings, namesDatabase, readStoreSettings } from "../config/server-settings.ts";
import { MAX_SECRET_BYTES, type SettingsSource } from "../config/settings-reader.ts";
import type { AppAccess } from "../doctor/app-access.ts";
import type { CheckLine, DoctorCheck } from "../doctor/check.ts";
import { createAppCheck } from "../doctor/checks/app.ts";
import { createDashboardCheck } from "../doctor/checks/dashboard.ts";
import { createDatabaseCheck } from "../doctor/checks/database.ts";
import { type CacheFacts, createDiskCheck } from "../doctor/checks/disk.ts";
import { createEmbeddingsCheck } from "../doctor/checks/embeddings.ts";
import { createGitCheck } from "../doctor/checks/git.ts";
import { createInstallationsCheck } from "../doctor/checks/installations.ts";
import { createLintersCheck } from "../doctor/checks/linters.ts";
import { createModelCheck } from "../doctor/checks/model.ts";
import { type ContactedHost, createNetworkCheck } from "../doctor/checks/network.ts";
import { createNodeCheck } from "../doctor/checks/node.ts";
import { createQueueCheck } from "../doctor/checks/queue.ts";
import { createSettingsCheck } from "../doctor/checks/settings.ts";
import { createWebhookCheck } from "../doctor/checks/webhook.ts";
import type { DoctorRequest } from "../doctor/doctor-request.ts";
import { maskSecretsOf } from "../doctor/mask-secrets-of.ts";
import { createRecordsAccess, type OpenedRecords } from "../doctor/records-access.ts";
import { runChecks } from "../doctor/run-checks.ts";
import { openEmbeddings } from "../embeddings/open-embeddings.ts";
import { createGithubInspection } from "../forge/github/inspect-app.ts";
import { createGithubWebhooks } from "../forge/github/github-webhooks.ts";
import { addressOf } from "../model/ai-sdk/connect-provider.ts";
import { readWorkers } from "../queue/rules/read-workers.ts";
import { measureCopies } from "../repository/git/cache/evict-copies.ts";
import { readGitVersion } from "../repository/git/read-git-version.ts";
import { inspectStore } from "../store/inspect-store.ts";
import { type AppSources, openRecords } from "./app.ts";
import { chooseDoctorModel } from "./doctor-model.ts";
import type { RepositoryParts } from "./doctor-repository.ts";
import { type DoctorSettings, readDoctorSettings } from "./doctor-settings.ts";

export async function examine(request: DoctorRequest, sources: AppSources): Promise<readonly CheckLine[]> {
  const read = readDoctorSettings(sources.settings);
  const opened: Records[] = [];
  const inspect = once(() => inspectStore(readStoreSettings(sources.settings).databaseUrl));
  const open = once(async (): Promise<OpenedRecords> => {
    const records = await openRecords(sources);
    opened.push(records);
    const { queue, database, now } = records;
    return { queue, database, now, readWorkers: () => readWorkers(now(), database) };
  });
  const openRecordsFor = createRecordsAccess({ inspect, open });
  const log = createLog({
    level: "error",
    format: "text",
    write: (line) => sources.stderr.write(line),
    now: Date.now,
  });
  const access = accessOf(read, sources, log);
  const checks: readonly DoctorCheck[] = [
    createNodeCheck(process.versions.node),
    createGitCheck((signal) => readGitVersion(sources.gitEnvironment, signal)),
    createSettingsCheck({ problems: read.problems, unknown: findUnknownSettings(sources.settings) }),
    createDatabaseCheck({ inspect, isExpected: read.isApp || namesDatabase(sources.settings) }),
    createQueueCheck(openRecordsFor),
    createDiskCheck(read.app === null ? null : createCacheReader(read.app)),
    createAppCheck(access),
    createWebhookCheck(access, {
      path: createGithubWebhooks("").path,
      isRelayed: read.app !== null && read.app.webhookRelay !== null,
    }),
    createInstallationsCheck(access),
    createDashboardCheck(read.dashboard),
    createModelCheck(() => chooseDoctorModel(read, sources.settings), request),
    createEmbeddingsCheck(() => chooseEmbedder(read.embeddings), request),
    createLintersCheck(sources.openAnalysers),
    createNetworkCheck({
      hosts: hostsOf(read),
      proxyHostFor: (url) => proxyFor(url)?.url.host ?? null,
      certificates: certificatesOf(sources.settings),
      now: Date.now,
    }),
    ...(await repositoryChecks(request, { read, sources, openRecords: openRecordsFor, access, log })),
  ];
  try {
    return await runChecks(checks, {
      signal: request.signal,
      mask: maskSecretsOf(valuesOf(sources.settings)),
    });
  } finally {
    for (const each of opened) await each.close();
  }
}

function accessOf({ isApp, app }: DoctorSettings, { version }: AppSources, log: Log): AppAccess {
  if (!isApp) return { kind: "not-configured" };
  if (app === null) return { kind: "invalid-settings" };
  const { appId, privateKeyPem, apiUrl } = app;
  const userAgent = `kodiai/${version}`;
  return {
    kind: "inspectable",
    inspection: createGithubInspection({ appId, privateKeyPem, apiUrl, userAgent, now: Date.now, log }),
  };
}

function chooseEmbedder(settings: EmbeddingSettings | null) {
  if (settings === null) return null;
  const id = settings.embeddings ?? LOCAL_EMBEDDINGS;
  return { id, isLocal: id === LOCAL_EMBEDDINGS, open: () => openEmbeddings(id, settings) };
}

async function repositoryChecks(
  { repository, signal }: DoctorRequest,
  parts: Omit<RepositoryParts, "signal">,
): Promise<readonly DoctorCheck[]> {
  if (repository === null) return [];
  const { composeRepositoryChecks } = await import("./doctor-repository.ts");
  return composeRepositoryChecks(repository, { ...parts, signal });
}

function createCacheReader({ dataFolder, cacheBytes }: AppSettings): () => Promise<CacheFacts> {
  const folder = join(dataFolder, "repositories");
  return async () => {
    const { bavail, bsize } = statfsSync(existing(resolve(folder)));
    const usedBytes = await measureCopies(folder);
    return { folder, maxBytes: cacheBytes, usedBytes, freeBytes: bavail * bsize };
  };
}

/** The folder, or the nearest one above it that exists. */
function existing(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existing(parent);
}

function hostsOf({ app, models, embeddings }: DoctorSettings): readonly ContactedHost[] {
  // The Claude Agent SDK contacts the same host as the API.
  const { claude, ...others } = models?.access ?? {};
  const access = { ...(claude === undefined ? {} : { anthropic: claude }), ...others };
  const providers = AI_SDK_PROVIDERS.flatMap((name) => {
    const known = access[name];
    return known === undefined
      ? []
      : [{ what: `The provider ${name}`, address: addressOf(name, known.baseUrl) }];
  });
  const embedder = Object.entries(embeddings?.access ?? {}).flatMap(([name, { baseUrl }]) =>
    baseUrl === null ? [] : [{ what: `The embeddings of ${name}`, address: baseUrl }],
  );
  const host = app === null ? [] : [{ what: "The app's host", address: app.apiUrl }];
  return [...host, ...providers, ...embedder].map(({ what, address }) => ({ what, url: new URL(address) }));
}

const AI_SDK_PROVIDERS = ["anthropic", "openai", "google", "compatible"] as const;

/** Files of certificate authorities that Node, OpenSSL and git read. */
const CERTIFICATE_VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "GIT_SSL_CAINFO"];

/** All public authorities together have a quarter of that. */
const MAX_CERTIFICATES_BYTES = 1024 * 1024;

function certificatesOf({ environment, readText }: SettingsSource) {
  return CERTIFICATE_VARIABLES.flatMap((name) => {
    const path = environment[name] ?? "";
    return path === "" ? [] : [{ name, path, text: readText(path, MAX_CERTIFICATES_BYTES) }];
  });
}

/** The values of all settings, with those of secrets in files. */
function valuesOf({ environment, dotEnv, readText }: SettingsSource): Record<string, string | undefined> {
  const values = {
    ...(dotEnv === null ? {} : process.getBuiltinModule("node:util").parseEnv(dotEnv)),
    ...environment,
  };
  const files = Object.entries(values).flatMap(([name, path]) => {
    // The file of a checkout must not decide which files of the machine Kodiai reads; a key's path is read anyway.
    const isNamed = (name.endsWith("_FILE") && environment[name] !== undefined) || name.endsWith("_KEY");
    const isFile = path !== undefined && isNamed && path.length < 1_024;
    return isFile ? [[`${name} SECRET`, readText(path, MAX_SECRET_BYTES) ?? undefined] as const] : [];
  });
  return { ...values, ...Object.fromEntries(files) };
}

/** All callers share the first call. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | null = null;
  return () => (loading ??= load());
}
