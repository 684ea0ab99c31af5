/** Finds the places that have to do with changed declarations, for a pack: by the same search as for the models of a review. */
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type { Change } from "../../review/change/change.ts";
import type { RelatedCode } from "../../review/context/related-code.ts";
import { findShownLines, selectRelatedCode } from "../../review/context/select-related-code.ts";
import type { PlannedFile } from "../../review/pack/fit/compose-core.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { Degradations } from "../gathering/optional.ts";
import { createCodeView } from "../gathering/related-code/code-view.ts";
import { findRelatedCode } from "../gathering/related-code/find-related-code.ts";
import type { GatheredPackCode } from "./gather-pack-code.ts";
import type { PackDeps, PackRequest } from "./pack-request.ts";

/** More is shown by rank. */
const MAX_PLACES_TOKENS = 12_000;

/** By path. */
export type PackPlaces = ReadonlyMap<string, readonly RelatedCode[]>;

type Wanted = Pick<PackRequest, "change" | "exclude"> & { readonly planned: readonly PlannedFile[] };

export async function gatherPackPlaces(
  { change, exclude, planned }: Wanted,
  code: GatheredPackCode,
  { repository, reader, signal }: PackDeps,
  degradations: Degradations,
): Promise<PackPlaces> {
  const readable = planned.flatMap(({ file, reason }) =>
    reason === null && file.hunks.length > 0 && isProgramming(languageOf(file.path)) ? [file] : [],
  );
  const view = code.graph === null ? null : viewOf(change, code, repository);
  const { candidates, files } = await findRelatedCode(
    { change, readable, skipPaths: exclude, degradations, view },
    { repository, reader, signal },
  );
  const changed = new Set(change.files.map(({ path }) => path));
  const others = candidates.filter(({ path }) => !changed.has(path));
  const texts = {
    linesOf: (path: string) => files.linesOf(path),
    isVisible: findShownLines(change.files, []),
  };
  return Map.groupBy(selectRelatedCode(others, MAX_PLACES_TOKENS, texts), ({ path }) => path);
}

/** Everything has been read for ranking. */
function viewOf(change: Change, { files, facts }: GatheredPackCode, repository: PackDeps["repository"]) {
  return createCodeView({
    repository: { ...repository, listFiles: async () => files },
    revision: headOf(change),
    index: {
      readFacts: async (_, wanted) => ({
        facts: new Map(
          wanted.flatMap(({ path }) => {
            const known = facts.get(path);
            return known === undefined ? [] : [[path, known] as const];
          }),
        ),
        failed: [],
        known: wanted.length,
        read: 0,
        cacheProblem: null,
      }),
    },
  });
}
