/** Takes the edits of verified suggestions from the ledger, without a model. */
import { count } from "../../../base/count.ts";
import type { Repository } from "../../../repository/repository.ts";
import { type AppliedFixes, applyVerifiedSuggestions } from "../../../review/edits/apply-suggestions.ts";
import { MAX_EDITED_BYTES } from "../../../review/edits/check-edits.ts";
import { editableText } from "../../../review/edits/editable-text.ts";
import { LIFE_STATES } from "../../../review/context/life-states.ts";
import type { StoredFinding } from "../converse/conversation.ts";

export async function applySuggestionsOf(
  findings: readonly StoredFinding[],
  { repository, head }: { readonly repository: Repository; readonly head: string },
): Promise<AppliedFixes> {
  const texts = await readAt(head, findings, repository);
  const heads = [...Map.groupBy(findings, (finding) => finding.head)];
  const then = new Map<string, ReadonlyMap<string, string>>();
  for (const [commit, its] of heads)
    then.set(commit, commit === head ? texts : await readAt(commit, its, repository));
  const fixes = findings.map((finding) => ({
    ...finding,
    state: LIFE_STATES.find((state) => state === finding.state) ?? "expired",
    textThen: then.get(finding.head)?.get(finding.path) ?? null,
  }));
  return applyVerifiedSuggestions(fixes, texts);
}

/** Files by path. A commit that isn't there any more has none. */
async function readAt(
  commit: string,
  findings: readonly StoredFinding[],
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  const paths = [...new Set(findings.map(({ path }) => path))];
  const read = await repository.readFiles({ commit }, paths, MAX_EDITED_BYTES);
  return new Map(
    [...read].flatMap(([path, latin1]) => {
      const text = editableText(latin1);
      return text === null ? [] : [[path, text] as const];
    }),
  );
}

export function titleOfFixes(applied: readonly number[]): string {
  const [only] = applied;
  return applied.length === 1 && only !== undefined
    ? `Apply the suggestion of finding ${only}`
    : `Apply the suggestions of ${count(applied.length, "finding")}`;
}
