/** `reopen`: takes back `dismiss`, `waive` or a resolved thread. The finding counts again, and its thread is open. */
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { ANSWER_WORDS } from "../../../review/publication/words.ts";
import { clearVerdict } from "../../../store/repositories/findings.ts";
import { findTarget } from "./find-target.ts";
import { describeSettled } from "./give-verdict.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { refused, replying } from "./refuse.ts";
import { changeThreads, settleAfter } from "./settle-after.ts";

export const reopenFinding: ImmediateCommand<"reopen"> = async ({ finding: number }, asked, deps) => {
  const target = await findTarget(number, asked, deps);
  if (target.kind === "refused") return target.result;
  const { session, mention } = asked;
  const address = await session.mention();
  if (target.kind === "none")
    return refused(
      "refused:no-finding",
      `Which finding? Reply ${codeSpan(`${address} reopen`)} in its thread, or name its number: ${codeSpan(`${address} reopen ${target.findings[0]?.number ?? 1}`)}.`,
    );
  const { finding } = target;
  const settled = describeSettled(finding);
  if (settled !== null)
    return replying({ body: settled, reaction: "confused", outcome: "answered:already-settled" });
  const threads = await session.reviews.readThreads(mention.place.number);
  const isResolved = threads.some((thread) => thread.findingId === finding.identity && thread.isResolved);
  if (finding.verdict === null && finding.state !== "waived" && !isResolved)
    return replying({
      body: `Finding ${finding.number} is open already.`,
      reaction: "+1",
      outcome: "answered:already-open",
    });
  const threadNote = await changeThreads(finding, false, asked);
  return {
    kind: "record",
    async record(sql) {
      const { requester, place, repositoryRef } = mention;
      const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
      await clearVerdict({ identity: finding.identity, by: requester.login, at: deps.store.now() }, key, sql);
      await settleAfter(mention, deps, sql);
      const { verdict } = finding;
      const before =
        verdict === null ? "" : ` It was ${ANSWER_WORDS[verdict.state]} by ${codeSpan(verdict.by)}.`;
      const body = [
        `Finding ${finding.number} (${neutraliseInline(finding.title)}) is open again and counts for the check.${before}`,
        `What Kodiai learned from that is forgotten. ${codeSpan(`${address} dismiss ${finding.number} REASON`)} settles it again.`,
        ...(threadNote === "" ? [] : [threadNote]),
      ].join("\n\n");
      return { body, reaction: "+1", outcome: "done:reopened" };
    },
  };
};
