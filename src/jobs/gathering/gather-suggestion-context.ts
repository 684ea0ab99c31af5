/** Parses the files that suggestions would change, to verify each suggestion. Does nothing without suggestions. */
import { compareSuggestion } from "../../reading/compare-suggestion.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { identifyInChange, type SuggestionContext } from "../../review/findings/judge-findings.ts";
import type { ParseComparison } from "../../review/findings/verify-suggestion.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { readTexts } from "./read-texts.ts";

export async function gatherSuggestionContext(
  findings: readonly Finding[],
  { change, analysis, degradations }: PreparedReview,
  { repository, reader }: Pick<ReviewDeps, "repository" | "reader">,
): Promise<SuggestionContext> {
  const suggesting = findings.filter(({ suggestion }) => suggestion !== null);
  const paths = new Set(suggesting.map(({ path }) => path));
  const files = change.files.filter(({ path }) => paths.has(path));
  const read = await degradations.optional("file contents", () => readTexts(files, change, repository));
  const texts = read ?? new Map<string, string>();
  const overLimit = new Set(read === null ? [] : unread(files, texts, change, repository));
  const comparisons = new Map<string, ParseComparison>();
  const keyOf = (path: string, after: string): string => `${path}\0${after}`;
  for (const { finding, anchor } of identifyInChange(suggesting, change)) {
    const { path, suggestion } = finding;
    const language = analysis.byPath.get(path)?.language ?? "unknown";
    const compared = await degradations.optional("suggestions", () =>
      compareSuggestion(suggestion ?? "", { anchor, text: texts.get(path) ?? null, language }, reader),
    );
    if (compared !== null) comparisons.set(keyOf(path, compared.after), compared.comparison);
  }
  const compare = (path: string, after: string): ParseComparison =>
    comparisons.get(keyOf(path, after)) ?? "not-checked";
  return { texts, overLimit, compare };
}

/** Existing files that were not read because they are too large. */
function unread(
  files: readonly ChangedFile[],
  texts: ReadonlyMap<string, string>,
  { kind }: Change,
  repository: Repository | null,
): readonly string[] {
  if (repository === null) return [];
  const exists = ({ newBlob }: ChangedFile): boolean => newBlob !== null || kind === "working-tree";
  return files.filter((file) => exists(file) && !texts.has(file.path)).map(({ path }) => path);
}
