/** Fetches pushed commits for the Action's review of a range, with the job's token. Needs no checkout, and publishes nothing. */
import { join } from "node:path";
import { createRepositoryCache } from "../repository/git/cache/repository-cache.ts";
import { requireCloneUrl } from "../forge/github/clone-url.ts";
import type { RangeRequest, RangeView } from "../cli/command.ts";

/** More than any repository that a job fetches; a job's disk is its own. */
const MAX_CACHE_BYTES = 100_000_000_000;

export type RangeSources = {
  readonly gitEnvironment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export function openRangeView(
  { apiUrl, cloneUrl, token, dataFolder, range, onStage }: RangeRequest,
  { gitEnvironment, signal }: RangeSources,
): Promise<RangeView> {
  const repositories = createRepositoryCache({
    folder: join(dataFolder, "ranges"),
    environment: gitEnvironment,
    maxBytes: MAX_CACHE_BYTES,
    allowHttp: apiUrl.startsWith("http:"),
  });
  // The token is only sent to the host of the API.
  const url = requireCloneUrl(cloneUrl, apiUrl);
  const credential = token === null ? null : async () => ({ username: "x-access-token", password: token });
  return repositories.openRange({ url, credential }, range, { signal, onProgress: onStage });
}
