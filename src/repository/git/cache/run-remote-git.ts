/**
 * Runs one git command that talks to a remote, with a time limit. The address is never stored, no other protocol is allowed,
 * and git's helpers never outlive the call.
 */
import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";
import { KodiaiError } from "../../../base/errors.ts";
import { writeAuthorities } from "../../../base/outbound/authorities.ts";
import { type Proxy, proxyFor, proxyVariables } from "../../../base/outbound/proxy.ts";
import type { RemoteAccess } from "../../repository.ts";
import { type GitOptions, spawnFailure, spawnRemoteGit } from "../run-git.ts";
import { answerCredential, CREDENTIAL_SETTINGS } from "./credential-channel.ts";

/** A connection that is silent this long is dead: while a host works, it sends a keepalive every five seconds. */
const MAX_SILENCE_SECONDS = 60;

/** On SIGTERM, git removes its temporary files and exits within milliseconds. After this time it is killed. */
const END_GRACE_MS = 5_000;

/** Keeps the end of git's output. Progress comes before it and isn't needed. */
const MAX_OUTPUT_CHARS = 16_384;

const SETTINGS: readonly string[] = [
  "protocol.version=2",
  "http.sslVerify=true",
  "http.lowSpeedLimit=1",
  `http.lowSpeedTime=${MAX_SILENCE_SECONDS}`,
  "core.askPass=",
  ...CREDENTIAL_SETTINGS,
];

/** The remote of a fetch or a push. */
export type Remote = {
  /** Without a user or password. */
  readonly address: URL;
  readonly access: RemoteAccess;
};

export type RemoteCommand = {
  readonly name: "fetch" | "push";
  /** Further settings as `key=value`. */
  readonly settings: readonly string[];
  readonly options: readonly string[];
  readonly refspecs: readonly string[];
  readonly maxMs: number;
};

/** How a command ended, without the credential and without progress. */
export type RemoteExit = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Something else killed git, so it didn't report how far it got. */
  readonly isKilled: boolean;
};

/** The caller checks the exit code. Throws if git was stopped, or if there is no credential. */
export async function runRemoteGit(
  { address, access }: Remote,
  { name, settings, options, refspecs, maxMs }: RemoteCommand,
  git: GitOptions,
): Promise<RemoteExit> {
  const environment = { ...git.environment, ...(await outboundVariables(address, git)) };
  const child = spawnRemoteGit(
    [
      ...[...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]),
      name,
      ...options,
      "--end-of-options",
      address.href,
      ...refspecs,
    ],
    { ...git, environment },
    address.protocol.slice(0, -1),
  );
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new TypeError("the fourth stream of git must be a socket");
  const channel = answerCredential(socket, address, access);
  const { code, stdout, stderr, ending } = await waitForExit(child, maxMs, git.signal);
  if (ending === "cancelled") throw cancelled(name);
  if (channel.failure() !== null) throw channel.failure();
  if (ending === "too-slow") throw tooSlow(name, maxMs);
  const proxy = proxyFor(address);
  if (code !== 0 && proxy !== null && PROXY_FAILURE.test(stderr)) throw failedProxy(proxy, stderr);
  return {
    code,
    stdout: channel.mask(stdout),
    stderr: channel.mask(stderr),
    isKilled: ending === "killed",
  };
}

/** Only a git that uses the network gets them. A proxy's password is in its environment, never among its arguments. */
async function outboundVariables(
  address: URL,
  { cwd, environment }: GitOptions,
): Promise<Readonly<Record<string, string>>> {
  const { GIT_SSL_CAINFO: given } = environment;
  const authorities = given ?? (await writeAuthorities(environment["GIT_DIR"] ?? cwd, "all"));
  return {
    ...proxyVariables(address),
    // As in Kodiai's own requests. Otherwise git first asks the proxy what it accepts.
    GIT_HTTP_PROXY_AUTHMETHOD: "basic",
    ...(authorities === null ? {} : { GIT_SSL_CAINFO: authorities, GIT_PROXY_SSL_CAINFO: authorities }),
  };
}

type Ending = "own" | "cancelled" | "too-slow" | "killed";

/** Settles when git and all its helpers have exited. */
function waitForExit(
  child: ChildProcess,
  maxMs: number,
  signal: AbortSignal | undefined,
): Promise<Omit<RemoteExit, "isKilled"> & { readonly ending: Ending }> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    let ending: Ending = "own";
    let grace: NodeJS.Timeout | undefined;
    const end = (reason: Ending): void => {
      if (ending !== "own") return;
      ending = reason;
      killGroup(child, "SIGTERM");
      grace = setTimeout(() => killGroup(child, "SIGKILL"), END_GRACE_MS);
    };
    const onAbort = (): void => end("cancelled");
    const limit = setTimeout(() => end("too-slow"), maxMs);
    const settle = (): void => {
      clearTimeout(limit);
      clearTimeout(grace);
      signal?.removeEventListener("abort", onAbort);
      child.stdio[3]?.destroy();
    };
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout = (stdout + chunk).slice(-MAX_OUTPUT_CHARS);
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-MAX_OUTPUT_CHARS);
    });
    child.on("error", (error) => {
      settle();
      reject(spawnFailure(error));
    });
    child.on("exit", (_code, by) => {
      // Without this, the open socket would keep the "close" event from firing.
      child.stdio[3]?.destroy();
      // Helpers of a killed git keep running.
      if (by !== null) end("killed");
    });
    child.on("close", (code) => {
      settle();
      resolve({ code: code ?? 128, stdout, stderr: withoutProgress(stderr), ending });
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

/** curl's words. With a proxy, it's the only host that curl connects to. */
const PROXY_FAILURE = /from proxy after CONNECT|CONNECT tunnel failed|resolve proxy|failed to connect/i;

function failedProxy({ url: { host } }: Proxy, stderr: string): KodiaiError {
  const status = /(?:HTTP code|response) (\d{3})/.exec(stderr)?.[1];
  const what = status === undefined ? "can't be reached" : `refused a connection (status ${status})`;
  return new KodiaiError("network", `git got no connection: the proxy ${host} ${what}`, {
    hint: "Check the address, the user and the password in HTTPS_PROXY, and that the proxy allows CONNECT to the host of the repository.",
    retryable: true,
  });
}

function cancelled(name: RemoteCommand["name"]): KodiaiError {
  return new KodiaiError(
    "cancelled",
    `stopped while ${name === "fetch" ? "fetching a repository" : "pushing a commit"}`,
    { hint: "No action is needed. The next attempt keeps or removes the partial data." },
  );
}

function tooSlow(name: RemoteCommand["name"], maxMs: number): KodiaiError {
  const message = `git ${name} took more than ${maxMs / 60_000} minutes`;
  return new KodiaiError("network", message, { hint: "Kodiai retries later.", retryable: true });
}
