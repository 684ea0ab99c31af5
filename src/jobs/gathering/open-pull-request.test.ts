import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "../../../test/support/analysis-fixtures.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { PullRequest } from "../../forge/forge.ts";
import type { Repository, RepositoryCache } from "../../repository/repository.ts";
import { openPullRequest } from "./open-pull-request.ts";

const PULL_REQUEST: PullRequest = {
  repositoryRef: {
    host: "github.com",
    installationId: 7,
    forgeId: 42,
    repositoryId: 42,
    owner: "octo",
    name: "cat",
  },
  number: 5,
  title: "feat: log in",
  body: "",
  isOpen: true,
  isDraft: false,
  mergedAt: null,
  mergedBy: null,
  isLocked: false,
  head: "a".repeat(40),
  headLabel: "octo:feature",
  headRef: "topic",
  baseRef: "main",
  base: "b".repeat(40),
  isFork: false,
  isPrivate: true,
  author: { login: "ada", isBot: false },
  association: "MEMBER",
  updatedAt: 1,
  url: "https://github.com/octo/cat/pull/5",
};

const session = {
  pullRequests: { read: async () => PULL_REQUEST },
  contents: { cloneAccess: () => ({ url: "https://github.com/octo/cat.git", credential: null }) },
};

const FIRST_REVIEW = { number: 5, earlierRuns: [] };

type Cache = Pick<RepositoryCache, "openPullRequest">;

test("a job that is stopped during a fetch ends through its signal, without an unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  try {
    const stages: string[] = [];
    const repositories: Cache = {
      async openPullRequest(_access, _pullRequest, { onProgress }) {
        onProgress("fetching");
        // Node reports unhandled rejections at this point.
        await new Promise((resolve) => void setImmediate(resolve));
        // A test double: calling any method throws.
        return { kind: "opened", repository: {} as Repository, change: changeOf([]) };
      },
    };
    const context = {
      signal: new AbortController().signal,
      async step(name: string) {
        stages.push(name);
        if (name === "fetching") throw new Error("a newer job replaced it");
      },
    };
    const opened = await openPullRequest(FIRST_REVIEW, session, { repositories, context });
    assert.equal(opened?.pullRequest, PULL_REQUEST);
    assert.deepEqual(stages, ["cloning", "fetching"]);
    assert.deepEqual(unhandled, []);
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
});

test("a head that moves during the fetch is read again; one that keeps moving is retried later", async () => {
  let fetches = 0;
  const repositories = (moves: number): Cache => ({
    openPullRequest: async () =>
      fetches++ < moves
        ? { kind: "moved", head: "c".repeat(40) }
        : // A test double, as above.
          { kind: "opened", repository: {} as Repository, change: changeOf([]) },
  });
  const context = { signal: new AbortController().signal, step: async () => {} };
  const opened = await openPullRequest(FIRST_REVIEW, session, { repositories: repositories(3), context });
  assert.equal(opened?.pullRequest.number, 5);
  assert.equal(fetches, 4);
  fetches = 0;
  await assert.rejects(openPullRequest(FIRST_REVIEW, session, { repositories: repositories(100), context }), {
    code: "network",
    retryable: true,
  });
});

test("a base branch that was renamed before the fetch is read again; one that stays missing is retried later", async () => {
  const missing = new KodiaiError("not-found", "the base branch is gone", {
    hint: "Check the branch.",
    retryable: true,
  });
  const fetched: string[] = [];
  const repositories: Cache = {
    async openPullRequest(_access, { baseRef }) {
      fetched.push(baseRef);
      if (baseRef === "main") throw missing;
      // A test double, as above.
      return { kind: "opened", repository: {} as Repository, change: changeOf([]) };
    },
  };
  const context = { signal: new AbortController().signal, step: async () => {} };
  const names = ["main", "trunk"];
  const renamed = {
    ...session,
    pullRequests: { read: async () => ({ ...PULL_REQUEST, baseRef: names.shift() ?? "trunk" }) },
  };
  const opened = await openPullRequest(FIRST_REVIEW, renamed, { repositories, context });
  assert.equal(opened?.pullRequest.baseRef, "trunk");
  assert.deepEqual(fetched, ["main", "trunk"]);
  await assert.rejects(openPullRequest(FIRST_REVIEW, session, { repositories, context }), {
    code: "not-found",
    retryable: true,
    message: missing.message,
  });
});
