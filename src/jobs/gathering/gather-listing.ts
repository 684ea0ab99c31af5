/** Lists the files of the repository at the head of a change, for the few checks that need the list. */
import { grouped } from "../../base/count.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import { LISTING_RULES } from "../reading/inputs-of-rules.ts";
import type { Degradations } from "./optional.ts";

/** Larger repositories are not listed, and checks that need the list leave a gap. */
const MAX_PATHS = 200_000;

/** Returns the paths at the head; null when they are unknown. The first call reads them, later calls reuse the result. */
export type Listing = () => Promise<ReadonlySet<string> | null>;

export function createListing(
  change: Change,
  repository: Repository | null,
  degradations: Degradations,
): Listing {
  let listed: ReturnType<Listing> | null = null;
  const need = { check: "list of the repository's files", paths: null, rules: LISTING_RULES };
  const list = async (): ReturnType<Listing> => {
    if (repository === null) {
      degradations.miss({ ...need, reason: "off", detail: "only a diff is known" });
      return null;
    }
    const paths = await degradations.checked(need, async () => {
      const all = await repository.listPaths(headOf(change), MAX_PATHS);
      if (all === null)
        degradations.miss({ ...need, reason: "limit", detail: `more than ${grouped(MAX_PATHS)} files` });
      return all;
    });
    return paths === null ? null : new Set(paths);
  };
  return () => (listed ??= list());
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
