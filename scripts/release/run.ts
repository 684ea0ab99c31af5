/** Runs a command of a release and returns what it printed. Never throws: a missing program is a failure like others. */
import { spawnSync } from "node:child_process";

export type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string };

export function run(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly timeout?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
  },
): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status: status ?? 1, stdout: stdout ?? "", stderr: error?.message ?? stderr };
}
