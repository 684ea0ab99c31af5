import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isQuestion, takeNumber } from "./after-keyword.ts";

const DISMISS = /^dismiss/i;

export const dismissCommand: CommandSpec<"dismiss"> = {
  kind: "dismiss",
  usage: "dismiss [NUMBER] [REASON]",
  help: "marks a finding as wrong or not wanted, with your reason",
  group: "Findings",
  who: "writer",
  where: "pull-request",
  parse: (words) => {
    const after = afterKeyword(words, DISMISS);
    if (after === null || isQuestion(words, DISMISS)) return null;
    const { finding, rest } = takeNumber(after);
    return { kind: "dismiss", finding, reason: rest.text };
  },
};
