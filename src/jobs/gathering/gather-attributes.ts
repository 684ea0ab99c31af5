/** Reads the attributes of changed files from the base's `.gitattributes` files. */
import type { Repository } from "../../repository/repository.ts";
import { readAttributes } from "../../review/analysis/attributes.ts";
import type { FileAttributes } from "../../review/analysis/marks.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import { policyCommitOf } from "../../review/change/policy-commit.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { foldersOf } from "./gather-config.ts";
import type { Degradations } from "./optional.ts";

const MAX_ATTRIBUTES_BYTES = 256 * 1024;

export async function gatherAttributes(
  change: Pick<Change, "base" | "baseTip" | "head"> & {
    readonly files: readonly Pick<ChangedFile, "path">[];
  },
  repository: Repository | null,
  degradations: Degradations,
): Promise<ReadonlyMap<string, FileAttributes>> {
  if (repository === null) return new Map();
  const folders = foldersOf(change.files);
  const pathOf = (folder: string): string => (folder === "" ? ".gitattributes" : `${folder}/.gitattributes`);
  const commit = policyCommitOf(change) ?? change.head ?? "HEAD";
  const texts = await degradations.optional("attributes", () =>
    repository.readFiles({ commit }, folders.map(pathOf), MAX_ATTRIBUTES_BYTES),
  );
  const files = folders.flatMap((folder) => {
    const text = texts?.get(pathOf(folder));
    return text === undefined ? [] : [{ folder, text: decodeBytes(text) }];
  });
  return readAttributes(
    files,
    change.files.map(({ path }) => path),
  );
}
