/**
 * Publishes the answer to a request: a comment that is created once and never edited. It goes to the thread on lines where the
 * request was written, or to the conversation if it was written there or the thread is gone.
 */
import { hashParts } from "../../../base/hash.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { AnswerRequest, JournalEntry } from "../../forge.ts";
import { hasStatus, outcomeUnknown, retryAt } from "../github-error.ts";
import type { MarkerScope } from "../markers.ts";
import { withMarker } from "../text-limits.ts";
import { type CreatedOnce, createOnce } from "./create-once.ts";
import { findComments, type PublishDeps, scopeOf } from "./publishing.ts";

/** Publishing a review takes a few seconds between creating and submitting it. */
const PENDING_REVIEW_MS = 10_000;

export async function publishAnswer(answer: AnswerRequest, deps: PublishDeps): Promise<void> {
  const { journal, body, threadRoot } = answer;
  const intent = await journal.read("answer");
  if (intent?.state === "published") return;
  const scope = scopeOf({ request: { pullRequest: answer, request: answer.request }, head: "" }, "answer");
  const bodyHash = hashParts([body]);
  const marker = deps.markers.render(scope, { bodyHash, moved: [] });
  const draft: Draft = { answer, scope, bodyHash, marker, intent };
  const created =
    (threadRoot === null ? null : await answerInThread(draft, threadRoot, deps)) ??
    (await answerInConversation(draft, deps));
  if (created.kind === "lost") return;
  if (created.kind === "unknown") throw outcomeUnknown(created.untilMs, "the answer");
  await journal.write("answer", {
    state: "published",
    bodyHash,
    marker,
    externalId: created.id,
    attemptedAt: null,
  });
}

type Draft = {
  readonly answer: AnswerRequest;
  readonly scope: MarkerScope;
  readonly bodyHash: string;
  readonly marker: string;
  readonly intent: JournalEntry | null;
};

/** The thread or the conversation that the answer goes to. */
type Destination = {
  readonly find: () => Promise<number | null>;
  readonly create: (body: string) => Promise<number>;
};

async function answerInConversation(draft: Draft, deps: PublishDeps): Promise<CreatedOnce> {
  const { number } = draft.answer;
  return createAnswer(
    draft,
    {
      find: async () => (await findComments(number, draft.scope, deps))[0]?.id ?? null,
      create: async (body) => deps.calls.createComment(number, body),
    },
    deps,
  );
}

/** Null if the thread is gone. Nothing was written then. */
async function answerInThread(
  draft: Draft,
  threadRoot: number,
  deps: PublishDeps,
): Promise<CreatedOnce | null> {
  const { number } = draft.answer;
  const { calls, markers } = deps;
  const find = async (): Promise<number | null> => {
    const replies = await calls.listOwnReplies(number, threadRoot);
    const reply = replies.find(({ body }) => markers.read(draft.scope, body) !== null);
    if (reply !== undefined || draft.intent === null) return reply?.id ?? null;
    // The thread may have been gone at an earlier attempt.
    return (await findComments(number, draft.scope, deps))[0]?.id ?? null;
  };
  const create = async (body: string): Promise<number> => {
    try {
      return await calls.createReply(number, threadRoot, body);
    } catch (error) {
      const isBlocked = hasStatus(error, 422) && /pending review/i.test(error.call.words);
      if (!isBlocked) throw error;
      const hint = "Kodiai is publishing a review on this pull request, and answers after that.";
      throw retryAt(error, deps.now() + PENDING_REVIEW_MS, hint);
    }
  };
  try {
    return await createAnswer(draft, { find, create }, deps);
  } catch (error) {
    if (isThreadGone(error)) return null;
    throw error;
  }
}

/** GitHub also rejects a reply to a comment that no longer starts a thread. Neither rejection has an effect. */
function isThreadGone(error: unknown): boolean {
  if (hasStatus(error, 404)) return true;
  return hasStatus(error, 422) && /in_reply_to/.test(error.call.words);
}

async function createAnswer(
  { answer, bodyHash, marker, intent }: Draft,
  { find, create }: Destination,
  deps: PublishDeps,
): Promise<CreatedOnce> {
  const { number, journal, isLost, body } = answer;
  return createOnce(
    {
      part: "answer",
      journal,
      intent,
      bodyHash,
      marker,
      find,
      create: async () => {
        reachFaultPoint("before-answer", number);
        const id = await create(withMarker(body, marker));
        reachFaultPoint("after-answer", number);
        return id;
      },
      isLost,
    },
    deps,
  );
}
