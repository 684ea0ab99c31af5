/** Says in one line that an answer failed and what to do. A reply that is kept is posted instead: the model has answered. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import type { Job } from "../../../queue/queue.ts";
import { claimMention, endMention } from "../../../store/repositories/mentions.ts";
import type { GivingUp } from "../../recipe.ts";
import { mentionKeyOf } from "../immediate/immediate-command.ts";
import { parseMentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import type { ConverseDeps } from "./converse-deps.ts";
import { finishConversation, finishRunsOf } from "./finish-conversation.ts";
import { parseKeptResult } from "./kept-result.ts";

/** The worker that gives up logs the reason. */
const NO_LOG = { warn: () => {} };

export async function giveUpConversation(
  job: Job,
  why: GivingUp,
  deps: Pick<ConverseDeps, "forge" | "database" | "now">,
): Promise<void> {
  const { forge, database, now } = deps;
  const mention = parseMentionJob(job.payload);
  const { login } = mention.requester;
  const key = mentionKeyOf(mention);
  const row = await claimMention({ ...key, login, command: mention.command.kind, at: now() }, database);
  if (row.outcome !== null) return finishRunsOf(job, row.outcome, deps);
  const kept = parseKeptResult(row.result);
  const reply = kept !== null && "reply" in kept ? kept.reply : failure(why);
  const session = forge.openSession(mention.repositoryRef);
  if (row.requesterClass !== "writer") session.limitWrites();
  try {
    const context = { log: NO_LOG, lease: async () => "held" as const };
    await finishConversation(mention, reply, { session, database, now, context, job });
  } finally {
    // GitHub may not accept the answer now. The mention has still ended.
    await endMention(key, { outcome: reply.outcome, at: now() }, database);
    await finishRunsOf(job, reply.outcome, deps);
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
