import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller, isQuestion, takeNumber } from "./after-keyword.ts";

const REOPEN = /^re-?open/i;

export const reopenCommand: CommandSpec<"reopen"> = {
  kind: "reopen",
  usage: "reopen [NUMBER]",
  help: "takes back dismiss or waive, so that a finding counts again",
  group: "Findings",
  who: "writer",
  where: "pull-request",
  parse: (words) => {
    const after = afterKeyword(words, REOPEN);
    if (after === null || isQuestion(words, REOPEN)) return null;
    const { finding, rest } = takeNumber(after);
    return isFiller(rest.text) ? { kind: "reopen", finding } : null;
  },
};
