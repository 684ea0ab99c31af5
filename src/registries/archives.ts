/**
 * Reads the archives of packages in memory. Nothing is written to disk, no link is followed, and nothing is unpacked beyond the
 * limits. An archive over a limit is a failure as a whole: a file left out would look like a file that the package doesn't have.
 */
import { Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { type Entry, fromBufferPromise } from "yauzl";
import type { PackageSource } from "../languages/api/package-source.ts";
import type { Lookup, LookupFailure } from "../ecosystems/lookups.ts";
import { limitedChunks, TooLargeError } from "../base/limited-chunks.ts";
import { MalformedError } from "./read-response-body.ts";

/** The largest package that many projects use, Next.js, has 44 MB. Larger ones contain binaries. */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

export type ArchiveFormat =
  | "tar.gz"
  | "zip"
  /** A tar file with `data.tar.gz` in it. */
  | "gem"
  /** A tar file with `contents.tar.gz` in it. */
  | "hex";

/** The part of all paths in front of the package. */
export type ArchiveRoot =
  | "none"
  /** One folder, whatever its name: `package/`, `name-1.2.3/`. */
  | "one-folder"
  /** A path: `example.org/module@v1.2.3/`. Files outside aren't part of the package. */
  | { readonly prefix: string };

export type ArchiveOptions = {
  readonly root: ArchiveRoot;
  readonly wants: (path: string) => boolean;
  readonly signal: AbortSignal;
};

export type ArchiveLimits = {
  readonly entries: number;
  /** Everything that is unpacked, also what isn't wanted. */
  readonly unpackedBytes: number;
  readonly fileBytes: number;
  /** All wanted files, which are kept in memory. */
  readonly keptBytes: number;
};

export const ARCHIVE_LIMITS: ArchiveLimits = {
  // The packages with the most files, icon sets, have 30,000.
  entries: 50_000,
  unpackedBytes: 512 * 1024 * 1024,
  fileBytes: 4 * 1024 * 1024,
  keptBytes: 32 * 1024 * 1024,
};

/** Longer ones can't be created on most systems. */
const MAX_PATH_CHARS = 1_024;

export async function readArchive(
  bytes: Buffer,
  format: ArchiveFormat,
  options: ArchiveOptions,
  limits = ARCHIVE_LIMITS,
): Promise<Lookup<PackageSource>> {
  const files = collectFiles(options, limits);
  try {
    if (format === "zip") await readZip(bytes, files, options.signal);
    else if (format === "tar.gz") await readTarGz(bytes, files, options.signal);
    else await readTarGz(await innerArchive(bytes, format, options.signal), files, options.signal);
    return { kind: "found", value: files.texts() };
  } catch (error) {
    return { kind: "failed", reason: failureOf(error, options.signal) };
  }
}

function failureOf(error: unknown, signal: AbortSignal): LookupFailure {
  if (signal.aborted) return "time";
  // Everything else that a decoder throws is about the bytes.
  return error instanceof TooLargeError ? "too-large" : "malformed";
}

/** The files of one archive while it is read. Its functions throw when a limit is exceeded. */
export type ArchiveFiles = {
  readonly limits: ArchiveLimits;
  /** Counts an entry. Returns its path if it's a wanted file, and null otherwise. */
  path(name: string, isFile: boolean, bytes: number): string | null;
  keep(path: string, body: Buffer): void;
  texts(): PackageSource;
};

function collectFiles({ root, wants }: ArchiveOptions, limits: ArchiveLimits): ArchiveFiles {
  const bodies = new Map<string, Buffer>();
  const [seen, counts] = [new Set<string>(), { entries: 0, keptBytes: 0 }];
  return {
    limits,
    path(name, isFile, bytes) {
      counts.entries += 1;
      if (counts.entries > limits.entries) throw new TooLargeError("too many entries");
      const path = isFile ? pathInPackage(name, root) : null;
      if (path === null || !wants(path)) return null;
      // Tools differ in which of two files they install.
      if (seen.has(path)) throw new MalformedError("two files have the same path");
      seen.add(path);
      counts.keptBytes += bytes;
      if (bytes > limits.fileBytes || counts.keptBytes > limits.keptBytes)
        throw new TooLargeError("too many bytes");
      return path;
    },
    keep: (path, body) => void bodies.set(path, body),
    texts: () => new Map(Array.from(bodies, ([path, body]) => [path, body.toString("utf8")])),
  };
}

/** Null for a path outside of the package, and one that isn't a plain relative path. */
function pathInPackage(name: string, root: ArchiveRoot): string | null {
  if (name.length > MAX_PATH_CHARS || /[\0-\x1f\\]|^[A-Za-z]:|^\//.test(name)) return null;
  if (typeof root === "object" && !name.startsWith(root.prefix)) return null;
  const relative = typeof root === "object" ? name.slice(root.prefix.length) : name;
  const segments = relative.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return null;
  const path = (root === "one-folder" ? segments.slice(1) : segments).join("/");
  return path === "" ? null : path;
}

async function readTarGz(bytes: Buffer, files: ArchiveFiles, signal: AbortSignal): Promise<void> {
  const unpacked = Readable.from([bytes], { objectMode: false }).pipe(createGunzip());
  await readTar(limitedChunks(unpacked, files.limits.unpackedBytes), files, signal);
}

async function readTar(
  chunks: AsyncIterable<Buffer>,
  files: ArchiveFiles,
  signal: AbortSignal,
): Promise<void> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const written = Readable.toWeb(Readable.from(chunks)).pipeTo(writable, { signal });
  // Its failure also fails the reading below, unless reading has ended by then.
  written.catch(() => undefined);
  for await (const { header, body } of readable) {
    signal.throwIfAborted();
    const isFile = (header.type ?? "file") === "file";
    const path = files.path(header.name, isFile, header.size);
    if (path === null) await passOver(body);
    else files.keep(path, await wholeBody(body, header.size));
  }
  await written;
}

/** Reads a skipped file too: canceling its body can cancel the next one, for which a reader then waits forever. */
async function passOver(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done);
}

