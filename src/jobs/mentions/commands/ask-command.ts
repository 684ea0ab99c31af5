import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword } from "./after-keyword.ts";

/** Shorter text without a question mark is a typo or a thank you, which no model should answer. */
const MIN_WORDS = 3;

/** Without their colon, these are orders that nothing carries out. */
const ORDERS = [/^apply/i, /^change/i, /^learn/i] as const;

export const askCommand: CommandSpec<"ask"> = {
  kind: "ask",
  usage: "ask: QUESTION",
  help: "answers a question about the code, in the thread; any other sentence is a question too",
  group: "Questions",
  who: "anyone",
  where: "anywhere",
  parse: (words) => {
    const asked = afterKeyword(words, /^ask/i);
    if (asked !== null) return asked.text === "" ? null : { kind: "ask", question: asked.text };
    if (ORDERS.some((order) => afterKeyword(words, order) !== null)) return null;
    const said = words.line === "" ? words.text : words.line;
    return isSentence(said) ? { kind: "ask", question: words.text } : null;
  },
};

function isSentence(said: string): boolean {
  return (/[?？]/.test(said) && /\p{L}/u.test(said)) || said.split(/\s+/, MIN_WORDS).length === MIN_WORDS;
}
