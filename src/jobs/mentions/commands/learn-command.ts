import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, afterVerb, isFiller, isQuestion } from "./after-keyword.ts";

const LEARN = /^learn/i;

/** "learn that we use tabs" */
const THAT = /^that(?=\s)/i;

/** Without a colon, these state nothing: "learn more", "learn from this". */
const NO_STATEMENT = /^(?:about|from|how|more|to)(?![\p{L}\p{N}'’_-])/iu;

export const learnCommand: CommandSpec<"learn"> = {
  kind: "learn",
  usage: "learn TEXT",
  help: "remembers a rule or a fact for later reviews",
  group: "Settings",
  who: "writer",
  where: "anywhere",
  parse: (words) => {
    const after = afterVerb(words, LEARN);
    if (after === null || isQuestion(words, LEARN)) return null;
    const isOrder = /^learn\s*:/i.test(words.line);
    if (!isOrder && (isFiller(after.line) || NO_STATEMENT.test(after.line))) return null;
    const { text } = afterKeyword(after, THAT) ?? after;
    return text === "" ? null : { kind: "learn", text };
  },
};
