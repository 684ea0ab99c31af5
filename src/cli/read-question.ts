/** Reads the question of a command: its argument, or standard input. */
import { count } from "../base/count.ts";
import type { CliFiles, Command } from "./command.ts";
import { usage } from "./parse-arguments.ts";

export type QuestionLimits = {
  readonly command: Pick<Command, "name">;
  /** A longer question belongs into a file of the repository. */
  readonly maxChars: number;
};

/** `argument` is the question, or "-" for standard input. */
export async function readQuestion(
  argument: string,
  { command, maxChars }: QuestionLimits,
  files: CliFiles,
): Promise<string> {
  let text = argument;
  if (argument === "-") {
    text = "";
    for await (const chunk of files.readInput("-")) {
      text += chunk;
      // Standard input has one character per byte, and a character of the question has up to four.
      if (text.length > maxChars * 4) break;
    }
    text = Buffer.from(text, "latin1").toString("utf8");
  }
  const question = text.trim();
  if (question === "") throw usage(command, "the question is empty");
  if (question.length > maxChars)
    throw usage(command, `the question is longer than ${count(maxChars, "character")}`);
  return question;
}
