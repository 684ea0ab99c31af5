/** Reads a reply in a thread that doesn't name Kodiai: it may ask the reviewer something. Pure. */
import { type CommandOf, MAX_WORDS_CHARS } from "./command.ts";

/** Quotes and code cite. */
const CITED = /^\s{0,3}>.*$|(`{1,3}|~~~)[^]*?\1/gm;

/** The reply addresses someone else. */
const FOR_OTHERS = /^\s*(?:hey |hi |hello )?@[\w-]+/i;

/** Null if it asks nothing, or asks someone else. */
export function parseThreadReply(body: string): CommandOf<"ask"> | null {
  const question = body.slice(0, MAX_WORDS_CHARS).toWellFormed().trim();
  const own = question.replaceAll(CITED, "");
  return /[?？]/.test(own) && /\p{L}/u.test(own) && !FOR_OTHERS.test(own) ? { kind: "ask", question } : null;
}
