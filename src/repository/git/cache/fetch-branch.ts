/** Fetches the newest commit of a branch, with as much history as the copy has anyway. */
import { hashParts } from "../../../base/hash.ts";
import { resolveCommit } from "../refs.ts";
import { readDepth } from "./copy-depth.ts";
import type { FetchDeps } from "./open-copy.ts";
import { runFetch } from "./run-fetch.ts";

/** Returns the commit. */
export async function fetchBranch(
  name: string,
  { remote, copy, git, onProgress }: FetchDeps,
): Promise<string> {
  // Hashed, because git can't store `a/b` while it has an `a`, which may be deleted on the host.
  const ref = `refs/kodiai/branches/${hashParts([name], 40)}`;
  onProgress("fetching");
  const depth = `--depth=${await readDepth(copy)}`;
  await runFetch(remote, { depth, refspecs: [`+refs/heads/${name}:${ref}`] }, git);
  return resolveCommit(ref, git);
}
