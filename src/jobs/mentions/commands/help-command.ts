import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller } from "./after-keyword.ts";

export const helpCommand: CommandSpec<"help"> = {
  kind: "help",
  usage: "help",
  help: "lists the commands",
  group: "Settings",
  who: "anyone",
  where: "anywhere",
  parse: (words) => {
    const after = afterKeyword(words, /^help(?:\s+me)?/i);
    return after !== null && isFiller(after.line.replace(/^\?+$/, "")) ? { kind: "help" } : null;
  },
};
