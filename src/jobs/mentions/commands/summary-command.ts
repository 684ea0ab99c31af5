import type { CommandSpec } from "../command-spec.ts";
import { afterVerb } from "./after-keyword.ts";

export const summaryCommand: CommandSpec<"summary"> = {
  kind: "summary",
  usage: "summary",
  help: "describes what the pull request changes",
  group: "Reviews",
  who: "anyone",
  where: "pull-request",
  parse: (words) => (afterVerb(words, /^(?:summary|summari[sz]e)/i) === null ? null : { kind: "summary" }),
};
