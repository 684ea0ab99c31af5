/** Reads and writes files named on the command line: bounded reads, atomic writes, and errors with hints. */
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal } from "node:stream";
import { pipeline } from "node:stream/promises";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { printable } from "../base/printable.ts";

export type WriteOptions = {
  readonly overwrite: boolean;
  /** Only the file's owner can read it. */
  readonly isPrivate?: boolean;
};

const PRIVATE_MODE = 0o600;
/** Reduced by the umask. */
const DEFAULT_MODE = 0o666;

/** Reads at most `maxBytes` of a regular file. */
export async function readFileBounded(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const handle = await open(path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileFailure("read", path, error);
  }
}

/** Streams the bytes of a file, or of standard input for "-", as latin1 text. */
export async function* readInput(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const stream = addAbortSignal(signal, path === "-" ? process.stdin : createReadStream(path));
  stream.setEncoding("latin1");
  try {
    for await (const chunk of stream) yield String(chunk);
  } catch (error) {
    throw fileFailure("read", path, error);
  }
}

/** Writes a file atomically: to a temporary file in the same folder, which is then renamed. */
export async function writeWholeFile(
  path: string,
  text: string,
  { overwrite, isPrivate = false }: WriteOptions,
): Promise<void> {
  const mode = isPrivate ? PRIVATE_MODE : DEFAULT_MODE;
  try {
    makeFolders(dirname(path));
    if (!overwrite) {
      await writeFile(path, text, { flag: "wx", mode });
      return;
    }
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, text, { mode });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw fileFailure("write", path, error);
  }
}

/** Streams text to a private file, which gets its name when it's complete, or to standard output for "-". */
export async function writeStream(path: string, texts: AsyncIterable<string>): Promise<void> {
  if (path === "-") return pipeline(texts, process.stdout, { end: false });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(path));
    await pipeline(texts, createWriteStream(temporary, { mode: PRIVATE_MODE }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error instanceof KodiaiError ? error : fileFailure("write", path, error);
  }
}

function fileFailure(verb: "read" | "write", path: string, error: unknown): KodiaiError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const name = printable(path);
  if (error instanceof KodiaiError) {
    const { hint } = error;
    return new KodiaiError(error.code, `could not ${verb} ${name}: ${error.message}`, { hint, cause: error });
  }
  if (code === "EEXIST") {
    return new KodiaiError("usage", `${name} already exists`, {
      hint: "Use --force to overwrite it.",
      cause: error,
    });
  }
  if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") {
    const what = code === "EISDIR" ? "is a folder" : "does not exist";
    return new KodiaiError("usage", `${name} ${what}`, { hint: "Check the path.", cause: error });
  }
  return new KodiaiError("io", `could not ${verb} ${name}: ${messageOf(error)}`, {
    hint: "Check the file's permissions and the free disk space.",
    cause: error,
  });
}
