/** Runs the program as a user does, in a separate process. */
import { spawn } from "node:child_process";
import { BIN } from "./built-program.ts";

export type RunResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type RunOptions = {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: Record<string, string>;
  /** Omitted: the program of this checkout. */
  readonly bin?: string;
  /** The user that runs it. Omitted: the same as this process. */
  readonly uid?: number;
};

export function runKodiai(args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: options.cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      // Tests of look-ups name their own server.
      KODIAI_OFFLINE: "on",
      ...options.env,
    };
    const child = spawn(process.execPath, [options.bin ?? BIN, ...args], {
      cwd: options.cwd,
      env,
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
