/**
 * Reads what a mention is about, and the policy for it: `.kodiai.yml` at the base branch, or at the default branch for an issue, above the
 * defaults of the repository's owner.
 */
import type { ForgeSession } from "../../../forge/forge.ts";
import { readBranchConfig } from "../../gathering/read-branch-config.ts";
import type { MentionJob } from "../mention-job.ts";
import type { AskedCommand } from "./immediate-command.ts";

export async function readSubject(
  { place: { number }, isPullRequest }: Pick<MentionJob, "place" | "isPullRequest">,
  session: Pick<ForgeSession, "pullRequests" | "issues" | "contents">,
): Promise<Pick<AskedCommand, "subject" | "config">> {
  if (isPullRequest) {
    const pullRequest = await session.pullRequests.read(number);
    const { baseRef, isPrivate } = pullRequest;
    const config = await readBranchConfig({ branch: baseRef, isPrivate }, session.contents);
    return { subject: { kind: "pull-request", pullRequest }, config };
  }
  const issue = await session.issues.read(number);
  const { defaultBranch, isPrivate, url: repositoryUrl } = await session.contents.readRepository();
  const config = await readBranchConfig({ branch: defaultBranch, isPrivate }, session.contents);
  return { subject: { kind: "issue", issue, defaultBranch, repositoryUrl }, config };
}
