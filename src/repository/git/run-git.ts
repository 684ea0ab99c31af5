/**
 * Runs git, hardened: no hooks, pager, prompts, filters, external diff, network or optional locks; a minimal environment; limits on
 * memory and CPU time where a repository decides how much there is to do; output as latin1 so that bytes survive. The only place that spawns a process. A fetch alone is allowed a
 * protocol.
 */
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptions,
} from "node:child_process";
import { KodiaiError } from "../../base/errors.ts";

/** Enough for any error message of git's. */
const MAX_STDERR_CHARS = 8_192;

/** More than any listing a review needs; a diff is streamed and has limits of its own. */
const MAX_STDOUT_CHARS = 256 * 1024 * 1024;

/**
 * Most memory of one git, without the packs that it maps. Comparing two files of 5 MB with the shortest lines takes
 * 800 MB; ordinary reviews take a tenth.
 */
const MAX_MEMORY_KB = 1024 * 1024;

/** Unpacking and checking the largest public repositories takes some minutes. */
const MAX_FETCH_CPU_SECONDS = 15 * 60;

/** A system that does not know a limit goes on without it. */
const LIMITED = 'ulimit -d "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec git "$@"';

/** What a shell says about a program that is not there. */
const SHELL_FOUND_NO_GIT = 127;

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
    // A folder of a repository that looks like a bare repository is not one; see find-repository.ts.
    "safe.bareRepository=explicit",
    "diff.external=",
    "diff.suppressBlankEmpty=false",
    "diff.orderFile=/dev/null",
    "log.showSignature=false",
    "submodule.recurse=false",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
  ].flatMap((setting) => ["-c", setting]),
];

export type GitOptions = {
  readonly cwd: string;
  /** What git may see of the environment; see settings.ts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Further settings as `key=value`. They win over those of the repository. */
  readonly settings?: readonly string[] | undefined;
  /** Limits the CPU time of the process, and its memory to MAX_MEMORY_KB. */
  readonly maxCpuSeconds?: number | undefined;
};

export type GitExit = {
  readonly code: number;
  readonly stderr: string;
  /** Git was stopped by the limit on its memory or its CPU time, or by the system for want of memory. */
  readonly isOverLimit: boolean;
};

/**
 * Streams standard output to `onChunk`, which gets the next piece when it is done with the one before. Does not judge the
 * exit code.
 */
export function streamGit(
  args: readonly string[],
  options: GitOptions,
  onChunk: (latin1: string) => void | Promise<void>,
): Promise<GitExit> {
  return new Promise((resolve, reject) => {
    const child = start(args, options, { stdio: ["ignore", "pipe", "pipe"] });
    requirePipes(child);
    let stderr = "";
    const stdout = child.stdout.setEncoding("latin1");
    let taken: Promise<void> | null = null;
    const pauseFor = async (taking: Promise<void>): Promise<void> => {
      stdout.pause();
      await taking;
      stdout.resume();
    };
    stdout.on("data", (chunk: string) => {
      // When the process has ended Node hands out what is left, paused or not: pieces wait for one another here.
      const taking = taken === null ? onChunk(chunk) : taken.then(() => onChunk(chunk));
      if (taking === undefined) return;
      taken = pauseFor(taking);
      taken.catch((error: unknown) => {
        child.kill();
        reject(error);
      });
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += chunk;
    });
    child.on("error", (error) => reject(spawnFailure(error)));
    child.on("close", (code, signal) => {
      if (code === SHELL_FOUND_NO_GIT) return reject(spawnFailure(new Error(stderr.trim())));
      const isOverLimit = signal === "SIGKILL" || signal === "SIGXCPU" || /out of memory/i.test(stderr);
      const exit = { code: code ?? 128, stderr: stderr.trim(), isOverLimit };
      if (taken === null) resolve(exit);
      else taken.then(() => resolve(exit), reject);
    });
  });
}

