/** Refuses edits if the head isn't the one that their requester saw. Edits that an earlier attempt has kept are based on that one. */
import type { Conversation } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { MOVED } from "./push-edits.ts";

export function refuseMoved({
  subject,
  mention,
  code,
  kept,
  continued,
}: Pick<Conversation, "subject" | "mention" | "code" | "kept" | "continued">): Reply | null {
  // Only people with write access and Kodiai push to Kodiai's own branches.
  if (subject.kind === "issue" || kept !== null || continued !== null) return null;
  return mention.seenHead === code.head ? null : MOVED;
}
