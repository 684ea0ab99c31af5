import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller, takeNumber } from "./after-keyword.ts";

/** "resolve the conflict" isn't about threads. */
const THREADS =
  /^(?:all(?:\s+(?:of\s+)?(?:the|your))?(?:\s+(?:threads|comments|findings))?|(?:the|this)\s+thread|(?:your|the)\s+threads)[.!]*$/i;

export const resolveCommand: CommandSpec<"resolve"> = {
  kind: "resolve",
  usage: "resolve [NUMBER]",
  help: "resolves a thread of Kodiai, or all of its threads",
  group: "Findings",
  who: "writer",
  where: "pull-request",
  parse: (words) => {
    const after = afterKeyword(words, /^resolve/i);
    if (after === null) return null;
    const { finding, rest } = takeNumber(after);
    return isFiller(rest.line) || (finding === null && THREADS.test(rest.line))
      ? { kind: "resolve", finding }
      : null;
  },
};
