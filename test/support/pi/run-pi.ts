/** Runs the real pi with our extension, in the mode in which programs control it. */
import { spawn } from "node:child_process";
import type { TestContext } from "node:test";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { eventually } from "../eventually.ts";

type PiOptions = {
  readonly program: string;
  readonly extension: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** One line of pi's output; which fields there are depends on `type`. */
export type PiEvent = {
  readonly type: string;
  readonly id?: string;
  readonly method?: string;
  readonly statusText?: string;
  readonly widgetLines?: readonly string[];
  readonly message?: string | { readonly customType: string; readonly content: string };
  readonly data?: { readonly commands: readonly { readonly name: string; readonly source: string }[] };
};

export function runPi(t: TestContext, { program, extension, cwd, env }: PiOptions) {
  const child = spawn(
    process.execPath,
    [program, "--mode", "rpc", "--no-session", "--offline", "--extension", extension],
    {
      cwd,
      env: {
        PATH: process.env["PATH"],
        HOME: cwd,
        TMPDIR: cwd,
        PI_CODING_AGENT_DIR: join(cwd, ".pi-agent"),
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const events: PiEvent[] = [];
  let problems = "";
  createInterface({ input: child.stdout }).on("line", (line) => events.push(JSON.parse(line) as PiEvent));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (problems += text));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    events,
    problems: () => problems,
    ended,
    end: () => void child.stdin.end(),
    send: (command: Readonly<Record<string, string>>) =>
      void child.stdin.write(`${JSON.stringify(command)}\n`),
    /** The first event that matches, now or later. */
    next: (what: string, matches: (event: PiEvent) => boolean) =>
      eventually(what, () => {
        if (child.exitCode !== null) throw new Error(`pi has exited: ${problems}`);
        return events.find(matches);
      }),
  };
}
