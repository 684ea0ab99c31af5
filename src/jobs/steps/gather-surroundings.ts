/** Reads what surrounds a change: attributes from the base, and which files the repository has. */
import type { Repository, Revision } from "../../repository/repository.ts";
import { readAttributes } from "../../review/analysis/attributes.ts";
import type { FileAttributes } from "../../review/analysis/marks.ts";
import { hasTooling } from "../../review/analysis/tooling.ts";
import type { Change } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { foldersOf } from "./gather-config.ts";
import type { Degradations } from "./optional.ts";

/** A repository with more files is listed by nobody for a review; what depends on the list stays silent. */
const MAX_PATHS = 200_000;

const MAX_ATTRIBUTES_BYTES = 256 * 1024;

export type Surroundings = {
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  /** Paths at the head; null when they are not known. */
  readonly paths: ReadonlySet<string> | null;
  readonly hasTooling: boolean;
};

export async function gatherSurroundings(
  change: Change,
  repository: Repository | null,
  degradations: Degradations,
): Promise<Surroundings> {
  if (repository === null) return { attributes: new Map(), paths: null, hasTooling: false };
  const [attributes, paths] = await Promise.all([
    degradations.optional("attributes", () => gatherAttributes(change, repository)),
    degradations.optional("file list", () => repository.listPaths(headOf(change), MAX_PATHS)),
  ]);
  return {
    attributes: attributes ?? new Map(),
    paths: paths === null ? null : new Set(paths),
    hasTooling: paths !== null && hasTooling(paths),
  };
}

async function gatherAttributes(change: Change, repository: Repository) {
  const folders = foldersOf(change);
  const pathOf = (folder: string): string => (folder === "" ? ".gitattributes" : `${folder}/.gitattributes`);
  const commit = change.base ?? change.head ?? "HEAD";
  const texts = await repository.readFiles({ commit }, folders.map(pathOf), MAX_ATTRIBUTES_BYTES);
  const files = folders.flatMap((folder) => {
    const text = texts.get(pathOf(folder));
    return text === undefined ? [] : [{ folder, text: decodeBytes(text) }];
  });
  return readAttributes(
    files,
    change.files.map(({ path }) => path),
  );
}

/** Where the change's new side is to be read. */
function headOf(change: Change): Revision {
  switch (change.kind) {
    case "working-tree":
      return "working-tree";
    case "staged":
      return "index";
    default:
      return { commit: change.head ?? "HEAD" };
  }
}
