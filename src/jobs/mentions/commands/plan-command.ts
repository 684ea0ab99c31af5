import type { CommandSpec } from "../command-spec.ts";
import { afterVerb } from "./after-keyword.ts";

export const planCommand: CommandSpec<"plan"> = {
  kind: "plan",
  usage: "plan: INSTRUCTION",
  help: "lists the edits that Kodiai would make, and writes nothing",
  group: "Questions",
  who: "anyone",
  where: "anywhere",
  parse: (words) => {
    const after = afterVerb(words, /^plan/i);
    return after === null || after.text === "" ? null : { kind: "plan", instruction: after.text };
  },
};
