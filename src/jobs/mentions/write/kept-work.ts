/** The edits of a request as they are kept before anything is visible, so that a crash neither repeats nor loses them. */
import type { Repository } from "../../../repository/repository.ts";
import { MAX_EDITED_BYTES } from "../../../review/edits/check-edits.ts";
import { editableText } from "../../../review/edits/editable-text.ts";
import type { EditReport } from "../../../review/edits/edit-report.ts";
import type { ProposedEdit } from "../../../review/edits/edit.ts";
import { type KeptEdit, keepEdit, restoreEdit } from "../../../review/edits/kept-edit.ts";

/** Edits that may be written. */
export type CheckedEdits = EditReport & {
  /** The commit that the edits are based on. */
  readonly head: string;
  readonly title: string;
};

type KeptWork = Omit<CheckedEdits, "edits"> & { readonly edits: readonly KeptEdit[] };

export function renderKeptWork(work: CheckedEdits): string {
  const kept: KeptWork = { ...work, edits: work.edits.map(keepEdit) };
  return JSON.stringify(kept);
}

/** Only this file writes what is kept. Null if the files aren't there any more as they were, or if an earlier version didn't review the edits. */
export async function restoreKeptWork(kept: string, repository: Repository): Promise<CheckedEdits | null> {
  const work = JSON.parse(kept) as KeptWork;
  if (!("fixes" in work)) return null;
  const paths = work.edits.filter(({ isNew }) => !isNew).map(({ path }) => path);
  const read = await repository.readFiles({ commit: work.head }, paths, MAX_EDITED_BYTES);
  const edits: ProposedEdit[] = [];
  for (const edit of work.edits) {
    const latin1 = read.get(edit.path);
    const restored = restoreEdit(edit, latin1 === undefined ? null : editableText(latin1));
    if (restored === null) return null;
    edits.push(restored);
  }
  return { ...work, edits };
}
