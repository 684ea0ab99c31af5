/** The type of a command's grammar and rights: one file each in `commands`, and one line in all-commands.ts. Pure. */
import type { CommandClass, CommandKind, CommandOf } from "./command.ts";

/** The words after the app's name. */
export type Words = {
  /** The rest of the line, trimmed. */
  readonly line: string;
  /** The line and the rest of the comment below it, trimmed and cut after MAX_WORDS_CHARS. */
  readonly text: string;
};

/** In the order of the help, the commonest first. */
export const COMMAND_GROUPS = ["Reviews", "Findings", "Questions", "Edits", "Settings"] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export type CommandSpec<Kind extends CommandKind> = {
  readonly kind: Kind;
  /** As people write it after the app's name, such as "dismiss [NUMBER] REASON"; null for what isn't listed in the help. */
  readonly usage: string | null;
  /** One line for the help, without a period at the end. */
  readonly help: string;
  /** Where the help lists it; null like `usage`. */
  readonly group: CommandGroup | null;
  readonly who: CommandClass;
  /** Whether it also works on issues. */
  readonly where: "anywhere" | "pull-request";
  /** Null if the words are another command. */
  parse(words: Words): CommandOf<Kind> | null;
};
