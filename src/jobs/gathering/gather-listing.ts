/** Lists the files of the repository at the head of a change, for the few questions that need it. */
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { Degradations } from "./optional.ts";

/** A repository with more files is listed by nobody for a review; what depends on the list stays silent. */
const MAX_PATHS = 200_000;

/** Paths at the head; null when they are not known. Read when first asked for, and once. */
export type Listing = () => Promise<ReadonlySet<string> | null>;

export function createListing(
  change: Change,
  repository: Repository | null,
  degradations: Degradations,
): Listing {
  let listed: ReturnType<Listing> | null = null;
  const list = async (from: Repository): ReturnType<Listing> => {
    const paths = await degradations.optional("file list", () => from.listPaths(headOf(change), MAX_PATHS));
    return paths === null ? null : new Set(paths);
  };
  return () => (listed ??= repository === null ? Promise.resolve(null) : list(repository));
}

/** Where the change's new side is to be read. */
export function headOf(change: Change): Revision {
  switch (change.kind) {
    case "working-tree":
      return "working-tree";
    case "staged":
      return "index";
    default:
      return { commit: change.head ?? "HEAD" };
  }
}
