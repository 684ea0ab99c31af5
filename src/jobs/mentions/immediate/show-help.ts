/** `help`: lists the commands in groups, who may give each, and what is off in this repository. */
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import type { CommandClass, CommandKind } from "../command.ts";
import { COMMAND_GROUPS } from "../command-spec.ts";
import { ALL_COMMANDS } from "../commands/all-commands.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { hasModel } from "./hand-over.ts";
import { replying } from "./refuse.ts";

const PEOPLE: Readonly<Record<CommandClass, string>> = {
  anyone: "",
  contributor: "for people with a merged pull request",
  writer: "for people with write access",
};

const NEED_WRITE_MODE: ReadonlySet<CommandKind> = new Set(["fix", "change"]);
const NEED_MODEL: ReadonlySet<CommandKind> = new Set(["ask", "plan", "change"]);

/** A reaction needs no command, so the list alone wouldn't mention it. */
const TEACH = "React with 👎 to a comment whose finding is wrong. Kodiai learns from it.";

export const showHelp: ImmediateCommand<"help"> = async (_command, asked, deps) => {
  const { mentions, write } = asked.config.tree.root.values;
  const hasNoModel = !(await hasModel(asked, deps));
  const mention = await asked.session.mention();
  const groups = COMMAND_GROUPS.map((name) => {
    const lines = Object.values(ALL_COMMANDS).flatMap(({ kind, usage, help, group, who }) => {
      if (usage === null || group !== name) return [];
      const missing = [
        ...(NEED_WRITE_MODE.has(kind) && !write.enabled ? ["`write.enabled` is false"] : []),
        ...(NEED_MODEL.has(kind) && hasNoModel ? ["no model is set up"] : []),
      ];
      const notes = [
        PEOPLE[mentions.allowEveryone ? who : "writer"],
        missing.length === 0 ? "" : `off here: ${missing.join(", and ")}`,
      ].filter((note) => note !== "");
      const end = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
      return [`- ${codeSpan(`${mention} ${usage}`)}: ${neutraliseInline(help)}${end}`];
    });
    return `**${name}**\n${lines.join("\n")}`;
  });
  const body = [...groups, TEACH].join("\n\n");
  return replying({ body, reaction: "+1", outcome: "answered:help" });
};
