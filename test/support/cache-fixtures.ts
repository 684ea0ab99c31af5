/** A git host, and the cache that reads it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import { createRepositoryCache } from "../../src/repository/git/cache/repository-cache.ts";
import type {
  CachedPullRequest,
  RemotePullRequest,
  RepositoryCache,
} from "../../src/repository/repository.ts";
import type { GitHost } from "./git-host.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

export const PATH = process.env["PATH"] ?? "";

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-cache-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with `main` and pull request 7, which changes a.txt. */
export function shop(t: TestContext): {
  readonly made: TestRepository;
  readonly head: string;
  readonly base: string;
} {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.txt", "one\ntwo\n");
  made.write("noise.bin", randomBytes(300_000));
  const base = made.commit("root");
  return { made, base, head: pullRequestFrom(made, 7, base, { "a.txt": "one\nTWO\n" }) };
}

/** Creates a pull request as from a fork: its commit is only under refs/pull. */
export function pullRequestFrom(
  made: TestRepository,
  number: number,
  from: string,
  files: Readonly<Record<string, string>>,
): string {
  made.git("checkout", "--quiet", "--detach", from);
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  const head = made.commit(`change ${number}`);
  made.git("update-ref", `refs/pull/${number}/head`, head);
  made.git("checkout", "--quiet", "main");
  return head;
}

export function wanted(head: string, more: Partial<RemotePullRequest> = {}): RemotePullRequest {
  return {
    repositoryId: 42,
    number: 7,
    title: "Shout",
    body: "Because.",
    description: "pull request 7 of acme/shop",
    baseRef: "main",
    head,
    ...more,
  };
}

type Opening = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string) => void;
  readonly password?: string;
  readonly url?: string;
};

export function openCached(
  cache: RepositoryCache,
  host: GitHost,
  pullRequest: RemotePullRequest,
  { signal, onProgress, password, url }: Opening = {},
): Promise<CachedPullRequest> {
  const credential =
    password === undefined ? null : () => Promise.resolve({ username: "x-access-token", password });
  return cache.openPullRequest({ url: url ?? host.url, credential }, pullRequest, {
    signal: signal ?? new AbortController().signal,
    commits: [],
    onProgress: onProgress ?? (() => {}),
  });
}

/** Opens a pull request, fails if it wasn't opened, and closes it at the end of the test. */
export async function opened(t: TestContext, opening: Promise<CachedPullRequest>) {
  const result = await opening;
  assert.ok(result.kind === "opened", `${result.kind} instead of opened`);
  t.after(() => result.repository.close());
  return result;
}

export function cacheIn(folder: string, maxBytes = 1e9): RepositoryCache {
  return createRepositoryCache({ folder, environment: { PATH }, maxBytes });
}

export async function assertRefused(
  work: Promise<unknown>,
  code: string,
  isRetryable = false,
): Promise<KodiaiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KodiaiError, String(error));
  assert.deepEqual([error.code, error.retryable], [code, isRetryable], error.message);
  return error;
}

export function openBranch(cache: RepositoryCache, host: GitHost, name: string, signal?: AbortSignal) {
  return cache.openBranch(
    { url: host.url, credential: null },
    { repositoryId: 42, name },
    { signal: signal ?? new AbortController().signal, onProgress: () => {} },
  );
}
