/**
 * Runs git in a hardened way: no hooks, pager, prompts, filters, external diff, network or optional locks, and a minimal
 * environment. Commands whose cost depends on the repository have limits on memory and CPU time. Output is read as latin1,
 * so that bytes survive. Only fetches and pushes may use a network protocol. No other file of the adapter spawns a process.
 */
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptions,
} from "node:child_process";
import { KodiaiError } from "../../base/errors.ts";

/** Enough for any error message of git. */
const MAX_STDERR_CHARS = 8_192;

/** More than any listing a review needs. Diffs are streamed and have other limits. */
const MAX_STDOUT_CHARS = 256 * 1024 * 1024;

/**
 * Memory limit of one git process, not counting mapped packs. Comparing two files of 5 MB with very short lines takes
 * 800 MB. Ordinary reviews take a tenth of that.
 */
const MAX_MEMORY_KB = 1024 * 1024;

/** Unpacking and checking the largest public repositories takes a few minutes. A push takes far less. */
const MAX_REMOTE_CPU_SECONDS = 15 * 60;

/** Sets the limits and then runs git. A system that doesn't support a limit runs without it. */
const RUN_WITH_LIMITS = 'ulimit -d "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec git "$@"';

/** The shell's exit code for a program that doesn't exist. */
const COMMAND_NOT_FOUND = 127;

const HARDENING = [
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.quotePath=true",
    "core.alternateRefsCommand=false",
    // A tracked folder that looks like a bare repository must not be used as one; see find-repository.ts.
    "safe.bareRepository=explicit",
    "diff.external=",
    "diff.suppressBlankEmpty=false",
    "diff.orderFile=/dev/null",
    "log.showSignature=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
  ].flatMap((setting) => ["-c", setting]),
];

/**
 * Settings for a git that runs next to our other processes. Less than git's defaults, which keep everything that was read of a large
 * pack: half the memory for a tenth more CPU time.
 */
export const SMALL_MEMORY: readonly string[] = [
  "core.deltaBaseCacheLimit=8m",
  "core.packedGitWindowSize=1m",
  "core.packedGitLimit=8m",
];

export type GitOptions = {
  readonly cwd: string;
  /** Environment variables for git; see settings.ts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Further settings as `key=value`. They override those of the repository. */
  readonly settings?: readonly string[] | undefined;
  /** Limits the CPU time of the process, and its memory to MAX_MEMORY_KB. */
  readonly maxCpuSeconds?: number | undefined;
  /** The whole standard input. Without it, git gets none. */
  readonly input?: Uint8Array | undefined;
  /** Called by `streamGit` with git's process id. */
  readonly onStart?: ((pid: number | undefined) => void) | undefined;
};

export type GitExit = {
  readonly code: number;
  readonly stderr: string;
  /** Git hit its memory or CPU limit, or the system killed it because memory ran out. */
  readonly isOverLimit: boolean;
};

/**
 * Streams standard output to `onChunk`, which gets the next chunk once it has finished the last one. The caller checks the
 * exit code.
 */
