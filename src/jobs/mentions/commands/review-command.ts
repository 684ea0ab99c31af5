import type { CommandSpec } from "../command-spec.ts";
import { afterKeyword } from "./after-keyword.ts";

/** Also "do a full review" and "review this again". */
const REVIEW = /^(?:do\s+)?(?:an?\s+)?(full\s+)?review/i;

export const reviewCommand: CommandSpec<"review"> = {
  kind: "review",
  usage: "[full] review",
  help: "reviews what is new in the pull request, or all of it",
  group: "Reviews",
  who: "anyone",
  where: "pull-request",
  parse: (words) =>
    afterKeyword(words, REVIEW) === null
      ? null
      : { kind: "review", isFull: REVIEW.exec(words.line)?.[1] !== undefined },
};
