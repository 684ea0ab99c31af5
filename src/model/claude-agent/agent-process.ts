/**
 * The process of the agent program: started with exactly the given environment, and killed as soon as the run ends. It may be started
 * early, because loading it takes half a second; until the run begins, it gets no input.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { compareTexts } from "../../base/compare-texts.ts";

// A killed process is gone within milliseconds. One that hangs in the kernel must not delay the review.
const GONE_WITHIN_MS = 2000;

export type AgentProcess = {
  /** Starts it for a later `start` with the same command, arguments, folder and environment. */
  readonly startEarly: (options: SpawnOptions) => void;
  readonly start: (options: SpawnOptions) => SpawnedProcess;
  /** Kills the process and its children. They stop at once, though the system may not have removed them yet. */
  kill(): void;
  /** Kills them, and resolves when the process is gone. */
  stop(): Promise<void>;
};

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The platform has no process groups, or the process is gone.
    child.kill("SIGKILL");
  }
}

function spawnProgram({ command, args, cwd, env }: SpawnOptions) {
  // The library's signal is ignored: it gives the program two seconds to exit, which isn't needed.
  return spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ["pipe", "pipe", "ignore"],
    // In a separate process group, so that its children are killed too.
    detached: true,
    windowsHide: true,
  });
}

type Program = ReturnType<typeof spawnProgram>;

/** Two programs with the same one behave in the same way. */
function identityOf({ command, args, cwd, env }: SpawnOptions): string {
  return JSON.stringify([
    command,
    args,
    cwd,
    Object.entries(env).toSorted(([one], [other]) => compareTexts(one, other)),
  ]);
}

function isRunning({ pid, exitCode, signalCode }: Program): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

export function createAgentProcess(): AgentProcess {
  let child: Program | null = null;
  let early: string | null = null;
  let isStopped = false;
  const kill = (): void => {
    // Once: later another process may have its id.
    if (isStopped) return;
    isStopped = true;
    if (child !== null) killGroup(child);
  };
  const startNow = (options: SpawnOptions): Program => {
    const started = spawnProgram(options);
    child = started;
    if (isStopped) killGroup(started);
    return started;
  };
  return {
    startEarly(options) {
      if (isStopped || child !== null) return;
      early = identityOf(options);
      // The run starts another one, which reports the same error.
      startNow(options).on("error", () => {});
    },
    start(options) {
      const before = child;
      const isEarly = early !== null && early === identityOf(options);
      early = null;
      if (before !== null && isEarly && isRunning(before)) return before;
      if (before !== null) killGroup(before);
      return startNow(options);
    },
    kill,
    async stop() {
      kill();
      if (child === null || child.pid === undefined) return;
      const isGone = child.exitCode !== null || child.signalCode !== null;
      if (!isGone) await once(child, "exit", { signal: AbortSignal.timeout(GONE_WITHIN_MS) }).catch(() => {});
    },
  };
}
