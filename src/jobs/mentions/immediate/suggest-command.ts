/** A comment that is no command: one line of help with the command that it may have meant. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { COMMAND_NAMES } from "../commands/unknown-command.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export const suggestCommand: ImmediateCommand<"unknown"> = async ({ word }) => {
  const isName = COMMAND_NAMES.includes(word);
  const hint = isName ? `Did you mean ${codeSpan(`/kodiai ${word}`)}?` : "Kodiai doesn't know this command.";
  return refused("refused:unknown-command", `${hint} \`/kodiai help\` lists the commands.`);
};
