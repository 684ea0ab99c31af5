import type { CommandOf } from "../command.ts";
import type { CommandSpec, Words } from "../command-spec.ts";
import { afterKeyword, isFiller, isQuestion, takeNumber } from "./after-keyword.ts";

const DISMISS = /^dismiss/i;

/** "this is a false positive because …", "finding 3 is not a bug". Only after it may a reason follow. */
const WRONG =
  /^(?:(?:(?:this|that|it)(?:\s+(?:one|finding|issue))?|(?:finding\s+)?#?([1-9]\d{0,5}))(?:\s+(?:is|was)|['’]s)?\s+)?(?:an?\s+)?(?:false[\s-]+positive|(?:not|isn['’]t)\s+an?\s+(?:bug|issue|problem))(?=\s*(?:[.,:;!—–(-]|\n|$)|\s+(?:because|since|as)\b)/i;

/** "ignore this", and nothing else: "ignore this directory" is about the code. */
const IGNORE = /^ignore/i;

export const dismissCommand: CommandSpec<"dismiss"> = {
  kind: "dismiss",
  usage: "dismiss [NUMBER] [REASON]",
  help: "marks a finding as wrong or not wanted, with your reason; false positive is the same",
  group: "Findings",
  who: "writer",
  where: "pull-request",
  parse: (words) => {
    if (/[?？]$/.test(words.line) && !DISMISS.test(words.line)) return null;
    const after = afterKeyword(words, DISMISS);
    if (after === null) return parseWrong(words) ?? parseIgnore(words);
    if (isQuestion(words, DISMISS)) return null;
    const { finding, rest } = takeNumber(after);
    return { kind: "dismiss", finding, reason: rest.text };
  },
};

function parseWrong({ text }: Words): CommandOf<"dismiss"> | null {
  const match = WRONG.exec(text);
  if (match === null) return null;
  return { kind: "dismiss", finding: match[1] === undefined ? null : Number(match[1]), reason: text };
}

function parseIgnore(words: Words): CommandOf<"dismiss"> | null {
  const after = afterKeyword(words, IGNORE);
  if (after === null) return null;
  const { finding, rest } = takeNumber(after);
  const isNamed = finding !== null || after.text !== "";
  return isNamed && isFiller(rest.text) ? { kind: "dismiss", finding, reason: "" } : null;
}
