/**
 * Reads a file of an owner's `.github` repository, where organizations keep defaults for all their repositories. The app needs no access to
 * that repository if it is public. Files are kept for a few minutes, because every review needs them.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { OwnerFile, RepositoryRef } from "../forge.ts";
import type { GithubClient, Token } from "./github-client.ts";
import { isGithubError } from "./github-error.ts";
import { readHostedFile } from "./read-hosted-file.ts";
import { revokeToken } from "./session-tokens.ts";
import type { Log } from "../../base/log.ts";

const OWNER_REPOSITORY = ".github";

/** An edit takes effect within this time, and a busy organization costs a few requests per hour. */
const FRESH_MS = 5 * 60_000;

/** Each is at most a megabyte, and nearly all are a few hundred bytes. The oldest is dropped. */
const MAX_KEPT = 100;

export type OwnerFilesDeps = {
  readonly app: GithubClient;
  readonly clientOf: (installationId: number, token: Token) => GithubClient;
  readonly now: () => number;
  readonly log: Log;
};

export type OwnerFiles = {
  /** `read` can read what is public. Throws only what may pass: GitHub doesn't answer, or limits requests. */
  read(path: string, repositoryRef: RepositoryRef, read: GithubClient): Promise<OwnerFile>;
};

export function createOwnerFiles(deps: OwnerFilesDeps): OwnerFiles {
  const kept = new Map<string, { readonly file: OwnerFile; readonly readAtMs: number }>();
  return {
    async read(path, repositoryRef, read) {
      const key = JSON.stringify([repositoryRef.installationId, repositoryRef.owner, path]);
      const known = kept.get(key);
      if (known !== undefined && deps.now() - known.readAtMs < FRESH_MS) return known.file;
      const file = await readAnyway(path, repositoryRef, { ...deps, read });
      kept.delete(key);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest);
      kept.set(key, { file, readAtMs: deps.now() });
      return file;
    },
  } satisfies OwnerFiles;
}

/** A public file is read with the session's token. Only for a private one, Kodiai creates a token for the other repository. */
async function readAnyway(
  path: string,
  { installationId, owner, name }: RepositoryRef,
  { app, clientOf, now, log, read }: OwnerFilesDeps & { readonly read: GithubClient },
): Promise<OwnerFile> {
  // The session's token can read its own repository, public or not.
  const isOwn = name.toLowerCase() === OWNER_REPOSITORY;
  const open = await readOwnerFile(path, owner, read);
  if (open.kind !== "absent" || isOwn) return open;
  const mintedAtMs = now();
  const token = await app
    .request("POST /app/installations/{installation_id}/access_tokens", {
      installation_id: installationId,
      repositories: [OWNER_REPOSITORY],
      permissions: { contents: "read", metadata: "read" },
    })
    .then(
      ({ data }) => ({ value: data.token, mintedAtMs }),
      (error: unknown) => noneIfRefused(error),
    );
  if (token === null) return open;
  const client = clientOf(installationId, token);
  try {
    const file = await readOwnerFile(path, owner, client);
    return file.kind === "found" ? { ...file, isPrivate: true } : file;
  } finally {
    await revokeToken(token, { clientOf: () => client, log });
  }
}

/** With what one client can read. */
export async function readOwnerFile(path: string, owner: string, read: GithubClient): Promise<OwnerFile> {
  const name = `${owner}/${OWNER_REPOSITORY}:${path}`;
  const place = { owner, repo: OWNER_REPOSITORY };
  try {
    const bytes = await readHostedFile(path, null, { read, name: async () => place });
    return bytes === null ? { kind: "absent", name } : { kind: "found", name, bytes, isPrivate: false };
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "too-large") return { kind: "too-large", name };
    noneIfRefused(error);
    return { kind: "absent", name };
  }
}

/** GitHub has answered, and the answer is no: the app isn't installed there, or there is no such repository. */
function noneIfRefused(error: unknown): null {
  if (isGithubError(error) && error.call.status !== null && !error.retryable) return null;
  throw error;
}
