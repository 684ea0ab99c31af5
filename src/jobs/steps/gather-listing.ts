/** Lists the files of the repository at the head of a change. */
import type { Repository, Revision } from "../../repository/repository.ts";
import { hasTooling } from "../../review/analysis/tooling.ts";
import type { Change } from "../../review/change/change.ts";
import type { Degradations } from "./optional.ts";

/** A repository with more files is listed by nobody for a review; what depends on the list stays silent. */
const MAX_PATHS = 200_000;

export type Listing = {
  /** Null when they are not known. */
  readonly paths: ReadonlySet<string> | null;
  /** A formatter or linter is configured. Asked for rarely, so it is looked up when it is. */
  readonly hasTooling: () => boolean;
};

export async function gatherListing(
  change: Change,
  repository: Repository | null,
  degradations: Degradations,
): Promise<Listing> {
  if (repository === null) return { paths: null, hasTooling: () => false };
  const paths = await degradations.optional("file list", () =>
    repository.listPaths(headOf(change), MAX_PATHS),
  );
  return {
    paths: paths === null ? null : new Set(paths),
    hasTooling: () => paths !== null && hasTooling(paths),
  };
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
