/** Reads whole files at the head of a change, by object id where there is one, from disk for the working tree. */
import { MAX_PARSED_BYTES } from "../../base/parse-limit.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";

/** Returns texts by path. Deleted, oversized and unknown files are left out. */
export async function readTexts(
  files: readonly ChangedFile[],
  change: Change,
  repository: Repository | null,
): Promise<ReadonlyMap<string, string>> {
  if (repository === null || files.length === 0) return new Map();
  if (change.kind === "working-tree") {
    const texts = await repository.readFiles(
      "working-tree",
      files.map(({ path }) => path),
      MAX_PARSED_BYTES,
    );
    return new Map([...texts].map(([path, text]) => [path, decodeBytes(text)]));
  }
  const ids = files.flatMap(({ newBlob }) => newBlob ?? []);
  const blobs = await repository.readBlobs(ids, MAX_PARSED_BYTES);
  const texts = new Map<string, string>();
  for (const { path, newBlob } of files) {
    const text = newBlob === null ? undefined : blobs.get(newBlob);
    if (text !== undefined) texts.set(path, decodeBytes(text));
  }
  return texts;
}