/** A size in a header can be a lie. */
async function wholeBody(body: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const bytes = Buffer.concat(await Array.fromAsync(body));
  if (bytes.length !== size) throw new MalformedError("a file has another size");
  return bytes;
}

/** The decoder refuses paths that lead elsewhere, and files with another size than announced. */
async function readZip(bytes: Buffer, files: ArchiveFiles, signal: AbortSignal): Promise<void> {
  const zip = await fromBufferPromise(bytes);
  if (zip.entryCount > files.limits.entries) throw new TooLargeError("too many entries");
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted();
    const path = files.path(entry.fileName, isPlainFile(entry), entry.uncompressedSize);
    if (path === null) continue;
    const body = await wholeBody(await zip.openReadStreamPromise(entry), entry.uncompressedSize);
    if (crc32(body) !== entry.crc32) throw new MalformedError("a file has another checksum");
    files.keep(path, body);
  }
}

/** The upper half of the attributes is the mode on Unix, or 0. */
function isPlainFile(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & 0o170_000;
  return !entry.fileName.endsWith("/") && (type === 0 || type === 0o100_000);
}

const INNER = { gem: "data.tar.gz", hex: "contents.tar.gz" } as const;

async function innerArchive(bytes: Buffer, format: keyof typeof INNER, signal: AbortSignal): Promise<Buffer> {
  let inner: Buffer | null = null;
  const whole = bytes.length;
  await readTar(
    Readable.from([bytes], { objectMode: false }),
    {
      ...collectFiles(
        { root: "none", wants: (path) => path === INNER[format], signal },
        { entries: 100, unpackedBytes: whole, fileBytes: whole, keptBytes: whole },
      ),
      keep: (_, body) => {
        inner = body;
      },
    },
    signal,
  );
  if (inner === null) throw new MalformedError(`${INNER[format]} is missing`);
  return inner;
}
