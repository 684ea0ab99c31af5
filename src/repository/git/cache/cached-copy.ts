/**
 * One bare copy of a repository on disk, and the two locks beside it: who changes the copy, and who uses it. Callers hold
 * the first while they create, mend or discard.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type GitOptions, runGit } from "../run-git.ts";

/** Where things are. The lock files are empty, and stay when the copy goes. */
export type CachedCopy = {
  /** The bare repository. */
  readonly folder: string;
  /** Held alone by whoever fetches, or reads what a fetch may move. */
  readonly lockPath: string;
  /** Shared by all who use the copy; its time of modification says when it was last used. */
  readonly usePath: string;
};

/** Every fetch adds a pack, and git looks through all of them: past this many a new clone is cheaper than going on. */
const MAX_PACKS = 100;

/** A copy on its way out, so that a crash in between leaves nothing that looks like a copy. */
const DISCARDED = ".discarded-";

export function copyOf(cacheFolder: string, id: string): CachedCopy {
  return {
    folder: join(cacheFolder, `${id}.git`),
    lockPath: join(cacheFolder, `${id}.lock`),
    usePath: join(cacheFolder, `${id}.use`),
  };
}

/** Ids of all copies, and the folders that a crash kept from being deleted. */
export async function listCopies(cacheFolder: string) {
  const names = await readdir(cacheFolder);
  return {
    ids: names.flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? []),
    discarded: names.filter((name) => name.includes(DISCARDED)).map((name) => join(cacheFolder, name)),
  };
}

/** What git may see: programs, this repository, and no settings of anybody's. */
export function copyEnvironment(
  { folder }: CachedCopy,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    PATH: environment["PATH"] ?? "",
    // A host of one's own may have a certificate that only its own authority vouches for.
    ...(environment["GIT_SSL_CAINFO"] === undefined ? {} : { GIT_SSL_CAINFO: environment["GIT_SSL_CAINFO"] }),
    // No home: neither git nor curl (.netrc) may find anything of a person's.
    HOME: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    // Given, so that git never looks for a repository in the folders above a broken one.
    GIT_DIR: folder,
  };
}

/** Creates the repository where there is none, or only a begun one. Without a template there are no hooks. */
export async function createCopy({ folder }: CachedCopy, git: GitOptions): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await runGit(["init", "--quiet", "--bare", "--template=", "--initial-branch=none"], git);
}

/** Whether something was fetched into it before. */
export async function isCreated({ folder }: CachedCopy): Promise<boolean> {
  const found = await stat(join(folder, "objects", "pack")).catch(() => null);
  return found !== null;
}

export async function isWorn({ folder }: CachedCopy): Promise<boolean> {
  const packs = await readdir(join(folder, "objects", "pack")).catch(() => []);
  return packs.filter((name) => name.endsWith(".pack")).length > MAX_PACKS;
}

export async function discardCopy({ folder }: CachedCopy): Promise<void> {
  const away = `${folder}${DISCARDED}${randomUUID()}`;
  try {
    await rename(folder, away);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  await rm(away, { recursive: true, force: true });
}

/** Removes what a fetch that was killed has left: locks nobody holds any more, and packs that never became whole. */
export async function removeLeftovers({ folder }: CachedCopy): Promise<void> {
  const inside = async (part: string, pattern: RegExp, recursive = false): Promise<readonly string[]> => {
    const names = await readdir(join(folder, part), { recursive }).catch(() => []);
    return names.filter((name) => pattern.test(name)).map((name) => join(folder, part, name));
  };
  const found = await Promise.all([
    inside("", /\.lock$|^shallow_/),
    inside("refs", /\.lock$/, true),
    inside("objects", /^(?:incoming-|tmp_objdir-|tmp_)/),
    inside("objects/pack", /^(?:tmp_|\.tmp-)|\.(?:keep|lock)$/),
  ]);
  await Promise.all(found.flat().map((path) => rm(path, { recursive: true, force: true })));
}
