/** Starts worker processes on a queue and reads the notes they write. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Command, Setup } from "./worker-process.ts";

export type WorkerProcess = {
  /** Resolves with the answer. */
  send(command: Command): Promise<unknown>;
  freeze(): void;
  thaw(): void;
  /** Kills the process as a power cut would. Resolves once it has exited and the kill is noted. */
  kill(): Promise<void>;
  /** Lets the process finish and waits for it. */
  stop(): Promise<void>;
};

export type Note = {
  readonly what: "start" | "end" | "killed";
  readonly pid: number;
  readonly id: number;
  readonly group: string;
  readonly serialKey: string | null;
};

export async function startWorker(setup: Setup): Promise<WorkerProcess> {
  const script = join(import.meta.dirname, "worker-process.ts");
  const child = spawn(process.execPath, [script, JSON.stringify(setup)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const { value, done } = await answers.next();
    assert.ok(done !== true, "the worker process ended without an answer");
    return JSON.parse(value);
  };
  assert.equal(await read(), "ready");
  return {
    send(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return read();
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await gone;
      appendFileSync(setup.notes, `${JSON.stringify({ what: "killed", pid: child.pid })}\n`);
    },
    async stop() {
      child.stdin.end();
      await gone;
      assert.equal(child.exitCode, 0);
    },
  };
}

/** Reads the notes in the order they were written. */
export function readNotes(path: string): readonly Note[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  // Written by worker processes and by `kill`.
  return lines.map((line) => JSON.parse(line) as Note);
}
