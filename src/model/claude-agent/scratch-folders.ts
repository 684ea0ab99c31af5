/** The temporary folders of one run of the agent program: created empty, and removed afterwards. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createScratchFolder, removeScratchFolder } from "../../base/scratch-folder.ts";

export type ScratchFolders = {
  readonly home: string;
  readonly temporary: string;
  /** Its working folder and PATH. Always empty. */
  readonly empty: string;
  readonly remove: () => Promise<void>;
};

export async function createScratchFolders(): Promise<ScratchFolders> {
  const folder = await createScratchFolder("agent");
  const workplace = {
    home: join(folder, "home"),
    temporary: join(folder, "tmp"),
    empty: join(folder, "empty"),
    remove: () => removeScratchFolder(folder),
  };
  for (const path of [workplace.home, workplace.temporary, workplace.empty]) await mkdir(path);
  return workplace;
}
