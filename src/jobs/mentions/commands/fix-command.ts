import type { CommandOf } from "../command.ts";
import type { CommandSpec, Words } from "../command-spec.ts";
import { afterKeyword, afterVerb, isFiller, isQuestion, takeNumber, takeNumbers } from "./after-keyword.ts";

const FIX = /^fix/i;

/** "fix all", also "fix all of them". Anything else after "all" is an instruction: "fix all the tests". */
const ALL =
  /^all(?:\s+(?:of\s+them|(?:(?:of\s+)?(?:the|your)\s+)?(?:findings|suggestions|issues|comments)))?/i;

/** Edits are pushed to the head branch only where this word follows "fix", "all" or a number directly. */
const HERE = /^here/i;

export const fixCommand: CommandSpec<"fix"> = {
  kind: "fix",
  usage: "fix [here] [NUMBERS | all | INSTRUCTION]",
  help: "fixes the finding or problem of the thread, the findings with these numbers, or all of them, in a new pull request, or with here on the branch of this one",
  group: "Edits",
  who: "writer",
  where: "anywhere",
  parse: (words) => {
    const after = afterVerb(words, FIX);
    if (after === null || isQuestion(words, FIX)) return null;
    const atOnce = afterKeyword(after, HERE);
    const { findings, rest } = takeFindings(atOnce ?? after);
    const isHere = atOnce !== null || (findings !== "thread" && isOnlyHere(rest));
    const isDone = isFiller(rest.text) || (isHere && isOnlyHere(rest));
    return { kind: "fix", findings, instruction: isDone ? "" : rest.text, isHere };
  },
};

function takeFindings(words: Words): {
  readonly findings: CommandOf<"fix">["findings"];
  readonly rest: Words;
} {
  const afterAll = afterKeyword(words, ALL);
  if (afterAll !== null && (isFiller(afterAll.line) || isOnlyHere(afterAll)))
    return { findings: "all", rest: afterAll };
  const listed = takeNumbers(words);
  if (listed !== null) return listed;
  const { finding, rest } = takeNumber(words);
  return { findings: finding ?? "thread", rest };
}

function isOnlyHere(words: Words): boolean {
  const after = afterKeyword(words, HERE);
  return after !== null && isFiller(after.text);
}
