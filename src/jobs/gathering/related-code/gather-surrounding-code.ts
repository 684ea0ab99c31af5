/** Gathers the code around a change and opens what answers questions about it. Both read each file once. */
import type { CodeIndex } from "../../../code-index/code-index.ts";
import type { Context } from "../../../review/context/context.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepare-review.ts";
import { createCodeLookup } from "./create-code-lookup.ts";
import { createCodeView } from "./code-view.ts";
import { gatherRelatedCode, type RelatedDeps } from "./gather-related-code.ts";

export type SurroundingCode = Pick<Context, "relatedCode" | "shortFunctions" | "codeLookup">;

export type CodeDeps = RelatedDeps & {
  /** Omitted: nothing is known about imports. */
  readonly codeIndex?: CodeIndex;
};

export async function gatherSurroundingCode(
  prepared: PreparedReview,
  deps: CodeDeps,
): Promise<SurroundingCode> {
  const { repository, codeIndex, signal } = deps;
  const { change } = prepared;
  const view =
    repository === null || codeIndex === undefined
      ? null
      : createCodeView({ repository, revision: headOf(change), index: codeIndex });
  const related = await gatherRelatedCode(prepared, deps, view);
  return {
    ...related,
    codeLookup:
      repository === null || view === null
        ? null
        : createCodeLookup({ repository, view, commit: change.head ?? change.base, signal }),
  };
}
