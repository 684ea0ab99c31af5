import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword } from "./after-keyword.ts";
import { nearestCommand } from "./unknown-command.ts";

/** Without their colon, these are orders that nothing carries out. The answer names the colon. */
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
    return isQuestion(words.text) && !isTypo(words.text) ? { kind: "ask", question: words.text } : null;
  },
};

/** One word is a typo or a command of another bot, except in languages that don't write spaces. */
function isQuestion(said: string): boolean {
  if (!/\p{L}/u.test(said)) return false;
  return /[?？\s]/.test(said) || /[^\p{ASCII}\p{P}\p{S}\p{Cf}\p{M}]/u.test(said);
}

/** "reveiw please" isn't a question. A command that is spelled right isn't a typo, whatever keeps it from being one. */
function isTypo(said: string): boolean {
  const words = said.split(/\s+/, 3);
  const first = words[0]?.toLowerCase().replace(/[,.!:]+$/, "") ?? "";
  if (words.length > 2 || /[?？]/.test(said)) return false;
  const name = nearestCommand(first);
  return name !== null && name.replace(/:$/, "") !== first;
}
