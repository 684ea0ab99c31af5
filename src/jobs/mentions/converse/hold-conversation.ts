/** Opens the code, claims the run that pays, and runs the command if it is admitted. */
import type { Discussion } from "../../../forge/forge.ts";
import type { PromptSection } from "../../../review/prompt/prompt.ts";
import { readStoredFindings } from "../../../store/repositories/stored-findings.ts";
import { readReviewedRuns } from "../../../store/repositories/run-readings.ts";
import { gatherOrganizationConfig } from "../../gathering/gather-organization-config.ts";
import { gatherConfig, type GatheredConfig } from "../../gathering/gather-config.ts";
import { createDegradations } from "../../gathering/optional.ts";
import { createLazyCodeIndex } from "../../gathering/related-code/lazy-code-index.ts";
import { statisticsDays } from "../../run/figure-origin.ts";
import { startRun } from "../../run/run-record.ts";
import type { RowStore } from "../../job-store.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";
import { admitConversation } from "./admit-conversation.ts";
import { type ConversationCommand, runConversation } from "./all-conversations.ts";
import type { Conversation, ConversationSubject, OwnProposal, StoredFinding } from "./conversation.ts";
import type { ConverseDeps } from "./converse-deps.ts";
import { keepModelFigures } from "./counted-models.ts";
import type { CommandOf } from "../command.ts";
import { continueProposal, readOwnProposals } from "../write/find-own-proposal.ts";
import { renderKeptResult } from "./kept-result.ts";
import { openCode, type OpenedCode } from "./open-code.ts";

export type ConversationToHold = {
  readonly attempt: MentionAttempt;
  readonly command: ConversationCommand;
  readonly subject: ConversationSubject;
  readonly discussion: Discussion;
  /** The work that an earlier attempt kept, as JSON; null for none. */
  readonly kept: string | null;
};

/** Most pull requests have fewer heads. Each that is missing costs a fetch. */
const MAX_HEADS = 20;

/** The heads whose lines the command reads: those of its finding, or of all with a suggestion. */
function headsOf(
  command: ConversationCommand,
  finding: StoredFinding | null,
  findings: readonly StoredFinding[],
): readonly string[] {
  if (finding !== null) return [finding.head];
  if (command.kind !== "fix" || command.findings === "thread") return [];
  const fixable = findings.filter(({ suggestion }) => suggestion !== null);
  return [...new Set(fixable.map(({ head }) => head))].slice(-MAX_HEADS);
}

export async function holdConversation(asked: ConversationToHold, deps: ConverseDeps): Promise<Reply> {
  const { attempt, command } = asked;
  const { repositoryRef, place } = attempt.mention;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
  const findings = await readStoredFindings(key, deps.store.database);
  const finding = findFinding(asked, findings);
  const reviewed = await readReviewedRuns(key, 1, deps.store.database);
  const wanted = command.kind === "fix" && !command.isHere ? wantedBy(command, finding, findings) : [];
  const proposals = wanted.length === 0 ? [] : await readOwnProposals(attempt, deps.store.database);
  const heads = [
    ...headsOf(command, finding, findings),
    ...reviewed.map(({ head }) => head),
    ...proposals.map(({ head }) => head),
  ];
  const openedHere = await openCode(asked.subject, heads, attempt, deps.repositories);
  try {
    const proposal = await continueProposal(proposals, wanted, openedHere);
    const opened = proposal?.code ?? openedHere;
    const continued = proposal?.continued ?? null;
    const { repository, change } = opened;
    const { contents } = attempt.session;
    const { subject } = asked;
    const { isPrivate } =
      subject.kind === "pull-request" ? subject.pullRequest : await contents.readRepository();
    const organization = await gatherOrganizationConfig(contents, isPrivate);
    const config = await gatherConfig(change, [], { repository, given: null, organization });
    attempt.context.keepStatistics(statisticsDays(config.tree.root.values.telemetry));
    const reply = await answer(asked, { opened, config, findings, finding, continued }, deps);
    return opened.missing === null || reply.body === null || command.kind === "fix"
      ? reply
      : { ...reply, body: `${reply.body}\n\n_${opened.missing}_` };
  } finally {
    openedHere.repository.close();
  }
}

/** The finding that the command names, or whose thread it is in. */
function findFinding(
  { command, discussion }: ConversationToHold,
  findings: readonly StoredFinding[],
): StoredFinding | null {
  const number =
    command.kind === "explain" ? command.finding : command.kind === "fix" ? command.findings : null;
  // Several findings aren't the one under discussion.
  if (number === "all" || Array.isArray(number)) return null;
  const isNamed = typeof number === "number";
  const found = findings.find((each) =>
    isNamed ? each.number === number : each.identity === discussion.findingId,
  );
  return found ?? null;
}

/** The numbers of the findings that a `fix` is about. */
function wantedBy(
  { findings: named }: CommandOf<"fix">,
  finding: StoredFinding | null,
  findings: readonly StoredFinding[],
): readonly number[] {
  if (named === "all") return findings.map(({ number }) => number);
  if (named === "thread") return finding === null ? [] : [finding.number];
  return typeof named === "number" ? [named] : named;
}

/** The code, the policy and the findings that the answer needs. */
type Gathered = {
  readonly opened: OpenedCode;
  readonly config: GatheredConfig;
  readonly findings: readonly StoredFinding[];
  readonly finding: StoredFinding | null;
  readonly continued: OwnProposal | null;
};

async function answer(
  { attempt, command, subject: askedOn, discussion, kept }: ConversationToHold,
  { opened, config, findings, finding, continued }: Gathered,
  deps: ConverseDeps,
): Promise<Reply> {
  const { mention, record, session, context } = attempt;
  const { subject, repository, head, change } = opened;
  const run = await startMentionRun(attempt, command, deps.store);
  const admission = await admitConversation({ attempt, command, subject: askedOn, config, run }, deps);
  if (admission.kind === "refused") return admission.reply;
  const reader = await deps.code.openReader(context.signal);
  const { repositoryRef } = mention;
  const { repositoryId } = repositoryRef;
  const index = createLazyCodeIndex(() => deps.code.openCodeIndex({ repository, reader, repositoryId }));
  const sections: PromptSection[] = [];
  const conversation: Conversation = {
    mention,
    session,
    context,
    subject,
    discussion,
    code: { repository, head, change, reader, index },
    config,
    finding,
    findings,
    continued,
    models: admission.counted.models,
    degradations: createDegradations(context.signal),
    notePrompt: (shown) => void sections.push(...shown),
    kept,
    keep: (work) => record.keep(renderKeptResult({ work })),
  };
  try {
    return await runConversation(command, conversation, deps);
  } finally {
    index.close();
    reader.close();
    const degradations = conversation.degradations.list();
    const figures = { counted: admission.counted, sections, degradations };
    keepModelFigures(figures, { repositoryRef, context }, config.tree.root.values, deps.store);
  }
}

/** Costs are charged to it. It has no head, because it is no review of one. */
function startMentionRun(
  { mention, context }: MentionAttempt,
  command: ConversationCommand,
  store: RowStore,
) {
  const { repositoryRef, place } = mention;
  const start = { jobId: context.job.id, repositoryRef, pullRequest: place.number, base: "", head: "" };
  return startRun({ ...start, triggers: `mention:${command.kind}` }, store);
}
