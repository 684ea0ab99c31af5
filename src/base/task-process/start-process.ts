/**
 * Starts a process that performs tasks, without environment variables of ours, credentials or a relevant working directory. The operating
 * system limits its memory and CPU time, so it stays bounded even if the parent is gone.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";

/** For JavaScript objects. A file of 256 KiB needs about 60 MB. */
const MAX_HEAP_MB = 512;

/** Limit of writable memory in KiB: the heap, the parsers' trees and the thread stacks. */
const MAX_DATA_KIB = 1536 * 1024;

/** No review takes this long, and a process whose parent was killed during a task ends by then. */
const MAX_CPU_SECONDS = 900;

/** No core dumps, because they would contain the code under review. Systems without a limit ignore it. */
function limitsOf(maxCpuSeconds: number): string {
  return [
    "ulimit -c 0 2>/dev/null",
    `ulimit -d ${MAX_DATA_KIB} 2>/dev/null`,
    // Below the hard limit, the signal that ends the process is SIGXCPU and says why.
    `ulimit -S -t ${maxCpuSeconds} 2>/dev/null`,
    `ulimit -H -t ${maxCpuSeconds + 1} 2>/dev/null`,
    'exec "$0" "$@"',
  ].join("; ");
}

export type ProcessStart = {
  /** The module that the process runs. */
  readonly entry: URL;
  readonly args?: readonly string[];
  /** Options for Node. Omitted: only the limit of its memory. */
  readonly nodeOptions?: readonly string[];
  /** Omitted: the root folder. */
  readonly cwd?: string;
  /** Omitted: the limit for any process. */
  readonly maxCpuSeconds?: number;
  /** True: it leads a group of its own, which can be ended with everything that it started. */
  readonly isGroup?: boolean;
  /** Environment variables. Omitted: none. */
  readonly environment?: Readonly<Record<string, string>>;
};

export function startProcess({
  entry,
  args: given = [],
  nodeOptions = [],
  cwd,
  isGroup = false,
  environment = {},
  maxCpuSeconds = MAX_CPU_SECONDS,
}: ProcessStart): ChildProcessWithoutNullStreams {
  const program = [
    process.execPath,
    `--max-old-space-size=${MAX_HEAP_MB}`,
    ...nodeOptions,
    fileURLToPath(entry),
    ...given,
  ] as const;
  const isLimited = process.platform !== "win32";
  const [command, ...args] = isLimited
    ? (["/bin/sh", "-c", limitsOf(maxCpuSeconds), ...program] as const)
    : program;
  const cache = getCompileCacheDir();
  return spawn(command, args, {
    cwd: cwd ?? (isLimited ? "/" : undefined),
    detached: isGroup && isLimited,
    env: cache === undefined ? environment : { ...environment, NODE_COMPILE_CACHE: cache },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}
