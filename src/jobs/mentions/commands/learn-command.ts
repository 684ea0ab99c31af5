import type { CommandSpec } from "../command-spec.ts";

/** The colon makes it an order. */
const LEARN = /^learn\s*:/i;

export const learnCommand: CommandSpec<"learn"> = {
  kind: "learn",
  usage: "learn: TEXT",
  help: "remembers a rule or a fact for later reviews",
  group: "Settings",
  who: "writer",
  where: "anywhere",
  parse: ({ line, text }) => {
    const match = LEARN.exec(line);
    if (match === null) return null;
    const learning = text.slice(match[0].length).trim();
    return learning === "" ? null : { kind: "learn", text: learning };
  },
};
