/** `kodiai serve` and `kodiai worker` as an operator runs them: processes of their own, against a fake GitHub. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN } from "../built-program.ts";
import { killIfRunning } from "../processes.ts";
import type { FakeGithub } from "../../../fake-github/fake-github.ts";

/** A lease this short makes the job of a killed worker start again while a test waits. */
const LEASE_SECONDS = "2";

export type AppFolder = {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
};

/** A folder for what the app keeps on disk, and the settings that lead to a fake GitHub and to a database. */
export function appFolder(
  fake: FakeGithub,
  databaseUrl: string,
  extra: Readonly<Record<string, string>> = {},
): AppFolder {
  const path = mkdtempSync(join(tmpdir(), "kodiai-app-"));
  return {
    path,
    environment: {
      KODIAI_OFFLINE: "on",
      PATH: process.env["PATH"] ?? "",
      HOME: path,
      GITHUB_APP_ID: String(fake.appId),
      GITHUB_PRIVATE_KEY: Buffer.from(fake.privateKeyPem).toString("base64"),
      GITHUB_WEBHOOK_SECRET: fake.webhookSecret,
      GITHUB_API_URL: fake.url,
      DATABASE_URL: databaseUrl,
      KODIAI_DATA: path,
      KODIAI_LEASE_SECONDS: LEASE_SECONDS,
      LOG_LEVEL: "debug",
      HOST: "127.0.0.1",
      ...extra,
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** One process, or several that are one installation. */
export type RunningApp = {
  /** Of the first process. */
  readonly pid: number;
  /** Of the webhook door; empty for workers. */
  readonly webhookUrl: string;
  /** Everything it has written so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the signal or exit code that it ended with; of several processes, with all that differ. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
};

/** Several processes as one. */
export function joinApps(apps: readonly RunningApp[]): RunningApp {
  return {
    pid: apps[0]?.pid ?? 0,
    webhookUrl: apps.find(({ webhookUrl }) => webhookUrl !== "")?.webhookUrl ?? "",
    output: () => apps.map((app) => app.output()).join(""),
    kill(signal) {
      for (const app of apps) app.kill(signal);
    },
    ended: Promise.all(apps.map(({ ended }) => ended)).then((all) => [...new Set(all)].join()),
    async stop() {
      await Promise.all(apps.map((app) => app.stop()));
    },
  };
}

export function startApp(
  args: readonly string[],
  folder: AppFolder,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningApp> {
  const child = spawn(process.execPath, [BIN, ...args, ...(args[0] === "serve" ? ["--port", "0"] : [])], {
    cwd: folder.path,
    env: { ...folder.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<string>((resolve) => {
    child.on("close", (code, signal) => resolve(signal ?? String(code)));
  });
  return new Promise((resolve, reject) => {
    const onText = (text: string): void => {
      output += text;
      const port = /listening on port (\d+)/.exec(output)?.[1];
      if (port === undefined && !output.includes("kodiai: running jobs")) return;
      resolve({
        pid: child.pid ?? 0,
        webhookUrl: port === undefined ? "" : `http://127.0.0.1:${port}/webhooks/github`,
        output: () => output,
        kill(signal) {
          child.kill(signal);
          // A power cut takes the processes of single jobs too; in order, it is their worker that stops them.
          if (signal === "SIGKILL") killOwnProcesses(output);
        },
        ended,
        async stop() {
          child.kill("SIGTERM");
          // One that a test has frozen hears nothing before it goes on.
          child.kill("SIGCONT");
          await ended;
        },
      });
    };
    child.stdout.setEncoding("utf8").on("data", onText);
    child.stderr.setEncoding("utf8").on("data", onText);
    void ended.then((how) => reject(new Error(`the app ended with ${how} before it was ready:\n${output}`)));
  });
}

/** Those that it has said to have started for single jobs. Most of them are gone by now. */
function killOwnProcesses(output: string): void {
  for (const [, pid] of output.matchAll(/"running a suspect job in a separate process".*"pid":(\d+)/g))
    killIfRunning(Number(pid));
}
