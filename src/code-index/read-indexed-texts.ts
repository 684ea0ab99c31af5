/** Reads the texts of a batch: from git's objects, and from disk for files that git doesn't store yet. */
import { blobIdOf } from "../base/blob-id.ts";
import type { Repository, Revision } from "../repository/repository.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import { MAX_INDEXED_BYTES, type WantedFile } from "./plan-files.ts";

/** Git looks for NUL in as many bytes to tell binary files from text. */
const BINARY_CHECK_BYTES = 8_000;

export type FileText = {
  readonly file: WantedFile;
  /** Empty for a binary file. */
  readonly text: string;
  /** False if the file has changed on disk since it was listed, so that its facts don't belong to its id. */
  readonly isStorable: boolean;
};

export type TextsRead = {
  readonly found: readonly FileText[];
  readonly missing: readonly WantedFile[];
};

export async function readIndexedTexts(
  batch: readonly WantedFile[],
  { repository, revision }: { readonly repository: Repository; readonly revision: Revision },
): Promise<TextsRead> {
  const isOnDisk = revision === "working-tree";
  const blobs = await readBlobTexts(batch, repository);
  const others = batch.filter(({ blob }) => !blobs.has(blob));
  const paths = isOnDisk ? others.flatMap((file) => file.paths[0] ?? []) : [];
  const disk =
    paths.length === 0 ? new Map() : await repository.readFiles(revision, paths, MAX_INDEXED_BYTES);
  const found: FileText[] = [];
  const missing: WantedFile[] = [];
  for (const file of batch) {
    const stored = blobs.get(file.blob);
    const latin1: string | undefined = stored ?? disk.get(file.paths[0] ?? "");
    if (latin1 === undefined) missing.push(file);
    else {
      const isStorable = stored !== undefined || blobIdOf(latin1, file.blob.length) === file.blob;
      found.push({ file, text: isBinary(latin1) ? "" : decodeBytes(latin1), isStorable });
    }
  }
  return { found, missing };
}

/** If git fails, as for objects that a partial clone lacks, files on disk can still be read. */
async function readBlobTexts(
  batch: readonly WantedFile[],
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  try {
    const ids = batch.map(({ blob }) => blob);
    return await repository.readBlobs(ids, MAX_INDEXED_BYTES);
  } catch {
    return new Map();
  }
}

function isBinary(latin1: string): boolean {
  const end = latin1.indexOf("\0");
  return end !== -1 && end < BINARY_CHECK_BYTES;
}
