import type { CommandOf } from "../command.ts";
import type { CommandSpec, Words } from "../command-spec.ts";
import { afterKeyword, afterVerb } from "./after-keyword.ts";

/** Also "do a full review", "can you review this again?" and "re-review". A request to review reviews. */
const REVIEW =
  /^(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)?(?:(?:do|run|perform|start|trigger|request)\s+)?(?:(?:an?|another|the)\s+)?(?:(?:new|fresh|quick|code|thorough)\s+)*((?:full|complete)\s+)?(?:code\s+)?(?:re-?\s?)?review/i;

/** "review full" and "review in full" read everything, like "full review". */
const EVERYTHING = /^(?:in\s+full|full|everything|all|from\s+scratch)(?![\w'’-])/i;

/** These make it the name of a thing: "review comments are outdated" asks for nothing. */
const NOUN = /^(?:comments?|findings?|results?|threads?|guidelines|limits?)(?![\w'’-])/i;

/** The whole request, because "take a look at the parser" is about something else. */
const LOOK =
  /^(?:(?:can|could|would)\s+you\s+(?:please\s+)?)?(?:(?:take|have)\s+(?:a|another)\s+(?:quick\s+|fresh\s+)?look|look\s+again|try\s+again)(?:\s+at\s+(?:this(?:\s+(?:pr|one|pull\s+request))?|it|the\s+(?:latest\s+|new\s+)?changes|the\s+(?:pr|pull\s+request)))?(?:\s+again)?(?:,?\s*(?:now|please))*\s*[.!?]*$/i;

export const reviewCommand: CommandSpec<"review"> = {
  kind: "review",
  usage: "review [full]",
  help: "reviews what is new in the pull request, or all of it",
  group: "Reviews",
  who: "anyone",
  where: "pull-request",
  parse: (words) => (LOOK.test(words.text) ? { kind: "review", isFull: false } : parseReview(words)),
};

function parseReview(words: Words): CommandOf<"review"> | null {
  const after = afterKeyword(words, REVIEW);
  if (after === null || afterVerb(words, REVIEW) === null || NOUN.test(after.line)) return null;
  const isFull = REVIEW.exec(words.line)?.[1] !== undefined || EVERYTHING.test(after.line);
  return { kind: "review", isFull };
}
