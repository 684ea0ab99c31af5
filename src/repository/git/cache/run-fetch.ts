/** Runs one `git fetch` from an address. Git checks objects before it keeps them. */
import type { GitOptions } from "../run-git.ts";
import { remoteFailure } from "./remote-failure.ts";
import { type Remote, runRemoteGit } from "./run-remote-git.ts";

/** The whole history of the largest public repositories arrives within minutes. A job must not wait longer. */
const MAX_FETCH_MS = 15 * 60_000;

const SETTINGS: readonly string[] = [
  "transfer.fsckObjects=true",
  "fetch.fsckObjects=true",
  // Malformed dates, names and modes from old tools are harmless and occur in many old histories.
  ...[
    "badTimezone",
    "missingSpaceBeforeDate",
    "missingSpaceBeforeEmail",
    "missingEmail",
    "zeroPaddedFilemode",
    "zeroPaddedDate",
    "badDate",
    "badDateOverflow",
    "badEmail",
    "badName",
    "missingNameBeforeEmail",
  ].map((flaw) => `fetch.fsck.${flaw}=ignore`),
  // Every fetch adds a pack, however small, so that the number of packs shows the number of fetches.
  "fetch.unpackLimit=1",
  "fetch.writeCommitGraph=false",
  "http.followRedirects=initial",
];

const OPTIONS: readonly string[] = [
  // If this process crashes, the pipe breaks and git exits at its next progress message.
  "--progress",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--no-recurse-submodules",
  "--no-prune",
  // Overwrites the refs, even after a force push.
  "--force",
];

/** `depth` is a git option that limits the history to fetch; null fetches all of it. */
export async function runFetch(
  remote: Remote,
  wanted: {
    readonly depth: string | null;
    readonly refspecs: readonly string[];
    /** Left out: the time that a job may wait. */
    readonly maxMs?: number;
  },
  git: GitOptions,
): Promise<void> {
  const { code, stderr } = await runRemoteGit(
    remote,
    {
      name: "fetch",
      settings: SETTINGS,
      options: wanted.depth === null ? OPTIONS : [...OPTIONS, wanted.depth],
      refspecs: wanted.refspecs,
      maxMs: wanted.maxMs ?? MAX_FETCH_MS,
    },
    git,
  );
  if (code !== 0) throw remoteFailure(stderr, code);
}
