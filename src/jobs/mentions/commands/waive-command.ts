import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isQuestion, takeNumber } from "./after-keyword.ts";

const WAIVE = /^waive/i;

export const waiveCommand: CommandSpec<"waive"> = {
  kind: "waive",
  usage: "waive [NUMBER] [REASON]",
  help: "accepts the risk of a finding, with your reason",
  group: "Findings",
  who: "writer",
  where: "pull-request",
  parse: (words) => {
    const after = afterKeyword(words, WAIVE);
    if (after === null || isQuestion(words, WAIVE)) return null;
    const { finding, rest } = takeNumber(after);
    return { kind: "waive", finding, reason: rest.text };
  },
};
