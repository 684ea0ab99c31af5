/** `forget l1`: takes back a learning of this repository. */
import { neutraliseInline, codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { readLearning } from "../../../store/repositories/learnings.ts";
import { deleteStoredLearning } from "../../memory/forget-memory.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export const forgetStatedLearning: ImmediateCommand<"forget"> = async (
  { learning: id },
  asked,
  { store },
) => {
  const { repositoryId } = asked.mention.repositoryRef;
  const learning = await readLearning(id, store.database);
  // Numbers are unique on the server, and nothing is said about those of other repositories.
  if (learning === null || learning.repositoryId !== repositoryId)
    return refused(
      "refused:unknown-learning",
      `This repository has no learning l${id}. The answer to \`learn\` names its number.`,
    );
  const mention = await asked.session.mention();
  return {
    kind: "record",
    async record(sql) {
      await deleteStoredLearning(learning, store.now(), sql);
      const body = [
        `Reviews don't take this into account any more (l${id}): ${neutraliseInline(learning.text)}`,
        `${codeSpan(`${mention} learn: TEXT`)} adds a learning.`,
      ].join("\n\n");
      return { body, reaction: "+1", outcome: "done:forgotten" };
    },
  };
};
