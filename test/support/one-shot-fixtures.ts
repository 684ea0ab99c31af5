/** Runs with a given token in the process of the test, each with a new database. */
import type { OneShot, OneShotGiven } from "../../src/cli/app.ts";
import { openOneShot } from "../../src/compose/one-shot.ts";
import { parsePullRequestUrl } from "../../src/forge/github/pull-request-url.ts";
import { createLazyAnalysers } from "../../src/linters/lazy-analysers.ts";
import type { FakeGithub } from "../../fake-github/fake-github.ts";
import type { PullRequest } from "../../fake-github/world.ts";
import { createInProcessReader } from "./in-process-reader.ts";

const NOTHING_GIVEN: Omit<OneShotGiven, "origin" | "token"> = {
  dataFolder: null,
  config: null,
  model: null,
  budgetUsd: null,
};

const ANALYSER = new URL("../../src/analyser-main.ts", import.meta.url);

export const WAITING = { onStep: () => {}, signal: new AbortController().signal };

export function openTestOneShot(
  fake: FakeGithub,
  token: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<OneShot> {
  const settings = {
    environment: { KODIAI_OFFLINE: "on", GITHUB_API_URL: fake.url, LOG_LEVEL: "error", ...environment },
    dotEnv: null,
    readText: () => null,
  };
  return openOneShot(
    { ...NOTHING_GIVEN, origin: fake.gitUrl, token },
    {
      settings,
      gitEnvironment: { PATH: process.env["PATH"] ?? "" },
      openReader: async () => createInProcessReader(),
      openAnalysers: async () => createLazyAnalysers(ANALYSER, () => performance.now()),
      version: "0.0.0",
      stderr: { isTerminal: false, write: (text) => void process.stderr.write(text) },
    },
  );
}

/** Reviews a pull request once, with a database that is new and then gone. */
export async function reviewOnce(fake: FakeGithub, token: string, pullRequest: PullRequest) {
  const { repository, number } = pullRequest;
  const url = `${fake.gitUrl}/${repository.owner.login}/${repository.name}/pull/${number}`;
  const address = parsePullRequestUrl(url);
  if (address === null) throw new TypeError(`${url} must be the address of a pull request`);
  const oneShot = await openTestOneShot(fake, token);
  try {
    return await oneShot.review(address, { ...WAITING, isFull: false });
  } finally {
    await oneShot.close();
  }
}
