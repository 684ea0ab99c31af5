/** Downloads all advisories of one ecosystem, as OSV publishes them, and indexes them. The old copy stays until the new one is complete. */
import { createReadStream } from "node:fs";
import { open, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { limitedChunks } from "../../base/limited-chunks.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { LookupFailure } from "../../ecosystems/lookups.ts";
import type { BodySink, FileDownloads } from "../http-client.ts";
import { type AdvisoryIndex, indexAdvisories, indexPathOf } from "./advisory-index.ts";

/** OSV's bucket: a folder for each ecosystem, with all its advisories in one file. */
export const OSV_BUCKET = "https://storage.googleapis.com/osv-vulnerabilities";
const FILE = "all.zip";

/** npm's file, the largest, has a fifth of it. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_MS = 60 * 60 * 1_000;

export type AdvisoryCopy = Pick<AdvisoryIndex, "entries" | "newest"> & {
  readonly path: string;
  readonly bytes: number;
};

export type AdvisoryDownload = {
  readonly ecosystem: EcosystemId;
  /** Where the copy is kept. Created if it doesn't exist. */
  readonly folder: string;
  /** A URL, or a folder with the same tree as OSV's bucket. */
  readonly from: string;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
};

/** Throws a `KodiaiError` that says what to do. */
export async function downloadAdvisories(
  { ecosystem, folder, from, signal, onProgress }: AdvisoryDownload,
  downloads: FileDownloads,
): Promise<AdvisoryCopy> {
  const name = ecosystemOf(ecosystem).advisoryNames?.osv ?? ecosystem;
  const path = join(folder, `${ecosystem}.zip`);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolders(folder);
    const sink = fileSink(temporary, (bytes, total) =>
      onProgress(
        `downloading ${name}, ${megabytes(bytes)}${total === null ? "" : ` of ${megabytes(total)}`}`,
      ),
    );
    if (isUrl(from)) {
      const url = `${from.replace(/\/+$/, "")}/${encodeURIComponent(name)}/${FILE}`;
      await fetchFile(url, { downloads, sink, signal });
    } else await copyFile(join(from, name, FILE), sink);
    const index = await readCopy(temporary, name, (entries, total) => {
      signal.throwIfAborted();
      onProgress(`reading ${name}, ${entries} of ${total} advisories`);
    });
    const { size } = await stat(temporary);
    await onDisk(path, writeFile(`${indexPathOf(path)}.${process.pid}.tmp`, JSON.stringify(index)));
    // Between the two, the old index doesn't fit the new file, which is then read as a whole.
    await onDisk(path, rename(temporary, path));
    await onDisk(path, rename(`${indexPathOf(path)}.${process.pid}.tmp`, indexPathOf(path)));
    return { path, bytes: size, entries: index.entries, newest: index.newest };
  } finally {
    await rm(temporary, { force: true });
    await rm(`${indexPathOf(path)}.${process.pid}.tmp`, { force: true });
  }
}

export const isUrl = (from: string): boolean => /^https?:\/\//i.test(from);

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Writes a file from its beginning, also when it's called again. */
function fileSink(path: string, onBytes: (bytes: number, total: number | null) => void): BodySink {
  return async (chunks, total) => {
    const file = await onDisk(path, open(path, "w"));
    try {
      let bytes = 0;
      for await (const chunk of chunks) {
        await onDisk(path, file.writeFile(chunk));
        bytes += chunk.length;
        onBytes(bytes, total);
      }
    } finally {
      await file.close();
    }
  };
}

async function onDisk<Value>(path: string, step: Promise<Value>): Promise<Value> {
  try {
    return await step;
  } catch (error) {
    throw new KodiaiError("io", `could not write ${path}: ${messageOf(error)}`, {
      hint: "Check the folder's permissions and the free disk space.",
      cause: error,
    });
  }
}

type Fetching = {
  readonly downloads: FileDownloads;
  readonly sink: BodySink;
  readonly signal: AbortSignal;
};

async function fetchFile(url: string, { downloads, sink, signal }: Fetching): Promise<void> {
  let ofDisk: unknown = null;
  const answer = await downloads.download(
    url,
    { signal, maxBytes: MAX_BYTES, timeoutMs: MAX_MS },
    async (chunks, total) => {
      await sink(chunks, total).catch((error: unknown) => {
        // Others are the connection's, and the client knows what they mean.
        if (error instanceof KodiaiError) ofDisk = error;
        throw error;
      });
    },
  );
  signal.throwIfAborted();
  if (ofDisk !== null) throw ofDisk;
  if (answer.kind === "absent")
    throw new KodiaiError("not-found", `there is nothing at ${url}`, {
      hint: "Check --from: it must have the same tree as OSV's bucket.",
    });
  if (answer.kind === "failed")
    throw new KodiaiError(
      "network",
      `could not download ${url}: ${FAILURES[answer.reason] ?? answer.reason}`,
      {
        hint: hintFor(answer.reason, url),
        retryable: true,
      },
    );
}

const FAILURES: Partial<Record<LookupFailure, string>> = {
  offline: "no request is allowed",
  refused: "its host isn't allowed",
  time: "it took too long",
  "too-large": "the file is too large",
  "rate-limited": "the server refuses more requests",
  network: "no connection",
  malformed: "the answer isn't understood",
};

function hintFor(reason: LookupFailure, url: string): string {
  if (reason === "refused")
    return `Add ${new URL(url).origin} to KODIAI_HOSTS, or to KODIAI_PRIVATE_HOSTS if its address is private.`;
  const byHand = "Or download the file on another machine, and name its folder with --from.";
  return reason === "offline" ? `Unset KODIAI_OFFLINE. ${byHand}` : `Try again later. ${byHand}`;
}

async function copyFile(path: string, sink: BodySink): Promise<void> {
  const total = await stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      throw new KodiaiError("usage", `${path} can't be read`, {
        hint: "The folder of --from has a folder for each ecosystem, with its all.zip.",
        cause: error,
      });
    },
  );
  await sink(limitedChunks<Buffer>(createReadStream(path), MAX_BYTES), total);
}

async function readCopy(
  path: string,
  name: string,
  onProgress: (entries: number, total: number) => void,
): Promise<AdvisoryIndex> {
  const index = await indexAdvisories(path, onProgress).catch((error: unknown) => {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw notAdvisories(name, error);
  });
  if (index.entries === 0 || !index.ecosystems.includes(name)) throw notAdvisories(name);
  return index;
}

const notAdvisories = (name: string, cause?: unknown): KodiaiError =>
  new KodiaiError("bad-payload", `the file isn't a zip file with advisories of ${name}`, {
    hint: "Check --from, or try again later. The copy that you have is unchanged.",
    cause,
  });
