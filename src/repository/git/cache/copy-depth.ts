/** The depth of a copy's history. It is stored, because a shallower fetch would truncate the history again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CachedCopy } from "./cached-copy.ts";

/** Most pull requests branched off fewer commits ago, and fifty commits cost little more than one. */
const FIRST_DEPTH = 50;

/** Git's value for the whole history. */
export const FULL_DEPTH = 2_147_483_647;

const DEPTH_FILE = "kodiai-depth";

export async function readDepth({ folder }: CachedCopy): Promise<number> {
  const text = await readFile(join(folder, DEPTH_FILE), "utf8").catch(() => "");
  const depth = Number.parseInt(text, 10);
  return depth > FIRST_DEPTH && depth <= FULL_DEPTH ? depth : FIRST_DEPTH;
}

export async function writeDepth({ folder }: CachedCopy, depth: number): Promise<void> {
  await writeFile(join(folder, DEPTH_FILE), `${depth}\n`);
}
