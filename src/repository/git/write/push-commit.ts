/**
 * Pushes one commit to one branch, and never forces. The lease makes git compare the branch with the expected commit, and the
 * host compares it again when it updates the branch. A lease alone would also let a push drop commits, so the commit must build
 * on the expected one. A push that already happened counts as pushed, also if the branch has further commits by now, so that it
 * can be repeated after a crash.
 */
import { KodiaiError } from "../../../base/errors.ts";
import type { Push, PushOutcome } from "../../repository-writer.ts";
import { fetchBranch } from "../cache/fetch-branch.ts";
import { acquireLock } from "../cache/file-lock.ts";
import type { FetchDeps } from "../cache/open-copy.ts";
import { checkBranchName } from "../cache/remote-names.ts";
import { type RemoteExit, runRemoteGit } from "../cache/run-remote-git.ts";
import { findCommit, isFullId } from "../refs.ts";
import { type GitOptions, gitFailure, tryGit } from "../run-git.ts";
import { isLostRace, readPushOutcome } from "./push-outcome.ts";

/** A commit with a few files takes seconds. Hosts end their own checks of a push earlier. */
const MAX_PUSH_MS = 5 * 60_000;

const SETTINGS: readonly string[] = [
  "push.followTags=false",
  "push.gpgSign=false",
  "push.negotiate=false",
  // An empty value removes configured ones.
  "push.pushOption=",
  // The API named this address a moment ago.
  "http.followRedirects=false",
];

const OPTIONS: readonly string[] = [
  "--porcelain",
  // If this process crashes, the pipe breaks and git exits at its next progress message.
  "--progress",
  "--no-verify",
  "--no-follow-tags",
  "--no-signed",
  "--no-force-if-includes",
  "--recurse-submodules=no",
];

export type PushDeps = Omit<FetchDeps, "onProgress"> & { readonly signal: AbortSignal };

export async function pushCommit(push: Push, deps: PushDeps): Promise<PushOutcome> {
  const { branch, commit, expected } = push;
  const { git } = deps;
  checkBranchName(branch);
  if (!isFullId(commit) || (expected !== null && !isFullId(expected)))
    throw new TypeError("a push needs full commit ids");
  if ((await findCommit(commit, git)) === null) {
    throw new KodiaiError("unknown-ref", `commit ${commit} isn't in the local copy`, {
      hint: "Fetch the repository and make the commit again.",
    });
  }
  if (expected !== null && !(await isAncestor(expected, commit, git)))
    return { kind: "rejected", reason: "moved", message: `commit ${commit} doesn't build on ${expected}` };
  const exit = await runPush(push, deps);
  // Only a new look at the branch shows whether it has this commit by now, or another one.
  const outcome = readPushOutcome(isLostRace(exit) ? await runPush(push, deps) : exit);
  const isMoved = outcome.kind === "rejected" && outcome.reason === "moved";
  return isMoved && (await isInBranch(push, deps)) ? { kind: "pushed" } : outcome;
}

function runPush({ commit, branch, expected }: Push, { remote, git }: PushDeps): Promise<RemoteExit> {
  const ref = `refs/heads/${branch}`;
  return runRemoteGit(
    remote,
    {
      name: "push",
      settings: SETTINGS,
      // Without a commit, the lease requires that the branch doesn't exist.
      options: [...OPTIONS, `--force-with-lease=${ref}:${expected ?? ""}`],
      refspecs: [`${commit}:${ref}`],
      maxMs: MAX_PUSH_MS,
    },
    git,
  );
}

/** Whether an earlier attempt has pushed the commit, and others were pushed after it. */
async function isInBranch({ commit, branch }: Push, { signal, ...deps }: PushDeps): Promise<boolean> {
  const lock = await acquireLock(deps.copy.lockPath, signal);
  try {
    const tip = await fetchBranch(branch, { ...deps, onProgress: () => {} });
    return await isAncestor(commit, tip, deps.git);
  } catch (error) {
    // The branch is gone, or has commits that git's check rejects.
    if (error instanceof KodiaiError && ["not-found", "bad-payload"].includes(error.code)) return false;
    throw error;
  } finally {
    lock.release();
  }
}

/** False if `older` isn't in the local copy, because then `newer` wasn't made from it. */
async function isAncestor(older: string, newer: string, git: GitOptions): Promise<boolean> {
  if ((await findCommit(older, git)) === null) return false;
  const args = ["merge-base", "--is-ancestor", older, newer];
  const exit = await tryGit(args, git);
  if (exit.code > 1) throw gitFailure(args, exit);
  return exit.code === 0;
}
