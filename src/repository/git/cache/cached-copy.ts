/**
 * One bare copy of a repository on disk, with two lock files: one for changing the copy and one for using it. Callers hold
 * the first while they create, repair or discard the copy.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type GitOptions, runGit } from "../run-git.ts";

/** The paths of a copy. The lock files are empty and remain when the copy is deleted. */
export type CachedCopy = {
  /** The bare repository. */
  readonly folder: string;
  /** Exclusive lock for fetching, and for reading refs that a fetch may move. */
  readonly lockPath: string;
  /** Lock shared by all users of the copy. Its modification time shows when the copy was last used. */
  readonly usePath: string;
};

/** Every fetch adds a pack, and git searches all of them. Beyond this many, a new clone is cheaper. */
const MAX_PACKS = 100;

/** Marks a copy that is being deleted, so that a crash leaves nothing that looks like a copy. */
const DISCARDED = ".discarded-";

export function copyOf(cacheFolder: string, id: string): CachedCopy {
  return {
    folder: join(cacheFolder, `${id}.git`),
    lockPath: join(cacheFolder, `${id}.lock`),
    usePath: join(cacheFolder, `${id}.use`),
  };
}

/** Returns the ids of all copies, and folders that remain from interrupted deletions. */
export async function listCopies(cacheFolder: string) {
  const names = await readdir(cacheFolder);
  return {
    ids: names.flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? []),
    discarded: names.filter((name) => name.includes(DISCARDED)).map((name) => join(cacheFolder, name)),
  };
}

/** The environment for git: programs and this repository, but no user or system settings. */
export function copyEnvironment(
  { folder }: Pick<CachedCopy, "folder">,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    PATH: environment["PATH"] ?? "",
    // A self-hosted server may have a certificate from a private authority.
    ...(environment["GIT_SSL_CAINFO"] === undefined ? {} : { GIT_SSL_CAINFO: environment["GIT_SSL_CAINFO"] }),
    // Without a home folder, neither git nor curl (.netrc) finds a user's files.
    HOME: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    // Keeps git from searching the parent folders of a corrupt repository.
    GIT_DIR: folder,
  };
}

/** Creates the repository if it is missing or incomplete. Without a template there are no hooks. */
export async function createCopy({ folder }: CachedCopy, git: GitOptions): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await runGit(["init", "--quiet", "--bare", "--template=", "--initial-branch=none"], git);
}

/** Whether anything was fetched into the copy before. */
export async function isCreated({ folder }: CachedCopy): Promise<boolean> {
  const found = await stat(join(folder, "objects", "pack")).catch(() => null);
  return found !== null;
}

/** Returns the commits whose parents are missing. A copy with the whole history has none. */
export async function readEdges({ folder }: CachedCopy): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, "shallow"), "utf8").catch(() => "");
  return new Set(text.split("\n").filter((id) => id !== ""));
}

export async function hasTooManyPacks({ folder }: CachedCopy): Promise<boolean> {
  const packs = await readdir(join(folder, "objects", "pack")).catch(() => []);
  return packs.filter((name) => name.endsWith(".pack")).length > MAX_PACKS;
}

export async function discardCopy({ folder }: CachedCopy): Promise<void> {
  const renamed = `${folder}${DISCARDED}${randomUUID()}`;
  try {
    await rename(folder, renamed);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  await rm(renamed, { recursive: true, force: true });
}

/** Removes the leftovers of a killed fetch: stale locks and incomplete packs. */
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
