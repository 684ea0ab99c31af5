/** Checks edits as a whole before anything is written. Whether the files still parse is checked in the reader. Pure. */
import { count } from "../../base/count.ts";
import { checkPath, type PathPolicy } from "./check-path.ts";
import { type EditRefusal, isChanging, leavesOutFile, type ProposedEdit } from "./edit.ts";
import { editedLines } from "./edited-lines.ts";
import { findAddedSecrets } from "./find-added-secrets.ts";
import { findRemovedTests } from "./find-removed-tests.ts";
import { foldPath } from "./fold-path.ts";
import { findProtectedContent } from "./protected-content.ts";

/** A person has to review every file of a change. */
export const MAX_EDITED_FILES = 50;

/** A larger file is data or generated, which a program should write. */
export const MAX_EDITED_BYTES = 1024 * 1024;

/** Added and removed text together: about 8,000 lines, more than any reviewer reads. */
const MAX_CHANGED_CHARS = 400 * 1024;

/** More refusals of one kind don't say more. */
const MAX_REFUSALS = 20;

/** Characters that reverse text or can't be seen. Emoji and some scripts need joiners, which stay allowed. */
const HIDDEN = /[\0-\x08\x0b\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u;

export type EditPolicy = PathPolicy & {
  readonly isTest: (path: string) => boolean;
  /** The request says so in so many words. */
  readonly mayRemoveTests: boolean;
};

export type SiftedEdits = {
  readonly edits: readonly ProposedEdit[];
  /** Why the others aren't made. */
  readonly leftOut: readonly EditRefusal[];
};

/** Leaves out the files that policy doesn't let Kodiai edit. */
export function siftEdits(edits: readonly ProposedEdit[], policy: PathPolicy): SiftedEdits {
  const leftOut = edits.flatMap((edit) => findDenial(edit, policy).slice(0, 1));
  const paths = new Set(leftOut.map(({ path }) => path));
  return { edits: edits.filter(({ path }) => !paths.has(path)), leftOut };
}

function findDenial(edit: ProposedEdit, policy: PathPolicy): readonly EditRefusal[] {
  const ofPath = checkPath(edit.path, policy);
  const refusals = ofPath === null ? findProtectedContent(edit, policy.rules) : [ofPath];
  return refusals.filter(leavesOutFile);
}

/** Empty if everything may be written. */
export function checkEdits(edits: readonly ProposedEdit[], policy: EditPolicy): readonly EditRefusal[] {
  const changed = edits.filter(isChanging);
  if (changed.length === 0) return [{ rule: "nothing-changed", path: "", detail: "" }];
  if (changed.length > MAX_EDITED_FILES) {
    const detail = `${count(changed.length, "file")}; at most ${MAX_EDITED_FILES} are edited at once`;
    // The paths are still checked, so that a denied one is named however many others there are.
    return [{ rule: "too-many-files", path: "", detail }, ...checkPaths(changed, policy)];
  }
  const refusals = [
    ...checkPaths(changed, policy),
    ...changed.flatMap((edit) => findProtectedContent(edit, policy.rules)),
    ...changed.flatMap(checkText),
    ...checkSize(changed),
    ...(policy.mayRemoveTests ? [] : findRemovedTests(changed, policy.isTest)),
  ];
  // Texts over the limits aren't searched.
  const isSearched = !refusals.some(({ rule }) => rule === "too-large" || rule === "not-text");
  return isSearched ? [...refusals, ...changed.flatMap(findAddedSecrets)] : refusals;
}

function checkPaths(edits: readonly ProposedEdit[], policy: PathPolicy): readonly EditRefusal[] {
  const refused = edits.flatMap(({ path }) => checkPath(path, policy) ?? []).slice(0, MAX_REFUSALS);
  return [...refused, ...findClashes(edits)];
}

/** Edited paths that a file system could take for one another, or for a folder of another. */
function findClashes(edits: readonly ProposedEdit[]): readonly EditRefusal[] {
  const written = edits.filter(({ after }) => after !== null);
  const spellings = new Map<string, string>();
  const files = new Set(written.map(({ path }) => foldPath(path)));
  const refusals: EditRefusal[] = [];
  for (const { path } of written) {
    const names = path.split("/");
    for (let length = 1; length <= names.length; length++) {
      const part = names.slice(0, length).join("/");
      const folded = foldPath(part);
      const known = spellings.get(folded);
      const isBelowFile = length < names.length && files.has(folded);
      if (isBelowFile) refusals.push({ rule: "unexpected-entry", path, detail: `${part} is a file` });
      else if (known !== undefined && known !== part)
        refusals.push({ rule: "case-clash", path, detail: known });
      else {
        spellings.set(folded, part);
        continue;
      }
      break;
    }
  }
  return refusals;
}

function checkText(edit: ProposedEdit): readonly EditRefusal[] {
  const { path, after } = edit;
  if (after === null) return [];
  if (after.includes("\0") || !after.isWellFormed()) return [{ rule: "not-text", path, detail: "" }];
  if (Buffer.byteLength(after) > MAX_EDITED_BYTES)
    return [{ rule: "too-large", path, detail: "the file would have more than 1 MB" }];
  if (!HIDDEN.test(after)) return [];
  const { lines, added } = editedLines(edit);
  const line = lines.findIndex((text, at) => added.has(at) && HIDDEN.test(text));
  return line === -1 ? [] : [{ rule: "hidden-text", path, detail: `line ${line + 1}` }];
}

function checkSize(edits: readonly ProposedEdit[]): readonly EditRefusal[] {
  let chars = 0;
  for (const edit of edits) {
    // A text that is far too large isn't compared.
    if ((edit.after?.length ?? 0) > MAX_EDITED_BYTES) continue;
    const { lines, added } = editedLines(edit);
    for (const at of added) chars += lines[at]?.length ?? 0;
    const kept = lines.reduce((sum, text, at) => (added.has(at) ? sum : sum + text.length), 0);
    chars += Math.max(0, (edit.before?.length ?? 0) - kept);
  }
  if (chars <= MAX_CHANGED_CHARS) return [];
  return [{ rule: "too-large", path: "", detail: "the edits add and remove more than 400 KB of text" }];
}
