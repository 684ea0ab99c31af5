/** Shared code of the two tools about names: takes a name, returns the places where it has a certain role. */
import type { z } from "zod";
import { bareName, findOccurrences, nameSchema, type Role, showOccurrences } from "./occurrences.ts";
import { ONLY_A_DIFF, refuse, quoteBack } from "./resolve-paths.ts";
import type { ReadContext, Tool } from "./tool.ts";

export type NameTool = {
  readonly name: string;
  readonly description: string;
  /** The noun for the places in the answer. */
  readonly what: "use" | "declaration";
  readonly isWanted: (role: Role) => boolean;
};

export function createNameTool({
  name: toolName,
  description,
  what,
  isWanted,
}: NameTool): Tool<ReadContext, z.infer<typeof nameSchema>> {
  return {
    name: toolName,
    description,
    schema: nameSchema,
    isOffered: ({ repository }) => repository !== null,
    async execute({ name: given }, context) {
      if (context.repository === null) return ONLY_A_DIFF;
      const name = bareName(given);
      if (name === null) return refuse(`${quoteBack(given)} isn't a name. Use search_code for other text.`);
      const occurrences = await findOccurrences(name, context.repository, context);
      return showOccurrences(occurrences, ({ role }) => isWanted(role), context.repository, {
        ...context,
        what,
      });
    },
  };
}
