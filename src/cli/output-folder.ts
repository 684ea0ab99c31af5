/** The folder for the files of one command: a new one in the user's cache, or one that holds nothing but such files. */
import { mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { printable } from "../base/printable.ts";
import { writeWholeFile } from "./files.ts";

export type OutputFolder = {
  /** Absolute. */
  readonly path: string;
  /** Writes the files by name, and deletes those of an earlier run that aren't among them. */
  writeAll(files: ReadonlyMap<string, string>): Promise<void>;
  /** Writes one file in addition. */
  write(name: string, text: string): Promise<void>;
  /** Deletes the folder if this run has created it and it's still empty. */
  discard(): Promise<void>;
};

/** Names of files that Kodiai writes. A folder with others is the user's. */
const OWN_FILE =
  /^(?:pr-context\.[\w.]+|answer\.md|thinking\.md|report\.md|metadata\.json|findings\.[\w.]+)$/;

/** `wanted` is the user's folder; null for a new one below `cacheFolder`. */
export async function openOutputFolder(
  wanted: string | null,
  cacheFolder: string | null,
): Promise<OutputFolder> {
  const { path, isNew } = await createFolder(wanted, cacheFolder);
  const write = (name: string, text: string): Promise<void> =>
    writeWholeFile(join(path, name), text, { overwrite: true });
  return {
    path,
    write,
    async writeAll(files) {
      // A file of an earlier run would pass for a part of this one.
      for (const name of await readdir(path)) if (OWN_FILE.test(name)) await rm(join(path, name));
      for (const [name, text] of files) await write(name, text);
    },
    async discard() {
      if (isNew) await rmdir(path).catch(() => {});
    },
  };
}

/** Agents pack often, and a pack takes a megabyte. */
const MAX_KEPT_PACKS = 100;

/** Deletes the oldest packs. A model's answer was paid for, so its folder stays. */
async function removeOldPacks(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith("pack-"));
  if (names.length <= MAX_KEPT_PACKS) return;
  const packs = await Promise.all(
    names.map(async (name) => {
      const path = join(parent, name);
      const [files, { mtimeMs }] = await Promise.all([readdir(path), stat(path)]);
      return { path, mtimeMs, isPaid: files.includes("metadata.json") };
    }),
  );
  const old = packs
    .filter(({ isPaid }) => !isPaid)
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(MAX_KEPT_PACKS);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

async function createFolder(
  wanted: string | null,
  cacheFolder: string | null,
): Promise<{ readonly path: string; readonly isNew: boolean }> {
  if (wanted === null && cacheFolder === null)
    throw new KodiaiError("usage", "there is no home folder for the files", {
      hint: "Set a folder with --out.",
    });
  try {
    if (wanted === null) {
      const parent = join(cacheFolder ?? "", "packs");
      makeFolders(parent);
      // Another process may delete them at the same time.
      await removeOldPacks(parent).catch(() => {});
      return { path: await mkdtemp(join(parent, "pack-")), isNew: true };
    }
    const path = resolve(wanted);
    const isNew = makeFolders(path);
    const foreign = (await readdir(path)).find((name) => !OWN_FILE.test(name));
    if (foreign === undefined) return { path, isNew };
    throw new KodiaiError(
      "usage",
      `${printable(wanted)} has other files in it, such as ${printable(foreign)}`,
      {
        hint: "Use --out with a new or empty folder.",
      },
    );
  } catch (error) {
    if (error instanceof KodiaiError) throw error;
    throw new KodiaiError(
      "io",
      `could not create ${printable(wanted ?? "a folder in the cache")}: ${messageOf(error)}`,
      {
        hint: "Set a folder that you can write to with --out.",
        cause: error,
      },
    );
  }
}