export function streamGit(
  args: readonly string[],
  options: GitOptions,
  onChunk: (latin1: string) => void | Promise<void>,
): Promise<GitExit> {
  return new Promise((resolve, reject) => {
    const { input } = options;
    const child = start(args, options, { stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    requirePipes(child);
    options.onStart?.(child.pid);
    if (input !== undefined) {
      // Git may exit before it has read everything. Its exit code and message say why.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    }
    let stderr = "";
    const stdout = child.stdout.setEncoding("latin1");
    let consumed: Promise<void> | null = null;
    const pauseFor = async (consuming: Promise<void>): Promise<void> => {
      stdout.pause();
      await consuming;
      stdout.resume();
    };
    stdout.on("data", (chunk: string) => {
      // After the process exits, Node emits the remaining chunks even while paused, so they are chained here.
      const consuming = consumed === null ? onChunk(chunk) : consumed.then(() => onChunk(chunk));
      if (consuming === undefined) return;
      consumed = pauseFor(consuming);
      consumed.catch((error: unknown) => {
        child.kill();
        reject(error);
      });
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += chunk;
    });
    child.on("error", (error) => reject(spawnFailure(error)));
    child.on("close", (code, signal) => {
      if (code === COMMAND_NOT_FOUND) return reject(spawnFailure(new Error(stderr.trim())));
      const isOverLimit = signal === "SIGKILL" || signal === "SIGXCPU" || /out of memory/i.test(stderr);
      const exit = { code: code ?? 128, stderr: stderr.trim(), isOverLimit };
      if (consumed === null) resolve(exit);
      else consumed.then(() => resolve(exit), reject);
    });
  });
}

/** Streams until `onChunk` returns true, then ends git and returns true. Throws if git fails before that. */
export async function streamUntil(
  args: readonly string[],
  options: GitOptions,
  onChunk: (latin1: string) => boolean,
): Promise<boolean> {
  const enough = new AbortController();
  const { signal } = options;
  const either = signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]);
  try {
    const exit = await streamGit(args, { ...options, signal: either }, (chunk) => {
      if (onChunk(chunk)) enough.abort();
    });
    if (exit.code !== 0 && !enough.signal.aborted) throw gitFailure(args, exit);
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return enough.signal.aborted;
}

/**
 * Starts a git that answers requests on its standard input and exits when that input closes. It runs in a separate process
 * group, because Ctrl-C signals the whole foreground group, and a stopped review still needs git for its last results.
 */
export function spawnBatchGit(args: readonly string[], options: GitOptions): ChildProcessWithoutNullStreams {
  const child = start(args, options, {
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  requirePipes(child);
  return child;
}

/**
 * Starts a git that may use one network protocol. It runs in a separate process group, so that its helpers can be ended with
 * it. Its standard error reports progress, and its fourth stream is a socket for its helpers.
 */
export function spawnRemoteGit(
  args: readonly string[],
  { signal: _ended, ...options }: GitOptions,
  protocol: string,
): ChildProcess {
  const child = start(
    args,
    { ...options, maxCpuSeconds: MAX_REMOTE_CPU_SECONDS },
    { detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"] },
    protocol,
  );
  requireStreams(child);
  return child;
}

/**
 * With limits, git is started through the shell, which sets them and then replaces itself with git, so the process id is
 * git's. That takes a millisecond, so commands that only look up names and settings run without limits. Windows has none.
 */
function start(
  args: readonly string[],
  options: GitOptions,
  spawning: Pick<SpawnOptions, "detached" | "windowsHide" | "stdio">,
  protocol = "",
): ChildProcess {
  const { cwd, environment, signal, settings = [], maxCpuSeconds } = options;
  const env = {
    ...environment,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Overrides every `protocol.allow` and `protocol.NAME.allow`, and also covers git versions without the variable above.
    GIT_ALLOW_PROTOCOL: protocol,
  };
  const all = [...HARDENING, ...settings.flatMap((setting) => ["-c", setting]), ...args];
  const how = { cwd, env, ...spawning, ...(signal === undefined ? {} : { signal }) };
  if (process.platform === "win32" || maxCpuSeconds === undefined) return spawn("git", all, how);
  return spawn(
    "/bin/sh",
    ["-c", RUN_WITH_LIMITS, "git", `${MAX_MEMORY_KB}`, `${maxCpuSeconds}`, ...all],
    how,
  );
}

/**
 * With too many open files, Node returns a child without streams and emits the error later. An error without a listener
 * would crash this process, so it is thrown here instead.
 */
function requireStreams(child: ChildProcess): void {
  if (Object.hasOwn(child, "stdio")) return;
  child.on("error", () => {});
  throw outOfResources("too many open files");
}

function requirePipes(child: ChildProcess): asserts child is ChildProcessWithoutNullStreams {
  requireStreams(child);
}

/** Runs git and returns its whole output, or throws with git's message. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.code !== 0) throw gitFailure(args, result);
  return result.stdout;
}

export async function tryGit(
  args: readonly string[],
  options: GitOptions,
): Promise<GitExit & { stdout: string }> {
  const chunks: string[] = [];
  let length = 0;
  const exit = await streamGit(args, options, (chunk) => {
    length += chunk.length;
    if (length <= MAX_STDOUT_CHARS) chunks.push(chunk);
  });
  return { ...exit, stdout: chunks.join("") };
}

export function gitFailure(args: readonly string[], exit: GitExit): KodiaiError {
  if (exit.isOverLimit) {
    return new KodiaiError(
      "too-large",
      `git ${args[0]} was stopped because it needed too much memory or time`,
      {
        hint: "Review less at a time, for example a single commit.",
      },
    );
  }
  const reason =
    exit.stderr.split("\n").find((line) => /^(?:fatal|error):/.test(line)) ?? exit.stderr.split("\n")[0];
  return new KodiaiError("git", `git ${args[0]} failed: ${reason || `exit code ${exit.code}`}`, {
    hint: "The message comes from git. Run `git fsck` to check the repository.",
  });
}

export function spawnFailure(error: Error): KodiaiError {
  if (error.name === "AbortError") return cancelled(error);
  if ("code" in error && (error.code === "EAGAIN" || error.code === "ENOMEM")) {
    return outOfResources(error.code === "EAGAIN" ? "too many processes" : "out of memory");
  }
  return new KodiaiError("git", `git couldn't be started: ${error.message}`, {
    hint: "Install git 2.30 or newer and make sure it is on the PATH.",
    cause: error,
  });
}

export function cancelled(cause: unknown): KodiaiError {
  return new KodiaiError("cancelled", "stopped while git was running", {
    hint: "Run the command again.",
    cause,
  });
}

/** Neither git nor the repository is at fault. A retry may succeed once other processes have ended. */
function outOfResources(why: string): KodiaiError {
  return new KodiaiError("io", `git couldn't be started: ${why}`, {
    hint: "Raise the limits of this process (ulimit -n, ulimit -u), or reduce its concurrency.",
    retryable: true,
  });
}
