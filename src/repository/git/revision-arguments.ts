/** A revision as an argument for git: only what git cannot take for an option or for something else. */
import type { Revision } from "../repository.ts";
import { isFullId } from "./refs.ts";

/** What stands in histories for what is not committed. */
const HEAD = "HEAD";

/** The commit of a revision; that of HEAD for the index and the working tree, which have none of their own. */
export function commitOf(revision: Revision): string {
  if (typeof revision === "string") return HEAD;
  const { commit } = revision;
  if (commit !== HEAD && !isFullId(commit)) throw new TypeError("a revision takes a full commit id");
  return commit;
}
