/** Opens the code, claims the run that pays, and runs the command if it is admitted. */
import type { Discussion } from "../../../forge/forge.ts";
import { saveResult } from "../../../store/repositories/mentions.ts";
import { claimRun } from "../../../store/repositories/runs.ts";
import { readStoredFindings } from "../../../store/repositories/stored-findings.ts";
import { recordModelRuns } from "../../../store/repositories/telemetry.ts";
import { gatherConfig, type GatheredConfig } from "../../gathering/gather-config.ts";
import { createDegradations } from "../../gathering/optional.ts";
import { createLazyCodeIndex } from "../../gathering/related-code/lazy-code-index.ts";
import { figureOriginOf, statisticsDays } from "../../run/figure-origin.ts";
import { useOfRun } from "../../run/model-run-figures.ts";
import type { Reply } from "../reply.ts";
import { admitConversation } from "./admit-conversation.ts";
import { type ConversationCommand, runConversation } from "./all-conversations.ts";
import type { Conversation, ConversationSubject, StoredFinding } from "./conversation.ts";
import type { ConverseStepDeps, MentionToAnswer } from "./converse-deps.ts";
import type { CountedModels } from "./counted-models.ts";
import { renderKeptResult } from "./kept-result.ts";
import { openCode, type OpenedCode } from "./open-code.ts";

export type ConversationToHold = MentionToAnswer & {
  readonly command: ConversationCommand;
  readonly subject: ConversationSubject;
  readonly discussion: Discussion;
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
  if (command.kind !== "fix" || command.findings !== "all") return [];
  const fixable = findings.filter(({ suggestion }) => suggestion !== null);
  return [...new Set(fixable.map(({ head }) => head))].slice(-MAX_HEADS);
}

export async function holdConversation(asked: ConversationToHold, deps: ConverseStepDeps): Promise<Reply> {
  const { mention, command } = asked;
  const { repositoryId } = mention.repositoryRef;
  const findings = await readStoredFindings(
    { repositoryId, pullRequest: mention.place.number },
    deps.database,
  );
  const finding = findFinding(asked, findings);
  const code = await openCode(asked.subject, headsOf(command, finding, findings), deps);
  try {
    const config = await gatherConfig(code.change, [], { repository: code.repository, given: null });
    deps.context.keepStatistics(statisticsDays(config.tree.root.values.telemetry));
    const reply = await answer({ ...asked, code, config, findings, finding }, deps);
    return code.missing === null || reply.body === null || command.kind === "fix"
      ? reply
      : { ...reply, body: `${reply.body}\n\n_${code.missing}_` };
  } finally {
    code.repository.close();
  }
}

/** The finding that the command names, or whose thread it is in. */
function findFinding(
  { command, discussion }: ConversationToHold,
  findings: readonly StoredFinding[],
): StoredFinding | null {
  const number =
    command.kind === "explain" ? command.finding : command.kind === "fix" ? command.findings : null;
  const isNamed = typeof number === "number";
  const found = findings.find((each) =>
    isNamed ? each.number === number : each.identity === discussion.findingId,
  );
  return found ?? null;
}

type Opened = ConversationToHold & {
  readonly code: OpenedCode;
  readonly config: GatheredConfig;
  readonly findings: readonly StoredFinding[];
  readonly finding: StoredFinding | null;
};

async function answer(opened: Opened, deps: ConverseStepDeps): Promise<Reply> {
  const { mention, row, kept, command, code, config, discussion, findings, finding } = opened;
  const { context, session, database } = deps;
  const degradations = createDegradations(context.signal);
  const run = await claimMentionRun(opened, deps);
  const admission = await admitConversation({ ...opened, subject: code.subject, run }, deps);
  if (admission.kind === "refused") return admission.reply;
  const { models } = admission.counted;
  const reader = await deps.openReader(context.signal);
  const { repositoryId } = mention.repositoryRef;
  const { repository } = code;
  const codeIndex = createLazyCodeIndex(() => deps.openCodeIndex({ repository, reader, repositoryId }));
  const conversation: Conversation = {
    ...code,
    mention,
    session,
    config,
    discussion,
    finding,
    findings,
    models,
    run,
    codeIndex,
    degradations,
    kept: kept?.work ?? null,
    keep: (work) => saveResult(row, renderKeptResult({ work }), database),
  };
  try {
    return await runConversation(command, conversation, { ...deps, reader });
  } finally {
    codeIndex.close();
    reader.close();
    keepModelFigures(admission.counted, opened, deps);
  }
}

/** Costs are charged to it. It has no head, because it is no review of one. */
function claimMentionRun({ mention, command }: Opened, { context, database, now }: ConverseStepDeps) {
  const { installationId, repositoryId, owner, name } = mention.repositoryRef;
  return claimRun(
    {
      jobId: context.job.id,
      installationId,
      repositoryId,
      repository: `${owner}/${name}`,
      pullRequest: mention.place.number,
      base: "",
      head: "",
      triggers: `mention:${command.kind}`,
      startedAt: now(),
    },
    database,
  );
}

/** Runs in the background; a failure is logged and doesn't affect the answer. */
function keepModelFigures(
  counted: CountedModels,
  { mention, config }: Opened,
  { context, telemetry, now }: ConverseStepDeps,
): void {
  const runs = counted.runs();
  context.countModelUse(runs.map(useOfRun));
  const settings = config.tree.root.values.telemetry;
  const origin = figureOriginOf(mention.repositoryRef, settings, { job: context.job, at: now() });
  if (origin === null || runs.length === 0) return;
  recordModelRuns(
    runs.map((figures) => ({ ...figures, ...origin })),
    telemetry,
  ).catch((error: unknown) => context.log.warn("telemetry failed", { error: String(error) }));
}
