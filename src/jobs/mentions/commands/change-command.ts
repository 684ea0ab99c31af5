import type { CommandSpec } from "../command-spec.ts";

/** The colon makes it an order: "change it" and "apply the patch" write nothing. */
const CHANGE = /^(?:apply|change)(\s+here)?\s*:/i;

/** "add tests for the parser" says clearly what to write. */
const TESTS =
  /^(?:add|write)\s+(?:(?:some|more|the|missing|unit|regression|integration)\s+)*tests?(?=\s*(?:[.,!]|\n|$)|\s+(?:for|to|that|which|here|please)\b)/i;

export const changeCommand: CommandSpec<"change"> = {
  kind: "change",
  usage: "change [here]: INSTRUCTION",
  help: "makes an edit in a new pull request, or with here on the branch of this one; apply: and add tests are the same",
  group: "Edits",
  who: "writer",
  where: "anywhere",
  parse: ({ line, text }) => {
    if (TESTS.test(text) && !/[?？]$/.test(line)) return { kind: "change", instruction: text, isHere: false };
    const match = CHANGE.exec(line);
    if (match === null) return null;
    const instruction = text.slice(match[0].length).trim();
    return instruction === "" ? null : { kind: "change", instruction, isHere: match[1] !== undefined };
  },
};
