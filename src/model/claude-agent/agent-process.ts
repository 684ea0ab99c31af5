/** The process of the agent program: started with exactly the environment it is given, and ended at once when the run ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";

// A killed process is gone within milliseconds; one that hangs in the kernel must not hold a review.
const GONE_WITHIN_MS = 2000;

export type AgentProcess = {
  readonly start: (options: SpawnOptions) => SpawnedProcess;
  /** Ends it and whatever it has started: from now on it does nothing more, though the system is still clearing it away. */
  kill(): void;
  /** The same; resolves when it is gone. */
  stop(): Promise<void>;
};

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // No group of its own on this platform, or gone already.
    child.kill("SIGKILL");
  }
}

export function createAgentProcess(): AgentProcess {
  let child: ChildProcess | null = null;
  let isStopped = false;
  const kill = (): void => {
    // Once: later its number may be somebody else's.
    if (isStopped) return;
    isStopped = true;
    if (child !== null) killGroup(child);
  };
  return {
    start({ command, args, cwd, env }) {
      // The library's own signal is left aside: it gives the program two seconds to say goodbye, and there is nothing to say.
      const started = spawn(command, args, {
        ...(cwd === undefined ? {} : { cwd }),
        env,
        stdio: ["pipe", "pipe", "ignore"],
        // In a group of its own, so that nothing it starts is left behind.
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
