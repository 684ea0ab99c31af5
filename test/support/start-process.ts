/** Starts a program as a command at a prompt: it leads a process group, and Ctrl-C signals the whole group. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import type { RunResult } from "./run-kodiai.ts";

export type StartedProcess = {
  /** As a terminal does it. */
  press(): void;
  /** To this process alone. */
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<RunResult>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Numbers of all processes below it. */
  readonly family: () => readonly string[];
};

/** Leads a process group, as a command at a prompt does. */
export function startProcess(
  t: TestContext,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): StartedProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid ?? assert.fail("it could not be started");
  t.after(() => child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return {
    press: () => void process.kill(-pid, "SIGINT"),
    signal: (name) => void child.kill(name),
    ended: new Promise((resolve) => {
      child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
    }),
    stdout: () => stdout,
    stderr: () => stderr,
    family: () => descendantsOf(String(pid)),
  };
}

function descendantsOf(pid: string): readonly string[] {
  const children = readdirSync("/proc").filter((each) => parentOf(each) === pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function parentOf(pid: string): string | null {
  try {
    return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** A process that has ended and whose parent has not looked yet is none any more. */
export function isRunning(pid: string): boolean {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The command line of a process; "" if it has ended. */
export function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** A PATH with a git that hangs at one command; all others are git's own. */
export function stuckGit(folder: string, command: string): string {
  const path = process.env["PATH"] ?? "";
  const place = path.split(delimiter).find((each) => existsSync(join(each, "git"))) ?? assert.fail("no git");
  const lines = [
    "#!/bin/sh",
    `case " $* " in *" ${command} "*) exec sleep 600 ;; esac`,
    `exec "${join(place, "git")}" "$@"`,
  ];
  mkdirSync(folder);
  writeFileSync(join(folder, "git"), `${lines.join("\n")}\n`, { mode: 0o700 });
  return `${folder}${delimiter}${path}`;
}
