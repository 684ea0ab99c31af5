/**
 * Runs one `git fetch` from an address: nothing of the address is written down, no other protocol is spoken, objects are
 * checked before they are kept, and time is limited. Never lets git's own helpers outlive the call.
 */
import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";
import { KodiaiError } from "../../../base/errors.ts";
import type { RemoteAccess } from "../../repository.ts";
import { type GitOptions, spawnFailure, spawnFetchingGit } from "../run-git.ts";
import { answerCredential, CREDENTIAL_SETTINGS } from "./credential-channel.ts";
import { fetchFailure } from "./fetch-failure.ts";

/** The whole history of the largest public repositories arrives within minutes; a job must not wait for longer. */
const MAX_FETCH_MS = 15 * 60_000;

/** Silence for this long is a dead connection: while a host prepares a pack it sends a sign of life every five seconds. */
const MAX_SILENCE_SECONDS = 60;

/** Git ends within milliseconds when asked to, and removes its temporary files; then it is made to. */
const END_GRACE_MS = 5_000;

/** The end of git's messages; what it tells of its progress comes before it and is not wanted. */
const MAX_STDERR_CHARS = 16_384;

const SETTINGS: readonly string[] = [
  "protocol.version=2",
  "transfer.fsckObjects=true",
  "fetch.fsckObjects=true",
  // Flaws of dates, names and modes that old tools wrote: harmless to read, and part of many old histories.
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
  // One pack for each fetch, however small, so that counting packs tells how worn the repository is.
  "fetch.unpackLimit=1",
  "fetch.writeCommitGraph=false",
  "http.followRedirects=initial",
  "http.sslVerify=true",
  "http.lowSpeedLimit=1",
  `http.lowSpeedTime=${MAX_SILENCE_SECONDS}`,
  "core.askPass=",
];

const OPTIONS: readonly string[] = [
  // Told over a pipe that breaks with this process: a git that is left behind ends at its next word of progress.
  "--progress",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--no-recurse-submodules",
  "--no-prune",
  // The refs are overwritten by what the host has, also after a forced push.
  "--force",
];

/** Where a fetch goes. */
export type Remote = {
  /** Without a user or password. */
  readonly address: URL;
  readonly access: RemoteAccess;
};

/** `depth` is one of git's options on how much history to bring. */
export async function runFetch(
  remote: Remote,
  wanted: { readonly depth: string; readonly refspecs: readonly string[] },
  git: GitOptions,
): Promise<void> {
  const protocol = remote.address.protocol.slice(0, -1);
  const settings = [...SETTINGS, ...CREDENTIAL_SETTINGS];
  const child = spawnFetchingGit(
    [
      ...settings.flatMap((setting) => ["-c", setting]),
      "fetch",
      ...OPTIONS,
      wanted.depth,
      "--end-of-options",
      remote.address.href,
      ...wanted.refspecs,
    ],
    git,
    protocol,
  );
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new TypeError("the fourth stream of git is a socket");
  const channel = answerCredential(socket, remote.address, remote.access);
  const { code, stderr, ending } = await waitForEnd(child, git.signal);
  if (ending === "cancelled") throw cancelled();
  if (channel.failure() !== null) throw channel.failure();
  if (ending === "too-slow") {
    throw new KodiaiError(
      "network",
      `the repository did not arrive within ${MAX_FETCH_MS / 60_000} minutes`,
      {
        hint: "It is tried again later.",
        retryable: true,
      },
    );
  }
  if (code !== 0) throw fetchFailure(channel.mask(stderr), code);
}

type End = {
  readonly code: number;
  readonly stderr: string;
  readonly ending: "own" | "cancelled" | "too-slow";
};

/** Settles when git and all that it started have ended. */
function waitForEnd(child: ChildProcess, signal: AbortSignal | undefined): Promise<End> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    let ending: End["ending"] = "own";
    let grace: NodeJS.Timeout | undefined;
    const end = (reason: End["ending"]): void => {
      if (ending !== "own") return;
      ending = reason;
      killGroup(child, "SIGTERM");
      grace = setTimeout(() => killGroup(child, "SIGKILL"), END_GRACE_MS);
    };
    const onAbort = (): void => end("cancelled");
    const limit = setTimeout(() => end("too-slow"), MAX_FETCH_MS);
    const settle = (): void => {
      clearTimeout(limit);
      clearTimeout(grace);
      signal?.removeEventListener("abort", onAbort);
      child.stdio[3]?.destroy();
    };
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS);
    });
    child.on("error", (error) => {
      settle();
      reject(spawnFailure(error));
    });
    // The socket is ours to close, and would otherwise keep "close" from coming.
    child.on("exit", () => child.stdio[3]?.destroy());
    child.on("close", (code) => {
      settle();
      resolve({ code: code ?? 128, stderr: withoutProgress(stderr), ending });
    });
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted === true) onAbort();
  });
}

function killGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // The group has ended by itself.
  }
}

/** Progress is written over itself with carriage returns. */
function withoutProgress(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !/^(?:remote: )?[A-Z][a-z ]+: +\d+(?:%|$|,)/.test(line))
    .join("\n");
}

function cancelled(): KodiaiError {
  return new KodiaiError("cancelled", "stopped while a repository was fetched", {
    hint: "Nothing needs to be done: what had arrived is kept or removed at the next fetch.",
  });
}
