/** Says in one line that a mention failed and what to do. A reply that is kept is posted instead: its command has had its effect. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { claimMention, endMention } from "../../../store/repositories/mentions.ts";
import type { GivingUp } from "../../recipe.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import { answerMention } from "./answer-mention.ts";
import type { MentionDeps } from "./attend-mention.ts";
import { mentionKeyOf } from "./immediate-command.ts";
import { parseKeptReply } from "./kept-reply.ts";

const SILENT_LOG = { warn: () => {} };

export async function giveUpMention(
  mention: MentionJob,
  why: GivingUp,
  { forge, database, now }: MentionDeps,
): Promise<void> {
  const { requester, command, repositoryRef } = mention;
  const key = mentionKeyOf(mention);
  const row = await claimMention(
    { ...key, login: requester.login, command: command.kind, at: now() },
    database,
  );
  const kept = parseKeptReply(row.result);
  const isHandedOver = kept === null && row.requesterClass !== null;
  if (row.outcome !== null || isHandedOver) return;
  if (why.kind !== "failed") return endMention(key, { outcome: why.reason, at: now() }, database);
  const session = forge.openSession(repositoryRef);
  // Without a class, the job failed before the host said what the person may do.
  if (row.requesterClass !== "writer") session.limitWrites();
  try {
    const context = { log: SILENT_LOG, lease: async () => "held" as const };
    await answerMention(mention, kept ?? failure(why), { session, database, now, context });
  } finally {
    await session.close();
  }
}

function failure({ reason }: GivingUp): Reply {
  const body = `Kodiai couldn't handle this command (${codeSpan(reason)}). Comment again to retry. If it fails again, ask the operator to look into the log.`;
  return { body, reaction: "confused", outcome: `failed:${reason.replace(/^failed:/, "")}` };
}
