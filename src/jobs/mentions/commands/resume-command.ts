import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword } from "./after-keyword.ts";

export const resumeCommand: CommandSpec<"resume"> = {
  kind: "resume",
  usage: "resume",
  help: "ends a pause and reviews the pull request; unpause is the same",
  group: "Reviews",
  who: "writer",
  where: "pull-request",
  parse: (words) => (afterKeyword(words, /^(?:resume|un-?pause)/i) === null ? null : { kind: "resume" }),
};
