/** Refuses edits if the head isn't the one that their requester saw. Edits that an earlier attempt has kept are based on that one. */
import type { Conversation } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { MOVED } from "./push-edits.ts";

export function refuseMoved({
  subject,
  mention,
  code,
  kept,
}: Pick<Conversation, "subject" | "mention" | "code" | "kept">): Reply | null {
  return subject.kind === "pull-request" && kept === null && mention.seenHead !== code.head ? MOVED : null;
}
