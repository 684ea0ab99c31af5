/**
 * `fix`: applies the verified suggestions of findings, lets a model fix the others, and opens a pull request or pushes to the head branch. In a
 * thread without a finding, a model fixes the problem that the thread describes.
 */
import { LIFE_STATES } from "../../../review/context/life-states.ts";
import { describeFix, describeLeftOutFix } from "../../../review/edits/edit-report.ts";
import type { FixLine } from "../../../review/edits/fix-line.ts";
import type { CommandOf } from "../command.ts";
import type { Conversation, ConversationDeps, Converse, StoredFinding } from "../converse/conversation.ts";
import { toAskedFinding } from "../converse/gather-surroundings.ts";
import { deliverEdits } from "./deliver-edits.ts";
import type { Proposal, Propose } from "./proposal.ts";
import { applySuggestionsOf, titleOfFixes } from "./propose-suggestions.ts";
import { type EditSituation, proposeWithModel } from "./propose-with-model.ts";
import { refusedWrite } from "./refuse-write.ts";

export const fixFindings: Converse<"fix"> = (command, conversation, deps) =>
  deliverEdits(
    { isHere: command.isHere, words: wordsOf(command, conversation) },
    proposer(command, conversation, deps),
    { conversation, deps },
  );

function wordsOf({ findings, instruction }: CommandOf<"fix">, { finding, discussion }: Conversation): string {
  const named = typeof findings === "number" ? [findings] : findings;
  const what =
    named === "all"
      ? "fix all findings"
      : named !== "thread"
        ? `fix ${named.length === 1 ? "finding" : "findings"} ${named.join(", ")}`
        : finding !== null
          ? `fix finding ${finding.number}`
          : discussion.lines === null
            ? "fix"
            : "fix the problem of this thread";
  return instruction === "" ? what : `${what}: ${instruction}`;
}

function proposer(
  { findings: named, instruction }: CommandOf<"fix">,
  conversation: Conversation,
  deps: ConversationDeps,
): Propose {
  const { finding, findings, discussion } = conversation;
  const propose = (wanted: readonly number[]): Propose => {
    const chosen = findings.filter(({ number }) => wanted.includes(number));
    const unknown = wanted.filter((number) => !chosen.some((each) => each.number === number));
    return (checks) => proposeFixes({ chosen, unknown, instruction }, { conversation, checks }, deps);
  };
  if (named === "all") return propose(findings.filter(isOpen).map(({ number }) => number));
  if (typeof named === "number") return propose([named]);
  if (named !== "thread") return propose(named);
  if (finding !== null) return propose([finding.number]);
  const isThread = discussion.lines !== null && discussion.comments.length > 0;
  if (isThread)
    return (checks) => proposeWithModel({ kind: "thread", instruction }, { conversation, checks }, deps);
  if (instruction === "")
    return () =>
      none(
        "no-finding",
        "There is no finding here to fix. Write `fix` in a thread, `fix` with the numbers of findings, `fix all`, or `change: …` with what to do.",
      );
  return (checks) => proposeWithModel({ kind: "change", instruction }, { conversation, checks }, deps);
}

function isOpen({ state }: Pick<StoredFinding, "state">): boolean {
  return state === "open" || state === "addressed";
}

type WantedFixes = {
  readonly chosen: readonly StoredFinding[];
  /** Numbers without a finding. */
  readonly unknown: readonly number[];
  readonly instruction: string;
};

/** With words of the person, suggestions alone aren't what was asked for. */
async function proposeFixes(
  { chosen, unknown, instruction }: WantedFixes,
  at: EditSituation,
  deps: ConversationDeps,
): Promise<Proposal> {
  const { code, continued } = at.conversation;
  const isFixed = ({ number }: StoredFinding): boolean =>
    instruction === "" && continued?.fixed.includes(number) === true;
  const open = chosen.filter((finding) => isOpen(finding) && !isFixed(finding));
  const known: readonly FixLine[] = [
    ...unknown.map((number) => notDone(number, "this pull request has no such finding")),
    ...chosen.flatMap((finding) =>
      open.includes(finding) ? [] : [lineOfSettled(finding, isFixed(finding))],
    ),
  ];
  if (open.length === 0) return nothingToFix(known, unknown.length > 0);
  const suggested = instruction === "" ? open.filter(({ suggestion }) => suggestion !== null) : [];
  const { edits, applied, leftOut } = await applySuggestionsOf(suggested, code);
  const rest = open.filter(({ number }) => !applied.includes(number));
  const lines = (ofRest: readonly FixLine[]): readonly FixLine[] =>
    [...known, ...applied.map((number) => ({ number, result: "suggestion" }) as const), ...ofRest].toSorted(
      (one, other) => one.number - other.number,
    );
  const task = { kind: "fix", findings: rest.map(toAskedFinding), instruction, applied } as const;
  const byModel = rest.length === 0 ? null : await proposeWithModel(task, { ...at, start: edits }, deps);
  // The suggestions are right without the rest.
  if (byModel !== null && (applied.length === 0 || (byModel.kind === "edits" && byModel.edits.length > 0)))
    return byModel.kind === "edits" ? { ...byModel, fixes: lines(byModel.fixes) } : byModel;
  const hasNoModel = byModel?.kind === "none" && byModel.reply.outcome === "refused:no-model";
  const failed = hasNoModel ? "it needs a model, and none is available" : "the model didn't finish it";
  const ofRest = rest.map(({ number }) => {
    const left = leftOut.find((each) => each.number === number);
    return notDone(number, left === undefined ? failed : `${describeLeftOutFix(left)}, and ${failed}`);
  });
  const title = titleOfFixes(applied);
  return {
    kind: "edits",
    edits,
    title,
    description: "",
    fixes: lines(ofRest),
    refusals: [],
    isByModel: false,
  };
}

function lineOfSettled({ number, state }: StoredFinding, isFixed: boolean): FixLine {
  if (isFixed) return { number, result: "already" };
  return notDone(number, `it is ${LIFE_STATES.find((each) => each === state) ?? "over"}`);
}

function notDone(number: number, why: string): FixLine {
  return { number, result: { notDone: why } };
}

function nothingToFix(lines: readonly FixLine[], hasUnknown: boolean): Promise<Proposal> {
  if (lines.length === 0)
    return none("no-finding", "This pull request has no open finding, so there is nothing to fix.");
  const hasFixed = lines.some(({ result }) => result === "already");
  const more = hasFixed ? "\n\nTo change how, say it: `fix`, the number, and what should be different." : "";
  const reason = hasUnknown ? "unknown-finding" : hasFixed ? "already-fixed" : "not-open";
  return none(reason, `Nothing was changed:\n\n${lines.map(describeFix).join("\n")}${more}`);
}

async function none(reason: string, body: string): Promise<Proposal> {
  return { kind: "none", reply: refusedWrite(reason, body) };
}
