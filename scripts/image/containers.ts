/** Runs buildah and podman with a storage of their own, so that nothing else on this machine sees the images. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const cache = join(import.meta.dirname, "../../node_modules/.cache/image");

/** Where stand-ins for base images are prepared. */
export const preparations = join(cache, "bases");

mkdirSync(preparations, { recursive: true });

const STORAGE = [
  "--root",
  join(cache, "storage"),
  "--runroot",
  join(cache, "run"),
  "--storage-driver",
  "overlay",
];

/** Builds print a line for every package. */
const MAX_OUTPUT_BYTES = 64_000_000;

const executed = promisify(execFile);

export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns what the program printed. Fails with its error output. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await executed(program, args, { maxBuffer: MAX_OUTPUT_BYTES });
  return stdout.trim();
}

export const buildah = (...args: readonly string[]): Promise<string> => run("buildah", [...STORAGE, ...args]);

/** runc, because crun refuses machines that mix both versions of control groups. */
const RUNTIME = isInstalled("runc") ? ["--runtime", "runc"] : [];

export const podman = (...args: readonly string[]): Promise<string> =>
  run("podman", [...STORAGE, ...RUNTIME, "--cgroup-manager", "cgroupfs", ...args]);

/** Returns everything that a container wrote. */
export async function readLogs(container: string): Promise<string> {
  const { stdout, stderr } = await executed("podman", [...STORAGE, "logs", container], {
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return `${stdout}${stderr}`;
}

/** Builds in a changed root without namespaces, which works wherever the user is root. */
export const build = (folder: string, tag: string): Promise<string> =>
  // Only Docker's format has health checks.
  buildah(
    "build",
    "--isolation",
    "chroot",
    "--pull=never",
    "--format",
    "docker",
    "--layers",
    "--tag",
    tag,
    folder,
  );
