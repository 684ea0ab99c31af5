/** `explain`: a model explains the finding if one is set up. Otherwise the answer has the facts: its rule, its code and its life. */
import {
  composeExplainUsage,
  composeExplanation,
} from "../../../review/publication/compose/compose-explanation.ts";
import { gatherExplanation } from "../gather-explanation.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { findTarget } from "./find-target.ts";
import { converse, hasModel } from "./hand-over.ts";
import { refused, replying } from "./refuse.ts";

export const explainAtOnce: ImmediateCommand<"explain"> = async (command, asked, deps) => {
  const { finding: number, question } = command;
  const target = await findTarget(number, asked, deps);
  if (target.kind === "refused") return target.result;
  const { subject, session, config } = asked;
  const mention = await session.mention();
  // "explain this function" in the conversation is a question about the code.
  if (target.kind === "none" && question !== "" && (await hasModel(asked, deps)))
    return converse({
      ...asked,
      mention: { ...asked.mention, command: { kind: "ask", question: `Explain ${question}` } },
    });
  if (target.kind === "none" || subject.kind === "issue") {
    const numbers = target.kind === "none" ? target.findings.map((each) => each.number) : [];
    return refused("refused:no-finding", composeExplainUsage(numbers, mention));
  }
  if (await hasModel(asked, deps)) return converse(asked);
  const facts = await gatherExplanation(target.finding, {
    pullRequest: subject.pullRequest,
    sql: deps.store.database,
    async readText(path, commit) {
      const bytes = await session.contents.readFile(path, commit);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
  });
  const body = composeExplanation({
    ...facts,
    answer: null,
    mention,
    mayFix: config.tree.root.values.write.enabled,
  });
  return replying({ body, reaction: "+1", outcome: "answered:explained" });
};
