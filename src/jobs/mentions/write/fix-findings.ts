/** `fix`: applies the verified suggestion of a finding, or lets a model fix it, and opens a pull request or pushes to the head branch. */
import { describeLeftOutFixes } from "../../../review/edits/edit-report.ts";
import type { CommandOf } from "../command.ts";
import type { Conversation, ConversationDeps, Converse, StoredFinding } from "../converse/conversation.ts";
import { deliverEdits } from "./deliver-edits.ts";
import type { Proposal, Propose } from "./proposal.ts";
import { applySuggestionsOf, proposeFixes } from "./propose-suggestions.ts";
import { proposeWithModel } from "./propose-with-model.ts";
import { refusedWrite } from "./refuse-write.ts";

export const fixFindings: Converse<"fix"> = (command, conversation, deps) =>
  deliverEdits(
    { isHere: command.isHere, words: wordsOf(command, conversation) },
    proposer(command, conversation, deps),
    {
      conversation,
      deps,
    },
  );

function wordsOf({ findings, instruction }: CommandOf<"fix">, { finding }: Conversation): string {
  const what =
    findings === "all"
      ? "fix all findings that have a verified suggestion"
      : finding === null
        ? "fix"
        : `fix finding ${finding.number}`;
  return instruction === "" ? what : `${what}: ${instruction}`;
}

function proposer(
  { findings, instruction }: CommandOf<"fix">,
  conversation: Conversation,
  deps: ConversationDeps,
): Propose {
  const { finding } = conversation;
  if (findings === "all") return () => proposeAll(conversation);
  if (finding !== null)
    return (checks) => proposeOne({ finding, instruction }, { conversation, checks }, deps);
  if (findings !== "thread")
    return () => none("unknown-finding", `There is no finding ${findings} on this pull request.`);
  if (instruction === "")
    return () =>
      none(
        "no-finding",
        "There is no finding here to fix. Write `fix` in the thread of a finding, `fix` with its number, `fix all`, or `change: …` with what to do.",
      );
  return (checks) => proposeWithModel({ kind: "change", instruction }, { conversation, checks }, deps);
}

async function proposeAll(conversation: Conversation): Promise<Proposal> {
  const suggested = conversation.findings.filter(({ suggestion }) => suggestion !== null);
  const fixes = await applySuggestionsOf(suggested, conversation.code);
  if (fixes.applied.length > 0) return proposeFixes(fixes);
  const why = describeLeftOutFixes(fixes.leftOut).join("\n");
  const advice = "Write `fix` with the number of a finding to let a model fix it.";
  return none(
    "no-suggestion",
    `No open finding has a verified suggestion that still applies, so nothing was changed. ${advice}${why === "" ? "" : `\n\n${why}`}`,
  );
}

/** With words of the person, the suggestion alone isn't what was asked for. */
async function proposeOne(
  { finding, instruction }: { readonly finding: StoredFinding; readonly instruction: string },
  at: Parameters<typeof proposeWithModel>[1],
  deps: ConversationDeps,
): Promise<Proposal> {
  const { state, number } = finding;
  if (state !== "open" && state !== "addressed")
    return none("not-open", `Finding ${number} is ${state}, so there is nothing to fix.`);
  if (instruction === "" && finding.suggestion !== null) {
    const fixes = await applySuggestionsOf([finding], at.conversation.code);
    if (fixes.applied.length > 0) return proposeFixes(fixes);
  }
  return proposeWithModel({ kind: "fix", instruction }, at, deps);
}

async function none(reason: string, body: string): Promise<Proposal> {
  return { kind: "none", reply: refusedWrite(reason, body) };
}
