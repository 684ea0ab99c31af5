/**
 * Reads what a mention is about, and the policy for it: `.kodiai.yml` at the base branch, or at the default branch for an issue, above the
 * defaults of the repository's owner.
 */
import { CONFIG_NAME } from "../../../config/repo-config/config-file.ts";
import type { Contents, ForgeSession } from "../../../forge/forge.ts";
import { gatherOrganizationConfig } from "../../gathering/gather-organization-config.ts";
import { parseConfigFiles } from "../../gathering/gather-config.ts";
import type { MentionJob } from "../mention-job.ts";
import type { AskedCommand } from "./immediate-command.ts";

export async function readSubject(
  { place: { number }, isPullRequest }: Pick<MentionJob, "place" | "isPullRequest">,
  session: Pick<ForgeSession, "pullRequests" | "issues" | "contents">,
): Promise<Pick<AskedCommand, "subject" | "config">> {
  if (isPullRequest) {
    const pullRequest = await session.pullRequests.read(number);
    const { baseRef, isPrivate } = pullRequest;
    const config = await readConfig({ branch: baseRef, isPrivate }, session.contents);
    return { subject: { kind: "pull-request", pullRequest }, config };
  }
  const issue = await session.issues.read(number);
  const { defaultBranch, isPrivate, url: repositoryUrl } = await session.contents.readRepository();
  const config = await readConfig({ branch: defaultBranch, isPrivate }, session.contents);
  return { subject: { kind: "issue", issue, defaultBranch, repositoryUrl }, config };
}

async function readConfig(
  { branch, isPrivate }: { readonly branch: string; readonly isPrivate: boolean },
  contents: Contents,
): Promise<AskedCommand["config"]> {
  const bytes = await contents.readFile(CONFIG_NAME, branch);
  const organization = await gatherOrganizationConfig(contents, isPrivate);
  const files = new Map(bytes === null ? [] : [[CONFIG_NAME, bytes]]);
  const own = bytes === null ? `defaults (no ${CONFIG_NAME} on ${branch})` : `${CONFIG_NAME} on ${branch}`;
  return parseConfigFiles(files, own, organization);
}
