/** Gathers the code around a change for the models that review it, within the budget of the configuration. */
import { isProgramming } from "../../../languages/language-of.ts";
import type { Reader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { ChangedFile } from "../../../review/change/change.ts";
import type { SurroundingCode } from "../../../review/context/context.ts";
import type { ShortFunction } from "../../../review/context/related-code.ts";
import {
  findShownLines,
  type RelatedCandidate,
  selectRelatedCode,
  selectShortFunctions,
} from "../../../review/context/select-related-code.ts";
import type { PreparedReview } from "../prepared-review.ts";
import { surroundingsOf } from "./changed-symbols.ts";
import type { CodeView } from "./code-view.ts";
import { findRelatedCode, type FoundRelatedCode } from "./find-related-code.ts";
import type { RelatedFiles } from "./related-files.ts";

const NO_RELATED_CODE: SurroundingCode = { relatedCode: [], shortFunctions: [] };

export type RelatedDeps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly signal: AbortSignal;
};

/** `view`: null when nothing is known about imports. */
export async function gatherRelatedCode(
  prepared: PreparedReview,
  { repository, reader, signal }: RelatedDeps,
  view: CodeView | null,
): Promise<SurroundingCode> {
  const { change, config, degradations } = prepared;
  const { review, pack } = config.tree.root.values;
  const { relatedCode: budgetTokens, skipPaths: skipped } = review;
  if (repository === null || budgetTokens === 0) return NO_RELATED_CODE;
  const skipPaths = [...skipped, ...pack.exclude];
  const search = { change, readable: readable(prepared), skipPaths, degradations, view };
  const { changed, candidates, files } = await findRelatedCode(search, { repository, reader, signal });
  const shortFunctions = selectShortFunctions(shortIn(changed, files), change.files, budgetTokens);
  return {
    relatedCode: select(candidates, { prepared, files, shortFunctions, budgetTokens }),
    shortFunctions,
  };
}

/** The short functions of which all lines are known. */
function shortIn(changed: FoundRelatedCode["changed"], files: RelatedFiles): readonly ShortFunction[] {
  return changed.flatMap((outlined) => {
    const { path } = outlined.file;
    return surroundingsOf(outlined).flatMap(({ startLine, endLine }): readonly ShortFunction[] => {
      const lines = files.linesOf(path).slice(startLine - 1, endLine);
      return lines.length === endLine - startLine + 1 ? [{ path, startLine, lines }] : [];
    });
  });
}

/** The changed code that a model reads, riskiest first. */
function readable({ change, analysis }: PreparedReview): readonly ChangedFile[] {
  const riskOf = ({ path }: ChangedFile): number => analysis.byPath.get(path)?.risk ?? 0;
  return change.files
    .filter(({ path, unreadable, hunks }) => {
      const facts = analysis.byPath.get(path);
      return (
        facts !== undefined &&
        facts.mark === null &&
        !facts.isSkipped &&
        isProgramming(facts.language) &&
        unreadable === null &&
        hunks.length > 0
      );
    })
    .toSorted((one, other) => riskOf(other) - riskOf(one));
}

type Selection = {
  readonly prepared: PreparedReview;
  readonly files: RelatedFiles;
  readonly shortFunctions: readonly ShortFunction[];
  readonly budgetTokens: number;
};

/** Each pass has a prompt of its own, with the whole budget. */
function select(
  candidates: readonly RelatedCandidate[],
  { prepared: { change, analysis }, files, shortFunctions, budgetTokens }: Selection,
): SurroundingCode["relatedCode"] {
  const texts = {
    linesOf: (path: string) => files.linesOf(path),
    isVisible: findShownLines(change.files, shortFunctions),
  };
  return analysis.passes.flatMap(({ paths }) => {
    const inPass = new Set(paths);
    const its = candidates.filter(({ changedPath }) => inPass.has(changedPath));
    return selectRelatedCode(its, budgetTokens, texts);
  });
}
