import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller, isQuestion } from "./after-keyword.ts";

const FORGET = /^forget/i;

/** As the answer to `learn` names it. At most nine digits: no repository has more. */
const LEARNING = /^l([1-9]\d{0,8})(?![\w'’-]|\.\d)/i;

export const forgetLearningCommand: CommandSpec<"forget"> = {
  kind: "forget",
  usage: "forget lNUMBER",
  help: "takes back a learning, by the number in the answer to learn",
  group: "Settings",
  who: "writer",
  where: "anywhere",
  parse: (words) => {
    const after = afterKeyword(words, FORGET);
    const match = after === null ? null : LEARNING.exec(after.line);
    if (after === null || match === null || isQuestion(words, FORGET)) return null;
    return isFiller(after.text.slice(match[0].length).trim())
      ? { kind: "forget", learning: Number(match[1]) }
      : null;
  },
};
