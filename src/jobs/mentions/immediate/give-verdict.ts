/**
 * `dismiss` and `waive`: a person with write access dismisses a finding or accepts it as it is. The ledger keeps that with their reason,
 * no review overwrites it, and it is feedback to learn from.
 */
import { maskCredentials } from "../../../base/secrets/mask-credentials.ts";
import { cutChars } from "../../../review/publication/render/list-item.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { ANSWER_WORDS } from "../../../review/publication/words.ts";
import { toStorableText } from "../../../store/database.ts";
import { type FindingVerdict, writeVerdict } from "../../../store/repositories/findings.ts";
import type { LedgerEntry } from "../../../store/repositories/stored-findings.ts";
import {
  type ImmediateCommand,
  type ImmediateDeps,
  type ImmediateResult,
  type AskedCommand,
  subjectUrlOf,
} from "./immediate-command.ts";
import { findTarget } from "./find-target.ts";
import { refused, replying } from "./refuse.ts";
import { changeThreads, describeTeaching, settleAfter } from "./settle-after.ts";

/** As much as a summary shows. The comment itself has the rest. */
const MAX_REASON_CHARS = 500;

export const dismissFinding: ImmediateCommand<"dismiss"> = ({ finding, reason }, asked, deps) =>
  giveVerdict({ finding, reason, state: "contested" }, asked, deps);

export const waiveFinding: ImmediateCommand<"waive"> = ({ finding, reason }, asked, deps) =>
  giveVerdict({ finding, reason, state: "waived" }, asked, deps);

type Given = Pick<FindingVerdict, "state" | "reason"> & { readonly finding: number | null };

async function giveVerdict(given: Given, asked: AskedCommand, deps: ImmediateDeps): Promise<ImmediateResult> {
  const target = await findTarget(given.finding, asked, deps);
  if (target.kind === "refused") return target.result;
  const mention = await asked.session.mention();
  const verb = given.state === "contested" ? "dismiss" : "waive";
  if (target.kind === "none")
    return refused(
      "refused:no-finding",
      `Which finding? Reply ${codeSpan(`${mention} ${verb} REASON`)} in its thread, or name its number: ${codeSpan(`${mention} ${verb} ${target.findings[0]?.number ?? 1} REASON`)}.`,
    );
  const { finding } = target;
  const settled = describeSettled(finding);
  if (settled !== null)
    return replying({ body: settled, reaction: "confused", outcome: "answered:already-settled" });
  const { repositoryRef, place, requester } = asked.mention;
  const { repositoryId } = repositoryRef;
  const verdict: FindingVerdict = {
    state: given.state,
    by: requester.login,
    reason: toStorableText(
      cutChars(maskCredentials(given.reason).replaceAll(/\s+/g, " ").trim(), MAX_REASON_CHARS),
    ),
    url: finding.url ?? subjectUrlOf(asked.subject),
    at: deps.store.now(),
  };
  const threadNote = await changeThreads(finding, true, asked);
  return {
    kind: "record",
    async record(sql) {
      const { identity } = finding;
      await writeVerdict({ ...verdict, identity }, { repositoryId, pullRequest: place.number }, sql);
      await settleAfter(asked.mention, deps, sql);
      const body = [
        describeVerdict(finding, verdict, mention),
        describeTeaching(asked),
        ...(threadNote === "" ? [] : [threadNote]),
      ].join("\n\n");
      return { body, reaction: "+1", outcome: `done:${given.state}` };
    },
  };
}

/** Null while a person's word still matters. */
export function describeSettled({ number, state }: LedgerEntry): string | null {
  if (state === "verified") return `Finding ${number} is already settled: a review verified that it's fixed.`;
  return state === "expired"
    ? `Finding ${number} is already settled: its code is no longer part of the change.`
    : null;
}

function describeVerdict(
  { number, title }: LedgerEntry,
  { state, by, reason }: FindingVerdict,
  mention: string,
): string {
  const words = reason === "" ? "no reason given" : neutraliseInline(reason);
  return [
    `Finding ${number} (${neutraliseInline(title)}) is ${ANSWER_WORDS[state]} by ${codeSpan(by)}: ${words}`,
    `It stays listed that way and doesn't count for the check. ${codeSpan(`${mention} reopen ${number}`)} takes this back.`,
  ].join("\n\n");
}
