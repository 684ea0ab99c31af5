import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword } from "./after-keyword.ts";

export const resumeCommand: CommandSpec<"resume"> = {
  kind: "resume",
  usage: "resume",
  help: "ends a pause and reviews the pull request",
  group: "Reviews",
  who: "writer",
  where: "pull-request",
  parse: (words) => (afterKeyword(words, /^resume/i) === null ? null : { kind: "resume" }),
};
