/** Says in one line that an answer failed and what to do. A reply that is kept is posted instead: the model has answered. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import type { Job } from "../../../queue/queue.ts";
import type { Forge } from "../../../forge/forge.ts";
import type { RowStore } from "../../job-store.ts";
import type { GivingUp } from "../../recipe.ts";
import { parseMentionJob } from "../mention-job.ts";
import { claimMentionRecord } from "../mention-record.ts";
import type { Reply } from "../reply.ts";
import { finishConversation, finishRunsOf } from "./finish-conversation.ts";
import { parseKeptResult } from "./kept-result.ts";

/** The worker that gives up logs the reason. */
const NO_LOG = { warn: () => {} };

export async function giveUpConversation(
  job: Job,
  why: GivingUp,
  { forge, store }: { readonly forge: Pick<Forge, "openSession">; readonly store: RowStore },
): Promise<void> {
  const mention = parseMentionJob(job.payload);
  const record = await claimMentionRecord(mention, store);
  if (record.outcome !== null) return finishRunsOf(job, record.outcome, store);
  const kept = parseKeptResult(record.result);
  const reply = kept !== null && "reply" in kept ? kept.reply : failure(why);
  const session = forge.openSession(mention.repositoryRef);
  if (record.requesterClass !== "writer") session.limitWrites();
  try {
    const context = { log: NO_LOG, lease: async () => "held" as const };
    await finishConversation({ answered: { mention, record, session, context }, job }, reply, store);
  } finally {
    // GitHub may not accept the answer now. The mention has still ended.
    await record.end(reply.outcome);
    await finishRunsOf(job, reply.outcome, store);
    await session.close();
  }
}

function failure({ kind, reason }: GivingUp): Reply {
  const outcome = `failed:${reason.replace(/^failed:/, "")}` as const;
  if (kind !== "failed")
    return { body: "An operator cancelled this request.", reaction: "confused", outcome };
  const body = `Kodiai couldn't answer (${codeSpan(reason)}). Comment again to retry. If it fails again, ask the operator to look into the log.`;
  return { body, reaction: "confused", outcome };
}
