/** `explain`: the facts about a finding, below the answer of a model where there is one. */
import { stopCode } from "../../../model/stop-code.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import {
  composeExplainUsage,
  composeExplanation,
} from "../../../review/publication/compose/compose-explanation.ts";
import { gatherExplanation } from "../gather-explanation.ts";
import { askTheCode, type CodeAnswer, describeFailure } from "./ask-the-code.ts";
import type { Converse } from "./conversation.ts";

/** Larger files aren't code. */
const MAX_FILE_BYTES = 1_000_000;

export const explainFinding: Converse<"explain"> = async ({ question }, conversation, deps) => {
  const { subject, finding, findings, config, code, degradations, session } = conversation;
  const mention = await session.mention();
  if (finding === null || subject.kind === "issue") {
    const body = composeExplainUsage(
      findings.map(({ number }) => number),
      mention,
    );
    return { body, reaction: "confused", outcome: "refused:no-finding" };
  }
  const answer = await askTheCode({ intent: "explain", question }, conversation, deps);
  const facts = await gatherExplanation(finding, {
    pullRequest: subject.pullRequest,
    sql: deps.store.database,
    async readText(path, commit) {
      const read = () => code.repository.readFiles({ commit }, [path], MAX_FILE_BYTES);
      const bytes = (await degradations.optional("evidence", read))?.get(path);
      return bytes === undefined ? null : decodeBytes(bytes);
    },
  });
  const mayFix = config.tree.root.values.write.enabled;
  const body = composeExplanation({ ...facts, answer: answerText(answer), mayFix, mention });
  // The facts are an answer too.
  const outcome = answer.kind === "failed" ? stopCode(answer.stopReason) : "explain";
  return { body, reaction: "+1", outcome: `answered:${outcome}` };
};

function answerText(answer: CodeAnswer): string | null {
  if (answer.kind === "answered") return answer.body;
  return answer.kind === "failed" ? describeFailure(answer.stopReason) : null;
}
