/** Keeps the temporary files of all tests in memory where there is room: they are thousands of small repositories and databases. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Linux keeps what is here in memory. */
export const IN_MEMORY = "/dev/shm";

/** Many times as much as the tests of one run have at a time. */
const ROOM = 4 * 1024 ** 3;

/** All processes that start from now on use one folder, which is removed when this process ends. A folder that TMPDIR names stays. */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoomInMemory()) return;
  const folder = mkdtempSync(join(IN_MEMORY, "kodiai-"));
  // Some tests start programs as another user, as every system lets them in /tmp.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => process.exit(code));
}

/** Containers often have 64 MB there, and some systems start no program from it. */
export function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === IN_MEMORY);
    return bavail * bsize >= ROOM && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    // Not Linux.
    return false;
  }
}
