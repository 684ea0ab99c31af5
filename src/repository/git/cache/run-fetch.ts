/**
 * Runs one `git fetch` from an address, with a time limit. The address is never stored, no other protocol is allowed, and
 * git checks objects before it keeps them. Git's helpers never outlive the call.
 */
import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";
import { KodiaiError } from "../../../base/errors.ts";
import type { RemoteAccess } from "../../repository.ts";
import { type GitOptions, spawnFailure, spawnFetchingGit } from "../run-git.ts";
import { answerCredential, CREDENTIAL_SETTINGS } from "./credential-channel.ts";
import { fetchFailure } from "./fetch-failure.ts";

/** The whole history of the largest public repositories arrives within minutes. A job must not wait longer. */
const MAX_FETCH_MS = 15 * 60_000;

/** A connection that is silent this long is dead: while a host prepares a pack, it sends a keepalive every five seconds. */
const MAX_SILENCE_SECONDS = 60;

/** On SIGTERM, git removes its temporary files and exits within milliseconds. After this time it is killed. */
const END_GRACE_MS = 5_000;

/** Keeps the end of git's messages. Progress comes before it and isn't needed. */
const MAX_STDERR_CHARS = 16_384;

const SETTINGS: readonly string[] = [
  "protocol.version=2",
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
  "http.sslVerify=true",
  "http.lowSpeedLimit=1",
  `http.lowSpeedTime=${MAX_SILENCE_SECONDS}`,
  "core.askPass=",
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

/** The remote of a fetch. */
export type Remote = {
  /** Without a user or password. */
  readonly address: URL;
  readonly access: RemoteAccess;
};

/** `depth` is a git option that limits the history to fetch. */
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
  if (!(socket instanceof Duplex)) throw new TypeError("the fourth stream of git must be a socket");
  const channel = answerCredential(socket, remote.address, remote.access);
  const { code, stderr, ending } = await waitForExit(child, git.signal);
  if (ending === "cancelled") throw cancelled();
  if (channel.failure() !== null) throw channel.failure();
  if (ending === "too-slow") {
    throw new KodiaiError(
      "network",
      `fetching the repository took more than ${MAX_FETCH_MS / 60_000} minutes`,
      {
        hint: "Kodiai retries later.",
        retryable: true,
      },
    );
  }
  if (code !== 0) throw fetchFailure(channel.mask(stderr), code);
}

type FetchExit = {
  readonly code: number;
  readonly stderr: string;
  readonly ending: "own" | "cancelled" | "too-slow";
};

/** Settles when git and all its helpers have exited. */
function waitForExit(child: ChildProcess, signal: AbortSignal | undefined): Promise<FetchExit> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    let ending: FetchExit["ending"] = "own";
    let grace: NodeJS.Timeout | undefined;
    const end = (reason: FetchExit["ending"]): void => {
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
    // Without this, the open socket would keep the "close" event from firing.
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
    // The group has already exited.
  }
}

/** Git overwrites progress lines with carriage returns. */
function withoutProgress(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !/^(?:remote: )?[A-Z][a-z ]+: +\d+(?:%|$|,)/.test(line))
    .join("\n");
}

function cancelled(): KodiaiError {
  return new KodiaiError("cancelled", "stopped while fetching a repository", {
    hint: "No action is needed. The next fetch keeps or removes the partial data.",
  });
}
