import type { CommandSpec } from "../command-spec.ts";
import { afterVerb, isQuestion } from "./after-keyword.ts";

const PAUSE = /^pause/i;

export const pauseCommand: CommandSpec<"pause"> = {
  kind: "pause",
  usage: "pause",
  help: "stops automatic reviews of this pull request",
  group: "Reviews",
  who: "writer",
  where: "pull-request",
  parse: (words) => (afterVerb(words, PAUSE) === null || isQuestion(words, PAUSE) ? null : { kind: "pause" }),
};
