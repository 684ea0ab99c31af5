import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword, isFiller } from "./after-keyword.ts";

export const configurationCommand: CommandSpec<"configuration"> = {
  kind: "configuration",
  usage: "configuration",
  help: "prints the effective configuration and where each value comes from",
  group: "Settings",
  who: "anyone",
  where: "anywhere",
  parse: (words) => {
    const after = afterKeyword(words, /^config(?:uration)?/i);
    return after !== null && isFiller(after.line) ? { kind: "configuration" } : null;
  },
};
