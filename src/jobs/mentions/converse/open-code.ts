/** Fetches the code that a mention is about: the change of a pull request, or the default branch for an issue. */
import { KodiaiError } from "../../../base/errors.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Change } from "../../../review/change/change.ts";
import { openPullRequest } from "../../gathering/open-pull-request.ts";
import type { ConversationSubject } from "./conversation.ts";
import type { ConverseDeps } from "./converse-deps.ts";
import type { MentionAttempt } from "../run-mention.ts";

export type OpenedCode = {
  readonly subject: ConversationSubject;
  readonly repository: Repository;
  readonly head: string;
  readonly change: Change;
  /** A sentence about code that the answer couldn't use; null if nothing is missing. */
  readonly missing: string | null;
};

/** `commits` are fetched if they are missing and the host still has them. */
export async function openCode(
  subject: ConversationSubject,
  commits: readonly string[],
  { session, context }: Pick<MentionAttempt, "session" | "context">,
  repositories: ConverseDeps["repositories"],
): Promise<OpenedCode> {
  const fromBranch = (name: string) => openBranch(name, subject, { session, context }, repositories);
  if (subject.kind === "issue") return { ...(await fromBranch(subject.defaultBranch)), missing: null };
  const { pullRequest } = subject;
  try {
    const earlierRuns = commits.map((head) => ({ base: head, head }));
    const wanted = { number: pullRequest.number, earlierRuns, mayBeClosed: true };
    const opened = await openPullRequest(wanted, session, { repositories, context });
    if (opened === null) throw new TypeError("a pull request that may be closed is opened");
    const { repository, change } = opened;
    const isMerged = !opened.pullRequest.isOpen && change.files.length === 0;
    return {
      subject: { kind: "pull-request", pullRequest: opened.pullRequest },
      repository,
      head: opened.pullRequest.head,
      change,
      missing: isMerged
        ? "The pull request is merged, so this answer is from its code without the diff."
        : null,
    };
  } catch (error) {
    // The host deletes the branches of closed pull requests.
    if (pullRequest.isOpen || !(error instanceof KodiaiError) || error.code !== "not-found") throw error;
    const { defaultBranch } = await session.contents.readRepository();
    const missing = `The commits of this closed pull request are gone, so this answer is from the branch \`${defaultBranch.replaceAll("`", "")}\`.`;
    return { ...(await fromBranch(defaultBranch)), missing };
  }
}

async function openBranch(
  name: string,
  subject: ConversationSubject,
  { session, context }: Pick<MentionAttempt, "session" | "context">,
  repositories: ConverseDeps["repositories"],
): Promise<Omit<OpenedCode, "missing">> {
  const { title, body, repositoryRef, number } =
    subject.kind === "issue" ? subject.issue : subject.pullRequest;
  const { repositoryId, owner, name: repositoryName } = repositoryRef;
  await context.step("cloning");
  const { repository, commit } = await repositories.openBranch(
    session.contents.cloneAccess(),
    { repositoryId, name },
    { signal: context.signal, onProgress: (stage) => void context.step(stage).catch(() => {}) },
  );
  const change: Change = {
    kind: "branch",
    description: `${name} of ${owner}/${repositoryName} (asked in ${number})`,
    title,
    body,
    // Policy and learnings are read from the base.
    base: commit,
    head: commit,
    commits: [],
    files: [],
    notes: [],
  };
  return { subject, repository, head: commit, change };
}
