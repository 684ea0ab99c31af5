/** Makes a commit of checked edits, and verifies in the objects that it has exactly these edits. Pushes nothing. */
import type { RepositoryWriter, TreeEntryChange } from "../../../repository/repository-writer.ts";
import type { Repository } from "../../../repository/repository.ts";
import { MAX_EDITED_BYTES } from "../../../review/edits/check-edits.ts";
import { bytesOfText, editableText } from "../../../review/edits/editable-text.ts";
import type { EditRefusal, ProposedEdit } from "../../../review/edits/edit.ts";
import { findAddedSecrets } from "../../../review/edits/find-added-secrets.ts";

export type CommitRequest = {
  readonly head: string;
  readonly edits: readonly ProposedEdit[];
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: number;
};

export type CommittedEdits =
  | { readonly kind: "committed"; readonly commit: string }
  | { readonly kind: "refused"; readonly refusals: readonly EditRefusal[] };

export async function commitEdits(
  { head, edits, message, author, at }: CommitRequest,
  { writer, repository }: { readonly writer: RepositoryWriter; readonly repository: Repository },
): Promise<CommittedEdits> {
  const files = edits.map(({ path, after, isExecutable }) => ({
    path,
    content: after === null ? null : bytesOfText(after),
    ...(isExecutable !== undefined && { isExecutable }),
  }));
  const { commit, changes } = await writer.commit({ parent: head, files, message, author, at });
  const blobs = await repository.readBlobs(
    changes.flatMap(({ newBlob }) => newBlob ?? []),
    MAX_EDITED_BYTES,
  );
  const refusals = verifyTree(edits, changes, blobs);
  return refusals.length === 0 ? { kind: "committed", commit } : { kind: "refused", refusals };
}

/** Ordinary and executable files. Everything else is a link, a submodule or a folder. */
const FILE_MODES: ReadonlySet<string> = new Set(["100644", "100755"]);

export function verifyTree(
  edits: readonly ProposedEdit[],
  changes: readonly TreeEntryChange[],
  blobs: ReadonlyMap<string, string>,
): readonly EditRefusal[] {
  if (changes.length === 0) return [{ rule: "nothing-changed", path: "", detail: "" }];
  const byPath = new Map(edits.map((edit) => [edit.path, edit]));
  const changed = new Set(changes.map(({ path }) => path));
  // A mode that a file has already changes nothing.
  const missing = edits.filter(({ path, before, after }) => !changed.has(path) && before !== after);
  return [
    ...missing.map(({ path }) => unexpected(path, "the commit doesn't have this edit")),
    ...changes.flatMap((change) => {
      const edit = byPath.get(change.path);
      if (edit === undefined)
        return [unexpected(change.path, "the commit has an entry that no edit asked for")];
      const bytes = change.newBlob === null ? null : (blobs.get(change.newBlob) ?? null);
      if (!hasExpectedMode(change, edit)) return [unexpected(change.path, "its file mode isn't as expected")];
      if (bytes !== (edit.after === null ? null : bytesOfText(edit.after)))
        return [unexpected(change.path, "its content isn't as expected")];
      // Read from the object again, because this is what is pushed.
      return findAddedSecrets({ ...edit, after: bytes === null ? null : editableText(bytes) });
    }),
  ];
}

function hasExpectedMode(
  { oldMode, newMode }: TreeEntryChange,
  { before, after, isExecutable }: ProposedEdit,
): boolean {
  if ((oldMode === null) !== (before === null) || (newMode === null) !== (after === null)) return false;
  if (oldMode !== null && !FILE_MODES.has(oldMode)) return false;
  if (newMode === null) return true;
  if (isExecutable !== undefined) return newMode === (isExecutable ? "100755" : "100644");
  return newMode === (oldMode ?? "100644");
}

function unexpected(path: string, detail: string): EditRefusal {
  return { rule: "unexpected-entry", path, detail };
}
