/** `summary`: what a change does, by a model, or without one from the diff and the ledger. */
import { analyseChange } from "../../../review/analysis/analyse-change.ts";
import { composeChangeSummary } from "../../../review/publication/compose/compose-change-summary.ts";
import { gatherAttributes } from "../../gathering/gather-attributes.ts";
import { askTheCode, describeFailure, replyOf } from "./ask-the-code.ts";
import type { Conversation, Converse } from "./conversation.ts";

export const summariseChange: Converse<"summary"> = async (_command, conversation, deps) => {
  const answer = await askTheCode({ intent: "summary", question: "" }, conversation, deps);
  if (answer.kind === "answered") return replyOf("summary", answer);
  const facts = await summariseFacts(conversation);
  const body = answer.kind === "failed" ? `${describeFailure(answer.stopReason)}\n\n${facts}` : facts;
  return { body, reaction: "+1", outcome: "answered:summary" };
};

async function summariseFacts({ code, config, degradations, findings }: Conversation): Promise<string> {
  const { change, repository } = code;
  const analysis = analyseChange(change, {
    config: config.tree,
    attributes: await gatherAttributes(change, repository, degradations),
    // Only the review's time and tone depend on these.
    author: { association: "NONE", mergedPullRequests: null },
    isDependencyBump: false,
    isExplicit: true,
    isReadBefore: () => false,
    tags: "none",
  });
  return composeChangeSummary({ change, analysis, findings });
}
