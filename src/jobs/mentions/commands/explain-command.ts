import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller, takeNumber } from "./after-keyword.ts";

export const explainCommand: CommandSpec<"explain"> = {
  kind: "explain",
  usage: "explain [NUMBER] [QUESTION]",
  help: "explains a finding: its rule, its evidence and what became of it",
  group: "Findings",
  who: "anyone",
  where: "pull-request",
  parse: (words) => {
    const after = afterKeyword(words, /^explain/i);
    if (after === null) return null;
    const { finding, rest } = takeNumber(after);
    return { kind: "explain", finding, question: isFiller(rest.text) ? "" : rest.text };
  },
};
