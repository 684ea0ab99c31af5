/** Servers as processes, and webhooks sent to them by another process. */
import { type ChildProcess, spawn } from "node:child_process";
import { type Child, startChild } from "./child.ts";
import type { Load, LoadResult } from "./webhook-load.ts";

export type Server = {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
  /** Its output until it listened. */
  readonly output: string;
};

export function start(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    const onText = (text: string): void => {
      output += text;
      const port = /listening on port (\d+)/.exec(output)?.[1];
      if (port !== undefined)
        resolve({ name, url: `http://127.0.0.1:${port}/webhooks/github`, process: child, output });
    };
    child.stdout.setEncoding("utf8").on("data", onText);
    child.stderr.setEncoding("utf8").on("data", onText);
    child.on("close", () => reject(new Error(`${name} exited: ${output.slice(0, 500)}`)));
  });
}

export type LoadGenerator = Child<Load, LoadResult>;

export function startLoadGenerator(): LoadGenerator {
  return startChild("webhook-load.ts");
}
