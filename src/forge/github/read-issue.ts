/** Reads an issue as a value of the port. */
import { KodiaiError } from "../../base/errors.ts";
import type { Issue, RepositoryRef } from "../forge.ts";
import type { ConversationAccess } from "./conversation-access.ts";
import { personOf } from "./parse-event.ts";
import type { RepositoryName } from "./session-tokens.ts";

export type ReadIssueDeps = {
  readonly conversation: ConversationAccess;
  readonly name: () => Promise<RepositoryName>;
  readonly repositoryRef: RepositoryRef;
};

/** Throws `not-found` if it is a pull request. */
export async function readIssue(
  number: number,
  { conversation, name, repositoryRef }: ReadIssueDeps,
): Promise<Issue> {
  conversation.enterIssue();
  const { owner, repo } = await name();
  const { data } = await conversation.call("read", async (client) =>
    client.request("GET /repos/{owner}/{repo}/issues/{issue_number}", { owner, repo, issue_number: number }),
  );
  if (data.pull_request !== undefined) {
    throw new KodiaiError("not-found", `${owner}/${repo}#${number} is a pull request`, {
      hint: "Read it as a pull request.",
    });
  }
  return {
    repositoryRef: { ...repositoryRef, owner, name: repo },
    number,
    title: data.title,
    body: data.body ?? "",
    isOpen: data.state === "open",
    isLocked: data.locked,
    author: personOf(data.user),
    url: data.html_url,
  };
}
