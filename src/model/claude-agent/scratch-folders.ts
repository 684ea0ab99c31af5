/** The temporary folders of one run of the agent program: created empty, and removed afterwards. */
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ScratchFolders = {
  readonly home: string;
  readonly temporary: string;
  /** Its working folder and PATH. Always empty. */
  readonly empty: string;
  readonly remove: () => Promise<void>;
};

const PREFIX = "kodiai-agent-";

/** No review takes this long. An older folder belongs to a process that was killed before it could remove it. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1_000;

// A process that was just killed may still have a write in flight.
const REMOVE_TRIES = 5;

export async function createScratchFolders(): Promise<ScratchFolders> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const workplace = {
    home: join(folder, "home"),
    temporary: join(folder, "tmp"),
    empty: join(folder, "empty"),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES }),
  };
  for (const path of [workplace.home, workplace.temporary, workplace.empty]) await mkdir(path);
  return workplace;
}

/** Removes the folders of killed processes. Folders that can't be removed belong to another user. */
export async function removeStaleScratchFolders(parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(parent, name);
    const madeAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (madeAt < Date.now() - STALE_AFTER_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
