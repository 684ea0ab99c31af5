import { nearest } from "../../../base/nearest.ts";
import type { CommandKind, CommandOf } from "../command.ts";
import type { CommandSpec, Words } from "../command-spec.ts";

/** As people write them, with a colon where it is required. */
const NAMES = {
  review: ["review", "full review", "re-review"],
  summary: ["summary", "summarize"],
  explain: ["explain"],
  ask: ["ask"],
  plan: ["plan"],
  fix: ["fix", "fix all"],
  change: ["apply:", "change:"],
  dismiss: ["dismiss"],
  waive: ["waive"],
  reopen: ["reopen"],
  learn: ["learn"],
  forget: ["forget"],
  pause: ["pause"],
  resume: ["resume", "unpause"],
  resolve: ["resolve"],
  configuration: ["configuration"],
  help: ["help"],
} as const satisfies Record<Exclude<CommandKind, "unknown" | "thanks">, readonly string[]>;

export const COMMAND_NAMES: readonly string[] = Object.values(NAMES).flat();

/** The answer quotes it in one line. */
const MAX_WORD_CHARS = 60;

/** Takes all words that no other command takes, so it comes last. */
export const unknownCommand = {
  kind: "unknown",
  usage: null,
  help: "",
  group: null,
  who: "anyone",
  where: "anywhere",
  parse: ({ line }: Words): CommandOf<"unknown"> => {
    const said = line.slice(0, MAX_WORD_CHARS).toWellFormed().trim();
    return { kind: "unknown", word: nearestCommand(said) ?? said };
  },
} as const satisfies CommandSpec<"unknown">;

/** The command that a typo or its first word was meant to be. It starts with the same letter: "false" isn't "pause". */
export function nearestCommand(said: string): string | null {
  const first = /^[^\s,.!?]*/.exec(said)?.[0] ?? "";
  const names = COMMAND_NAMES.filter((name) => name[0] === said[0]?.toLowerCase());
  return nearest(said, names) ?? nearest(first, names);
}
