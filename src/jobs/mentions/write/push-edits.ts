/** Pushes a verified commit to its branch. Repeating it after a crash has no further effect. */
import { KodiaiError } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { PushOutcome, RepositoryWriter } from "../../../repository/repository-writer.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import type { ForgeSession } from "../../../forge/forge.ts";
import type { Conversation } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { refusedWrite } from "./refuse-write.ts";

export type PushTarget = {
  /** Without refs/heads. */
  readonly branch: string;
  /** The commit that the branch must have; null for a new branch. */
  readonly expected: string | null;
};

export const MOVED: Reply = {
  body: "The branch got new commits meanwhile, so nothing was pushed, and nothing is lost. Comment again to make the edits on the new head.",
  reaction: "confused",
  outcome: "failed:moved",
};

/** Null once the branch has the commit. Otherwise nothing was pushed, and the reply says why. */
export async function pushEdits(
  push: PushTarget & { readonly commit: string },
  { writer, conversation }: { readonly writer: RepositoryWriter; readonly conversation: Conversation },
): Promise<Reply | null> {
  const { session, subject, mention, context } = conversation;
  await context.step("pushing");
  if (subject.kind === "pull-request") {
    const { isOpen, head } = await session.pullRequests.read(subject.pullRequest.number);
    if (!isOpen)
      return refusedWrite("closed", "This pull request was closed meanwhile, so nothing was pushed.");
    // Edits that an earlier attempt has kept may be pushed already, and are on the head that the person saw.
    if (conversation.kept === null && head !== conversation.code.head) return MOVED;
  } else await session.contents.readRepository();
  // The model may have worked for minutes since the job began.
  if (!(await session.people.hasWriteAccess(mention.requester.login)))
    return refusedWrite(
      "no-write-access",
      "Only people with write access can have files edited, so nothing was pushed.",
    );
  const lease = await context.lease();
  if (lease !== "held")
    throw new KodiaiError("cancelled", `the job that would push is ${lease}`, {
      hint: "Another worker may continue it.",
      retryable: true,
    });
  const outcome = await tryPush(push, { writer, conversation });
  if (outcome.kind !== "pushed") return describeRejection(push, outcome, session);
  reachFaultPoint("after-push", mention.place.number);
  return null;
}

async function tryPush(
  push: PushTarget & { readonly commit: string },
  { writer, conversation }: { readonly writer: RepositoryWriter; readonly conversation: Conversation },
): Promise<PushOutcome> {
  try {
    return await writer.push(conversation.session.contents.pushAccess(), push);
  } catch (error) {
    // The host creates no token that may push.
    if (error instanceof KodiaiError && error.code === "forbidden" && !error.retryable)
      return { kind: "rejected", reason: "denied", message: error.message };
    throw error;
  }
}

function describeRejection(
  { branch, expected }: PushTarget,
  { reason, message }: Extract<PushOutcome, { readonly kind: "rejected" }>,
  { missingPermission }: Pick<ForgeSession, "missingPermission">,
): Reply {
  if (reason === "moved" && expected !== null) return MOVED;
  const [name, words] = [codeSpan(branch), neutraliseInline(message)];
  const sentences: Readonly<Record<typeof reason, string>> = {
    moved: `The branch ${name} exists already with another commit, so nothing was pushed. Delete it, or comment again for a branch of its own.`,
    protected: `The rules of the repository don't let Kodiai push to ${name}, so nothing was pushed: ${words}. Ask again without \`here\`, or change the rule.`,
    denied: `Kodiai isn't allowed to push, so nothing was pushed: ${words}. ${missingPermission.push}`,
    other: `The host refused the push, so nothing was pushed: ${words}.`,
  };
  return { body: sentences[reason], reaction: "confused", outcome: `failed:push-${reason}` };
}
