/** The comments before a question. Kodiai's last answer is shown as a whole, so that people can ask about it. */
import type { Guard } from "../../untrusted/guard.ts";
import { cutNote, fitOnLine, fitProse, leftNote } from "../fit.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import { readableOwnText } from "./readable-own-text.ts";
import type { Surroundings, ThreadComment } from "./surroundings.ts";

/** The newest comments before the question. Older ones are rarely about it. */
export const MAX_THREAD_COMMENTS = 20;

/** Of one comment. A longer one is a document, and its beginning says what it is about. */
export const MAX_COMMENT_CHARS = 800;

/** Of all comments but Kodiai's last one. If it is too little, the oldest comments are left out. */
export const MAX_THREAD_CHARS = 16_000;

/** Of Kodiai's last comment: as long as an answer may be. */
export const MAX_OWN_ANSWER_CHARS = 10_000;

/** No host allows longer names. */
const MAX_AUTHOR_CHARS = 60;

/** Each comment has a fence of its own, so that none can pretend to be another. */
export function showThread({ thread }: Surroundings, guard: Guard): RenderedSection {
  if (thread.length === 0) return NOTHING;
  const { kept, left } = boundThread(thread, guard);
  const shown = kept.map(({ author, isOwn, text, cutChars }) => {
    const label = isOwn ? "your earlier comment" : `comment by ${fitOnLine(author, MAX_AUTHOR_CHARS, guard)}`;
    return `${guard.fence(label, text)}${cutNote(cutChars)}`;
  });
  return {
    text: ["# Earlier comments, oldest first", ...shown].join("\n") + leftNote(left),
    cutChars: kept.reduce((sum, { cutChars }) => sum + cutChars, 0),
  };
}

type BoundComment = ThreadComment & { readonly cutChars: number };

/** The newest comments within the limits, oldest first, and how many were left out. */
export function boundThread(
  thread: readonly ThreadComment[],
  guard: Guard,
): { readonly kept: readonly BoundComment[]; readonly left: number } {
  const kept: BoundComment[] = [];
  const lastOwn = thread.findLast(({ isOwn }) => isOwn);
  let usedChars = 0;
  for (const comment of thread.slice(-MAX_THREAD_COMMENTS).toReversed()) {
    const isWhole = comment === lastOwn;
    const written = comment.isOwn ? readableOwnText(comment.text) : comment.text;
    const { text, cutChars } = fitProse(written, isWhole ? MAX_OWN_ANSWER_CHARS : MAX_COMMENT_CHARS, guard);
    if (!isWhole) usedChars += text.length;
    if (usedChars > MAX_THREAD_CHARS) break;
    kept.unshift({ ...comment, text, cutChars });
  }
  return { kept, left: thread.length - kept.length };
}
