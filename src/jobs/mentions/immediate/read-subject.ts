/** Reads what a mention is about, and the policy for it: `.kodiai.yml` at the base branch, or at the default branch for an issue. */
import { CONFIG_NAME } from "../../../config/repo-config/config-file.ts";
import { noConfig } from "../../../config/repo-config/no-config.ts";
import type { ForgeSession } from "../../../forge/forge.ts";
import { parseConfigFiles } from "../../gathering/gather-config.ts";
import type { MentionJob } from "../mention-job.ts";
import type { AskedCommand } from "./immediate-command.ts";

export async function readSubject(
  { place: { number }, isPullRequest }: Pick<MentionJob, "place" | "isPullRequest">,
  session: Pick<ForgeSession, "readPullRequest" | "readIssue" | "readRepository" | "readFile">,
): Promise<Pick<AskedCommand, "subject" | "config">> {
  if (isPullRequest) {
    const pullRequest = await session.readPullRequest(number);
    const config = await readConfig(pullRequest.baseRef, session);
    return { subject: { kind: "pull-request", pullRequest }, config };
  }
  const issue = await session.readIssue(number);
  const { defaultBranch, url: repositoryUrl } = await session.readRepository();
  const config = await readConfig(defaultBranch, session);
  return { subject: { kind: "issue", issue, defaultBranch, repositoryUrl }, config };
}

async function readConfig(
  branch: string,
  session: Pick<ForgeSession, "readFile">,
): Promise<AskedCommand["config"]> {
  const bytes = await session.readFile(CONFIG_NAME, branch);
  if (bytes === null)
    return { tree: noConfig(), problems: [], origin: `defaults (no ${CONFIG_NAME} on ${branch})` };
  const parsed = await parseConfigFiles(new Map([[CONFIG_NAME, bytes]]));
  return { ...parsed, origin: `${CONFIG_NAME} on ${branch}` };
}
