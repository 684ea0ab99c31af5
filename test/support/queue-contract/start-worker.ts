/** Starts processes that work on a queue, and reads what they noted. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Command, Setup } from "./worker-process.ts";

export type WorkerProcess = {
  /** Resolves with the answer. */
  tell(command: Command): Promise<unknown>;
  freeze(): void;
  thaw(): void;
  /** As a power cut would; resolves when it is gone, and has noted what it held as given up. */
  kill(): Promise<void>;
  /** Lets it come to its end. */
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
    tell(command) {
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

/** Reads the notes in the order in which things happened. */
export function readNotes(path: string): readonly Note[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  // Written by worker processes and by `kill`.
  return lines.map((line) => JSON.parse(line) as Note);
}