/** Streams until `onChunk` answers that it has enough, which ends git; true when it did. Throws when git fails before that. */
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
 * A git that is asked again and again over its standard input. It leads a process group of its own: with Ctrl-C a terminal reaches the
 * whole group in front, and this one is still asked when a review that was stopped tells what it has. It ends with its input.
 */
export function spawnAskedGit(args: readonly string[], options: GitOptions): ChildProcessWithoutNullStreams {
  const child = start(args, options, {
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  requirePipes(child);
  return child;
}

/**
 * A git that reaches over the network, by one protocol. It leads a process group of its own, so that the helpers it starts can be ended
 * with it; its error stream tells how it goes; the fourth stream is a socket on which its helpers may ask.
 */
export function spawnFetchingGit(
  args: readonly string[],
  { signal: _ended, ...options }: GitOptions,
  protocol: string,
): ChildProcess {
  const child = start(
    args,
    { ...options, maxCpuSeconds: MAX_FETCH_CPU_SECONDS },
    { detached: true, stdio: ["ignore", "ignore", "pipe", "pipe"] },
    protocol,
  );
  requireStreams(child);
  return child;
}

/**
 * With limits git is started through the shell, which sets them and then becomes git: the process id is git's. It takes a
 * millisecond, so commands that only look up names and settings go without. Windows has no such limits.
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
    // Wins over every `protocol.NAME.allow` of a repository, and also stops a git that does not know the variable above.
    GIT_ALLOW_PROTOCOL: protocol,
  };
  const all = [...HARDENING, ...settings.flatMap((setting) => ["-c", setting]), ...args];
  const how = { cwd, env, ...spawning, ...(signal === undefined ? {} : { signal }) };
  if (process.platform === "win32" || maxCpuSeconds === undefined) return spawn("git", all, how);
  return spawn("/bin/sh", ["-c", LIMITED, "git", `${MAX_MEMORY_KB}`, `${maxCpuSeconds}`, ...all], how);
}

/**
 * With too many files open, Node gives back a child without streams and tells the error later. Nobody can listen on streams
 * that are not there, and an error that nobody hears would end this process: it is thrown here instead.
 */
function requireStreams(child: ChildProcess): void {
  if (Object.hasOwn(child, "stdio")) return;
  child.on("error", () => {});
  throw outOfResources("too many files are open");
}

function requirePipes(child: ChildProcess): asserts child is ChildProcessWithoutNullStreams {
  requireStreams(child);
}

/** Runs git and returns its whole output, or throws with what git said. */
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
    return new KodiaiError("too-large", `git ${args[0]} was stopped: it took too much memory or time`, {
      hint: "Review less at a time, for instance one commit.",
    });
  }
  const said =
    exit.stderr.split("\n").find((line) => /^(?:fatal|error):/.test(line)) ?? exit.stderr.split("\n")[0];
  return new KodiaiError("git", `git ${args[0]} failed: ${said || `exit code ${exit.code}`}`, {
    hint: "Run `git fsck` to check the repository; the message above is git's own.",
  });
}

export function spawnFailure(error: Error): KodiaiError {
  if (error.name === "AbortError") {
    return new KodiaiError("cancelled", "stopped while git was running", {
      hint: "Run the command again.",
      cause: error,
    });
  }
  if ("code" in error && (error.code === "EAGAIN" || error.code === "ENOMEM")) {
    return outOfResources(error.code === "EAGAIN" ? "too many processes run" : "memory ran out");
  }
  return new KodiaiError("git", `git could not be started: ${error.message}`, {
    hint: "Install git 2.30 or newer and make sure that it is on the PATH.",
    cause: error,
  });
}

/** Not a fault of git or of the repository: the same may succeed when others have ended. */
function outOfResources(why: string): KodiaiError {
  return new KodiaiError("io", `git could not be started: ${why}`, {
    hint: "Raise the limits of this process (ulimit -n, ulimit -u) or let it do less at a time.",
    retryable: true,
  });
}
