/** Gathers the code around a change and opens what answers questions about it. Both read each file once. */
import type { CodeIndex } from "../../../code-index/code-index.ts";
import type { KnownCode } from "../../knowledge.ts";
import { headOf } from "../gather-listing.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { createCodeLookup } from "./create-code-lookup.ts";
import { createCodeView } from "./code-view.ts";
import { gatherRelatedCode, type RelatedDeps } from "./gather-related-code.ts";

export type CodeDeps = RelatedDeps & {
  /** Null when nothing is known about imports. */
  readonly codeIndex: CodeIndex | null;
};

export async function gatherCode(prepared: PreparedReview, deps: CodeDeps): Promise<KnownCode> {
  const { repository, codeIndex, signal } = deps;
  const { change } = prepared;
  const view =
    repository === null || codeIndex === null
      ? null
      : createCodeView({ repository, revision: headOf(change), index: codeIndex });
  const surrounding = await gatherRelatedCode(prepared, deps, view);
  const commit = change.head ?? change.base;
  const lookup =
    repository === null || view === null ? null : createCodeLookup({ repository, view, commit, signal });
  return { surrounding, lookup };
}
