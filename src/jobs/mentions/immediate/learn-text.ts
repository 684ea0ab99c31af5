/** `learn …`: adds a learning that reviews of the repository take into account, and shows it back. */
import { count } from "../../../base/count.ts";
import { MAX_LEARNING_CHARS } from "../../../config/learnings-file.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { putLearning } from "../../../store/repositories/learnings.ts";
import { registerRepository } from "../../memory/register-repository.ts";
import { cleanLearningText, statedLearning } from "../../memory/stated-learning.ts";
import { type ImmediateCommand, subjectUrlOf } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export const learnText: ImmediateCommand<"learn"> = async ({ text: given }, asked, { store }) => {
  const { mention, subject, config, session } = asked;
  const { memory } = config.tree.root.values;
  if (!memory.enabled)
    return refused("refused:memory-off", "Kodiai remembers nothing here: `memory.enabled` is `false`.");
  const { text } = cleanLearningText(given);
  if (text.length > MAX_LEARNING_CHARS)
    return refused(
      "refused:too-long",
      `A learning has at most ${count(MAX_LEARNING_CHARS, "character")}; this one has ${count(text.length, "character")}.`,
    );
  const { requester, repositoryRef } = mention;
  const address = await session.mention();
  const { isPrivate } =
    subject.kind === "issue" ? await session.contents.readRepository() : subject.pullRequest;
  const learning = {
    ...statedLearning(text),
    repositoryId: repositoryRef.repositoryId,
    provenance: subjectUrlOf(subject),
    createdBy: requester.login,
    at: store.now(),
  };
  return {
    kind: "record",
    async record(sql) {
      await registerRepository({ repositoryRef, isPrivate }, memory, learning.at, sql);
      const id = await putLearning(learning, sql);
      const body = [
        `Reviews take this into account from now on (l${id}): ${neutraliseInline(text)}`,
        `${codeSpan(`${address} forget l${id}`)} takes this back.`,
      ].join("\n\n");
      return { body, reaction: "+1", outcome: "done:learned" };
    },
  };
};
