/** The folders of one run of the agent program: new, empty, its own, and gone afterwards. */
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ScratchFolders = {
  readonly home: string;
  readonly temporary: string;
  /** Where it works, and where it looks for programs: nothing is ever in it. */
  readonly empty: string;
  readonly remove: () => Promise<void>;
};

const PREFIX = "kodiai-agent-";

/** No review takes so long: whoever made an older one was killed before it could clear it away. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1_000;

// A program that was just killed may have left a write in flight.
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

/** Clears away what killed processes have left. What cannot be removed belongs to somebody else. */
export async function removeStaleScratchFolders(parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(parent, name);
    const madeAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (madeAt < Date.now() - LEFT_AFTER_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
