/** The commit that policy is read from: configuration, learnings, guidelines, attributes. */
import type { Change } from "./change.ts";

/**
 * The tip of a pull request's base branch, so that an edit there counts at once. Otherwise the base. Null for a diff, and for a commit
 * without a parent: there is no policy that the change doesn't bring itself.
 */
export function policyCommitOf({ baseTip, base }: Pick<Change, "base" | "baseTip">): string | null {
  return baseTip ?? base;
}
