/** A comment that is no command: one line of help with the command that it may have meant. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { COMMAND_NAMES } from "../commands/unknown-command.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export const suggestCommand: ImmediateCommand<"unknown"> = async ({ word }, { session }) => {
  const mention = await session.mention();
  const isName = COMMAND_NAMES.includes(word);
  const hint = isName
    ? `Did you mean ${codeSpan(`${mention} ${word}`)}?`
    : "Kodiai doesn't know this command.";
  return refused("refused:unknown-command", `${hint} ${codeSpan(`${mention} help`)} lists the commands.`);
};
