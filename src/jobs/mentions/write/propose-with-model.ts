/** Lets a model edit files in a draft, as a person asked. */
import type { Outcome } from "../../../model/model.ts";
import { stopCode } from "../../../model/stop-code.ts";
import { checkEdits, siftEdits } from "../../../review/edits/check-edits.ts";
import { blockingOf, type EditFinding } from "../../../review/edits/edit-review.ts";
import { leavesOutFile, type ProposedEdit } from "../../../review/edits/edit.ts";
import type { FixLine } from "../../../review/edits/fix-line.ts";
import { buildEditPrompt, type EditTask } from "../../../review/prompt/edit-prompt.ts";
import type { AskedFinding, Surroundings } from "../../../review/prompt/surroundings/surroundings.ts";
import { describeStopInPublic } from "../../../review/publication/compose/describe-stop-reason.ts";
import { neutralise, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { createGuard } from "../../../review/untrusted/create-guard.ts";
import type { Guard } from "../../../review/untrusted/guard.ts";
import { createEditDraft, type DraftSummary, type EditDraft } from "../../../tools/edit-draft.ts";
import type { EditContext } from "../../../tools/edit-tool.ts";
import type { ToolboxWords } from "../../../tools/toolbox.ts";
import { EDIT_TOOLS } from "../../../tools/tools.ts";
import { talkToModel } from "../../conversation/talk-to-model.ts";
import { createCodeView } from "../../gathering/related-code/code-view.ts";
import { createCodeLookup } from "../../gathering/related-code/create-code-lookup.ts";
import type { Conversation, ConversationDeps } from "../converse/conversation.ts";
import { gatherSurroundings } from "../converse/gather-surroundings.ts";
import type { Reply } from "../reply.ts";
import type { EditChecks, Proposal } from "./proposal.ts";
import { refusedWrite } from "./refuse-write.ts";

/** Edits take longer than answers. A person is waiting, but not at the screen. */
const EDIT_TIMEOUT_MS = 900_000;

/** A model that needs more turns is going in circles. */
const MAX_TURNS = 80;

const WORDS: ToolboxWords = {
  work: "change",
  kept: "Nothing is written.",
  hurry:
    "Time is nearly up. If your edits are complete, call finish_edits now. If they aren't, undo them, call finish_edits and say so. Don't start anything new.",
};

const REMINDER = "You stopped without calling finish_edits, so nothing is written yet. Call finish_edits.";

export type EditSituation = {
  readonly conversation: Conversation;
  readonly checks: EditChecks;
  /** Edits to begin with. Left out: none. */
  readonly start?: readonly ProposedEdit[];
};

export async function proposeWithModel(
  task: EditTask,
  { conversation, checks, start = [] }: EditSituation,
  deps: ConversationDeps,
): Promise<Proposal> {
  const { config, models, context } = conversation;
  const { signal } = context;
  const guard = createGuard(models.randomWord());
  const { values } = config.tree.root;
  if ((await models.choice.choose(values)).models.length === 0) return { kind: "none", reply: NO_MODEL };
  await context.step("editing");
  const { prompt, sections } = buildEditPrompt(task, await surroundingsOf(task, conversation, deps), guard);
  conversation.notePrompt(sections);
  const end = await talkToModel<EditContext>(
    {
      prompt,
      tools: EDIT_TOOLS,
      open: editOpener({ conversation, checks, start }, guard),
      config: values,
      timeoutMs: EDIT_TIMEOUT_MS,
      maxTurns: MAX_TURNS,
      remind: ({ draft }) => (draft.summary() === null ? REMINDER : null),
      words: WORDS,
    },
    { models, now: deps.store.now, signal, onEvent: () => {} },
  );
  if (end.kind === "no-model") return { kind: "none", reply: NO_MODEL };
  return toProposal(end.outcome, end.context.draft, task);
}

/** The findings to fix are in the request as a whole. */
async function surroundingsOf(
  task: EditTask,
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<Surroundings> {
  const surroundings = await gatherSurroundings(conversation, deps);
  return task.kind === "fix" ? { ...surroundings, finding: null } : surroundings;
}

/** Each attempt of a model starts with a draft of its own. */
function editOpener(
  { conversation, checks, start }: Required<EditSituation>,
  guard: Guard,
): () => EditContext {
  const { code: opened, subject, session, context } = conversation;
  const { repository, head: commit, change, reader, index } = opened;
  const { signal } = context;
  const head = { commit };
  const view = createCodeView({ repository, revision: head, index });
  const code = createCodeLookup({ repository, view, commit, signal });
  return () => {
    const draft = createEditDraft({ repository, head, policy: checks.policy, start });
    return {
      change,
      repository,
      head,
      base: change.base,
      reader,
      readChecks: subject.kind === "issue" ? null : () => session.checks.read(commit),
      code,
      guard,
      signal,
      draft,
      findProblems: problemFinder(draft, commit, checks),
    };
  };
}

function toProposal(outcome: Outcome, draft: EditDraft, task: EditTask): Proposal {
  const summary = draft.summary();
  const refusals = draft.refusals();
  const isFinished = outcome.kind === "completed" && summary !== null;
  // The answer names refused paths even if the model failed after that.
  if (refusals.length === 0) {
    if (outcome.kind !== "completed") return { kind: "none", reply: failed(outcome.stopReason) };
    if (summary === null) return { kind: "none", reply: UNFINISHED };
    if (draft.edits().length === 0) return { kind: "none", reply: unchanged(summary.description) };
  }
  return {
    kind: "edits",
    // Nothing of unfinished work is written.
    edits: isFinished ? draft.edits() : [],
    title: summary?.title ?? "",
    description: summary?.description ?? "",
    fixes: task.kind === "fix" ? fixesOf(task.findings, summary) : [],
    refusals,
    isByModel: true,
  };
}

/** A finding is fixed unless the model says that it isn't. */
function fixesOf(findings: readonly AskedFinding[], summary: DraftSummary | null): readonly FixLine[] {
  return findings.map(({ number }) => {
    const left = summary?.notDone.find(({ finding }) => finding === number);
    return { number, result: left === undefined ? "model" : { notDone: left.reason } };
  });
}

/** Finds what would keep the edits from being pushed. Edits that other rules refuse anyway aren't reviewed. */
function problemFinder(draft: EditDraft, head: string, { policy, reviewEdits }: EditChecks) {
  let isSentBack = false;
  return async (): Promise<readonly EditFinding[]> => {
    const { edits } = siftEdits(draft.edits(), policy);
    const isRefused = draft.refusals().some((refusal) => !leavesOutFile(refusal));
    if (isSentBack || isRefused || checkEdits(edits, policy).length > 0) return [];
    // The edits are reviewed again before they are kept, so a failure isn't lost.
    const reviewed = await reviewEdits(edits, head).catch(() => null);
    const problems = reviewed?.kind === "reviewed" ? blockingOf(reviewed.review) : [];
    isSentBack = problems.length > 0;
    return problems;
  };
}

const NO_MODEL = refusedWrite(
  "no-model",
  "This edit needs a model, and none is available here. Ask the operator to set one up. Verified suggestions need none: `fix` in the thread of a finding that has one, or `fix all`.",
);

const UNFINISHED: Reply = {
  body: "The model stopped before it finished the edits, so nothing was written. Comment again to retry.",
  reaction: "confused",
  outcome: "failed:unfinished",
};

function failed(stopReason: Parameters<typeof describeStopInPublic>[0]): Reply {
  return {
    body: `The model didn't finish the edits: ${neutraliseInline(describeStopInPublic(stopReason))}. Nothing was written. Comment again to retry.`,
    reaction: "confused",
    outcome: `failed:${stopCode(stopReason)}`,
  };
}

function unchanged(description: string): Reply {
  const words = description === "" ? "" : `\n\n${neutralise(description)}`;
  return {
    body: `The model changed nothing, so nothing was written.${words}`,
    reaction: "confused",
    outcome: "refused:nothing-changed",
  };
}
