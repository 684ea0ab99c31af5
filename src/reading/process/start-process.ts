/**
 * Starts the process that reads. It gets no environment, no credential and no working folder of interest. The operating system limits
 * its memory and its processor time, so that it stays bounded even if the parent is gone.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";

/** JavaScript objects. A file of 256 KiB needs about 60 MB. */
const MAX_HEAP_MB = 512;

/** Everything it may write to, in KiB: the heap, the parsers' trees, and the stacks of its threads. */
const MAX_DATA_KIB = 1536 * 1024;

/** Seconds. No review takes this long; a process whose parent was killed in the middle of a task ends by then. */
const MAX_CPU_SECONDS = 900;

/** No core dumps: they would hold the code under review. Systems that lack a limit go on without it. */
const LIMITS = [
  "ulimit -c 0 2>/dev/null",
  `ulimit -d ${MAX_DATA_KIB} 2>/dev/null`,
  `ulimit -t ${MAX_CPU_SECONDS} 2>/dev/null`,
  'exec "$0" "$@"',
].join("; ");

/** `entry` is the module of reader-main. */
export function startProcess(entry: URL): ChildProcessWithoutNullStreams {
  const program = [process.execPath, `--max-old-space-size=${MAX_HEAP_MB}`, fileURLToPath(entry)] as const;
  const isLimited = process.platform !== "win32";
  const [command, ...args] = isLimited ? (["/bin/sh", "-c", LIMITS, ...program] as const) : program;
  const cache = getCompileCacheDir();
  return spawn(command, args, {
    cwd: isLimited ? "/" : undefined,
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}
