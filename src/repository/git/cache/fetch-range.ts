/** Fetches the two ends of pushed commits and enough history to connect them. */
import { KodiaiError } from "../../../base/errors.ts";
import type { RemoteRange } from "../../repository.ts";
import { resolveCommit } from "../refs.ts";
import { readDepth } from "./copy-depth.ts";
import { fetchBranch } from "./fetch-branch.ts";
import { joinHistories } from "./fetch-pull-request.ts";
import type { FetchDeps } from "./open-copy.ts";
import { runFetch } from "./run-fetch.ts";

/** Returns the merge base; null if there is none. */
export async function fetchRange({ head, base }: RemoteRange, deps: FetchDeps): Promise<string | null> {
  const { copy, onProgress } = deps;
  const depth = await readDepth(copy);
  onProgress("fetching");
  await fetchCommit(head, deps);
  const found = "branch" in base ? await fetchBranch(base.branch, deps) : await fetchIfAny(base.commit, deps);
  return found === null ? null : joinHistories({ base: found, head, depth }, deps);
}

async function fetchCommit(id: string, { remote, copy, git }: FetchDeps): Promise<string> {
  await runFetch(remote, { depth: `--depth=${await readDepth(copy)}`, refspecs: [id] }, git);
  return resolveCommit(id, git);
}

/** After a forced push, the host may have removed the old commits. */
async function fetchIfAny(id: string, deps: FetchDeps): Promise<string | null> {
  try {
    return await fetchCommit(id, deps);
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.code !== "not-found" || deps.git.signal?.aborted === true)
      throw error;
    return null;
  }
}
