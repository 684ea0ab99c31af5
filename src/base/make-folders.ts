/**
 * Creates a folder with its parents. Node's own recursion never returns where no folder can be created and the system says that it
 * doesn't exist, as below /proc.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { KodiaiError, messageOf } from "./errors.ts";
import { printable } from "./printable.ts";

const DEFAULT_MODE = 0o777;

/** Errors about the path itself. Others are about permissions or the disk. */
const WRONG_PATH: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EEXIST"]);

/** Returns whether the folder is new. Throws a KodiaiError if it can't be created. */
export function makeFolders(path: string, mode = DEFAULT_MODE): boolean {
  try {
    return makeWithParents(path, mode);
  } catch (error) {
    const code = WRONG_PATH.has(codeOf(error)) ? "usage" : "io";
    throw new KodiaiError(code, `the folder ${printable(path)} can't be created: ${messageOf(error)}`, {
      hint: "Choose a folder that you can write to.",
      cause: error,
    });
  }
}

/** Each folder is tried twice at most: before and after its parent. */
function makeWithParents(path: string, mode: number): boolean {
  try {
    return makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    makeWithParents(parent, mode);
    return makeOne(path, mode);
  }
}

function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
