/** Converts a revision to an argument that git can't mistake for an option. */
import type { Revision } from "../repository.ts";
import { isFullId } from "./refs.ts";

/** Histories of uncommitted files start here. */
const HEAD = "HEAD";

/** Returns the commit of a revision, or HEAD for the index and the working tree. */
export function commitOf(revision: Revision): string {
  if (typeof revision === "string") return HEAD;
  const { commit } = revision;
  if (commit !== HEAD && !isFullId(commit)) throw new TypeError("a revision needs a full commit id");
  return commit;
}
