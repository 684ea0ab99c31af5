/** The process of the agent program: started with exactly the given environment, and killed as soon as the run ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";

// A killed process is gone within milliseconds. One that hangs in the kernel must not delay the review.
const GONE_WITHIN_MS = 2000;

export type AgentProcess = {
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

export function createAgentProcess(): AgentProcess {
  let child: ChildProcess | null = null;
  let isStopped = false;
  const kill = (): void => {
    // Once: later another process may have its id.
    if (isStopped) return;
    isStopped = true;
    if (child !== null) killGroup(child);
  };
  return {
    start({ command, args, cwd, env }) {
      // The library's signal is ignored: it gives the program two seconds to exit, which isn't needed.
      const started = spawn(command, args, {
        ...(cwd === undefined ? {} : { cwd }),
        env,
        stdio: ["pipe", "pipe", "ignore"],
        // In a separate process group, so that its children are killed too.
        detached: true,
        windowsHide: true,
      });
      child = started;
      if (isStopped) killGroup(started);
      return started;
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
