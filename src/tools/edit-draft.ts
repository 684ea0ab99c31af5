/**
 * The edits of one model, in memory. Files are read from git once; every later edit of a file builds on the ones before. A path that
 * policy refuses is remembered, because the answer names it.
 */
import type { Repository, Revision } from "../repository/repository.ts";
import { MAX_EDITED_BYTES } from "../review/edits/check-edits.ts";
import { checkPath, type PathPolicy } from "../review/edits/check-path.ts";
import { editableText } from "../review/edits/editable-text.ts";
import { type EditRefusal, isChanging, type ProposedEdit } from "../review/edits/edit.ts";

/** Far above the limit for a change, so that a model that goes on and on can't fill the memory. */
const MAX_DRAFT_FILES = 500;
const MAX_DRAFT_CHARS = 16 * 1024 * 1024;

/** Refusals that are remembered; more don't say more. */
const MAX_REFUSALS = 50;

export type DraftSummary = {
  readonly title: string;
  readonly description: string;
  /** Findings of the request that it leaves as they are. */
  readonly notDone: readonly { readonly finding: number; readonly reason: string }[];
};

export type DraftFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly refusal: EditRefusal };

export type EditDraft = {
  /** The file with the edits so far. */
  open(path: string): Promise<DraftFile>;
  /** Sets the text of a file that was opened; null deletes it. False if the draft is full. */
  put(path: string, text: string | null): boolean;
  /** Sets the file mode of a file that was opened. */
  setExecutable(path: string, isExecutable: boolean): void;
  /** Files that differ from the head, by path. */
  edits(): readonly ProposedEdit[];
  refusals(): readonly EditRefusal[];
  finish(summary: DraftSummary): void;
  /** Null until the model has finished. */
  summary(): DraftSummary | null;
};

export function createEditDraft(options: {
  readonly repository: Pick<Repository, "readFiles">;
  readonly head: Revision;
  readonly policy: PathPolicy;
  /** Edits to begin with. Left out: none. */
  readonly start?: readonly ProposedEdit[];
}): EditDraft {
  const { repository, head, policy, start = [] } = options;
  const before = new Map(start.map((edit) => [edit.path, edit.before]));
  const after = new Map(start.map((edit) => [edit.path, edit.after]));
  const executable = new Map<string, boolean>();
  const refusals = new Map<string, EditRefusal>();
  let chars = 0;
  let isFull = false;
  let summary: DraftSummary | null = null;

  const refuse = (refusal: EditRefusal): DraftFile => {
    if (refusals.size < MAX_REFUSALS) refusals.set(refusal.path, refusal);
    return { kind: "refused", refusal };
  };

  const read = async (path: string): Promise<DraftFile> => {
    const refusal = checkPath(path, policy);
    if (refusal !== null) return refuse(refusal);
    if (policy.tree.kindOf(path) === null) return { kind: "none" };
    const latin1 = (await repository.readFiles(head, [path], MAX_EDITED_BYTES)).get(path);
    if (latin1 === undefined)
      return refuse({ rule: "too-large", path, detail: "the file has more than 1 MB" });
    const text = editableText(latin1);
    return text === null ? refuse({ rule: "not-text", path, detail: "" }) : { kind: "text", text };
  };

  return {
    async open(path) {
      const refused = refusals.get(path);
      if (refused !== undefined) return { kind: "refused", refusal: refused };
      if (!after.has(path)) {
        const file = await read(path);
        if (file.kind === "refused") return file;
        const text = file.kind === "text" ? file.text : null;
        // Two calls at once may both have read it.
        if (!after.has(path)) {
          before.set(path, text);
          after.set(path, text);
        }
      }
      const text = after.get(path) ?? null;
      return text === null ? { kind: "none" } : { kind: "text", text };
    },
    put(path, text) {
      chars += (text?.length ?? 0) - (after.get(path)?.length ?? 0);
      isFull ||= chars > MAX_DRAFT_CHARS || after.size > MAX_DRAFT_FILES;
      if (isFull) {
        const detail = "the model edited far more than a change can have";
        refuse({ rule: "too-large", path: "", detail });
        return false;
      }
      after.set(path, text);
      return true;
    },
    setExecutable: (path, isExecutable) => void executable.set(path, isExecutable),
    edits: () =>
      [...after]
        .map(([path, text]): ProposedEdit => {
          const isExecutable = text === null ? undefined : executable.get(path);
          const edit = { path, before: before.get(path) ?? null, after: text };
          return isExecutable === undefined ? edit : { ...edit, isExecutable };
        })
        .filter(isChanging)
        .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    refusals: () => [...refusals.values()],
    finish(given) {
      summary = given;
    },
    summary: () => summary,
  } satisfies EditDraft;
}
