/** A settings file on disk: private, written as a whole, and kept behind a symbolic link if it is one. */
import { constants } from "node:fs";
import { access, readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { writeWholeFile } from "../files.ts";
import type { EnvFile } from "./registrar.ts";

export async function openEnvFile(path: string): Promise<EnvFile> {
  // Renaming a new file over a link would replace the link.
  const target = await unlessMissing(realpath(path), resolve(path));
  const attempt = async <Value>(what: string, step: Promise<Value>): Promise<Value> => {
    try {
      return await step;
    } catch (error) {
      throw new KodiaiError("io", `could not ${what} ${path}: ${messageOf(error)}`, {
        hint: "Choose another file with --settings, or check the permissions of the file and its folder.",
        cause: error,
      });
    }
  };
  return {
    path,
    read: () => attempt("read", unlessMissing(readFile(target, "utf8"), "")),
    write: (text) => writeWholeFile(target, text, { overwrite: true, isPrivate: true }),
    requireWritable: () => attempt("write", access(dirname(target), constants.W_OK)),
  } satisfies EnvFile;
}

async function unlessMissing(read: Promise<string>, otherwise: string): Promise<string> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise;
    throw error;
  }
}
