/** Reads what a mention is about, and the policy for it: `.kodiai.yml` at the base branch, or at the default branch for an issue. */
import { CONFIG_NAME } from "../../../config/repo-config/config-file.ts";
import { noConfig } from "../../../config/repo-config/no-config.ts";
import type { Contents, ForgeSession } from "../../../forge/forge.ts";
import { parseConfigFiles } from "../../gathering/gather-config.ts";
import type { MentionJob } from "../mention-job.ts";
import type { AskedCommand } from "./immediate-command.ts";

export async function readSubject(
  { place: { number }, isPullRequest }: Pick<MentionJob, "place" | "isPullRequest">,
  session: Pick<ForgeSession, "pullRequests" | "issues" | "contents">,
): Promise<Pick<AskedCommand, "subject" | "config">> {
  if (isPullRequest) {
    const pullRequest = await session.pullRequests.read(number);
    const config = await readConfig(pullRequest.baseRef, session.contents);
    return { subject: { kind: "pull-request", pullRequest }, config };
  }
  const issue = await session.issues.read(number);
  const { defaultBranch, url: repositoryUrl } = await session.contents.readRepository();
  const config = await readConfig(defaultBranch, session.contents);
  return { subject: { kind: "issue", issue, defaultBranch, repositoryUrl }, config };
}

async function readConfig(branch: string, contents: Contents): Promise<AskedCommand["config"]> {
  const bytes = await contents.readFile(CONFIG_NAME, branch);
  if (bytes === null)
    return { tree: noConfig(), problems: [], origin: `defaults (no ${CONFIG_NAME} on ${branch})` };
  const parsed = await parseConfigFiles(new Map([[CONFIG_NAME, bytes]]));
  return { ...parsed, origin: `${CONFIG_NAME} on ${branch}` };
}
