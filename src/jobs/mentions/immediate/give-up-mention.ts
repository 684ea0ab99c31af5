/** Says in one line that a mention failed and what to do. A reply that is kept is posted instead: its command has had its effect. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import type { Forge } from "../../../forge/forge.ts";
import type { RowStore } from "../../job-store.ts";
import type { GivingUp } from "../../recipe.ts";
import type { MentionJob } from "../mention-job.ts";
import { claimMentionRecord } from "../mention-record.ts";
import type { Reply } from "../reply.ts";
import { answerMention } from "./answer-mention.ts";
import { parseKeptReply } from "./kept-reply.ts";

const SILENT_LOG = { warn: () => {} };

export async function giveUpMention(
  mention: MentionJob,
  why: GivingUp,
  { forge, store }: { readonly forge: Pick<Forge, "openSession">; readonly store: RowStore },
): Promise<void> {
  const record = await claimMentionRecord(mention, store);
  const kept = parseKeptReply(record.result);
  const isHandedOver = kept === null && record.requesterClass !== null;
  if (record.outcome !== null || isHandedOver) return;
  if (why.kind !== "failed") return record.end(why.reason);
  const session = forge.openSession(mention.repositoryRef);
  // Without a class, the job failed before the host said what the person may do.
  if (record.requesterClass !== "writer") session.limitWrites();
  try {
    const context = { log: SILENT_LOG, lease: async () => "held" as const };
    await answerMention({ mention, record, session, context }, kept ?? failure(why), store);
  } finally {
    await session.close();
  }
}

function failure({ reason }: GivingUp): Reply {
  const body = `Kodiai couldn't handle this command (${codeSpan(reason)}). Comment again to retry. If it fails again, ask the operator to look into the log.`;
  return { body, reaction: "confused", outcome: `failed:${reason.replace(/^failed:/, "")}` };
}
