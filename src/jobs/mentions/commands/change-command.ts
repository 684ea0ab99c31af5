import type { CommandSpec } from "../command-spec.ts";

/** The colon makes it an order: "change it" and "apply the patch" write nothing. */
const CHANGE = /^(?:apply|change)(\s+here)?\s*:/i;

export const changeCommand: CommandSpec<"change"> = {
  kind: "change",
  usage: "change [here]: INSTRUCTION",
  help: "makes an edit in a new pull request, or with here on the branch of this one; apply: is the same",
  group: "Edits",
  who: "writer",
  where: "anywhere",
  parse: ({ line, text }) => {
    const match = CHANGE.exec(line);
    if (match === null) return null;
    const instruction = text.slice(match[0].length).trim();
    return instruction === "" ? null : { kind: "change", instruction, isHere: match[1] !== undefined };
  },
};
