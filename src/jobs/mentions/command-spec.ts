/** The type of a command's grammar and rights: one file each in `commands`, and one line in all-commands.ts. Pure. */
import type { CommandClass, CommandKind, CommandOf } from "./command.ts";

/** The words after the app's name. */
export type Words = {
  /** The rest of the line, trimmed. */
  readonly line: string;
  /** The line and the rest of the comment below it, trimmed and cut after MAX_WORDS_CHARS. */
  readonly text: string;
};

export type CommandSpec<Kind extends CommandKind> = {
  readonly kind: Kind;
  /** As people write it after the app's name, such as "dismiss [NUMBER] REASON"; null for what isn't listed in the help. */
  readonly usage: string | null;
  /** One line for the help, without a period at the end. */
  readonly help: string;
  readonly who: CommandClass;
  /** Whether it also works on issues. */
  readonly where: "anywhere" | "pull-request";
  /** Null if the words are another command. */
  parse(words: Words): CommandOf<Kind> | null;
};
