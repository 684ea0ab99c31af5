/** Lists the files of the repository at the head of a change, for the few checks that need the list. */
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { Degradations } from "./optional.ts";

/** Larger repositories are not listed, and checks that need the list are skipped. */
const MAX_PATHS = 200_000;

/** Returns the paths at the head; null when they are unknown. The first call reads them, later calls reuse the result. */
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

/** The revision that holds the new side of the change. */
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
