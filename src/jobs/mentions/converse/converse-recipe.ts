/**
 * The recipe for a mention that takes code or a model: opens the code, checks who may, runs the command, and answers exactly once. A reply is
 * kept before it is posted, so that a crash neither repeats the work nor pays for it again.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import { claimMention, saveResult } from "../../../store/repositories/mentions.ts";
import type { JobOutcome, Recipe } from "../../recipe.ts";
import { mentionKeyOf } from "../immediate/immediate-command.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import { runMention } from "../run-mention.ts";
import { toConversationCommand } from "./all-conversations.ts";
import type { ConverseDeps, ConverseStepDeps, MentionToAnswer } from "./converse-deps.ts";
import { finishConversation, finishRunsOf } from "./finish-conversation.ts";
import { giveUpConversation } from "./give-up-conversation.ts";
import { holdConversation } from "./hold-conversation.ts";
import { parseKeptResult, renderKeptResult } from "./kept-result.ts";
import { openMention } from "./open-mention.ts";
import { skipMention } from "./skip-mention.ts";

export function createConverseRecipe(deps: ConverseDeps): Recipe {
  return {
    run: runMention(deps.forge, (mention, step) => converse(mention, { ...deps, ...step })),
    giveUp: (job, why) => giveUpConversation(job, why, deps),
  };
}

async function converse(mention: MentionJob, deps: ConverseStepDeps): Promise<JobOutcome> {
  const { context, database, now } = deps;
  const { requester, command } = mention;
  const claimed = { ...mentionKeyOf(mention), login: requester.login, command: command.kind, at: now() };
  const row = await claimMention(claimed, database);
  if (row.outcome !== null) {
    await finishRunsOf(context.job, row.outcome, deps);
    return { state: "done", reason: row.outcome };
  }
  if (row.requesterClass !== "writer") deps.session.limitWrites();
  const kept = parseKeptResult(row.result);
  if (kept === null || !("reply" in kept)) {
    const reply = await work({ mention, row, kept }, deps);
    if (typeof reply === "string") return skipMention(reply, mention, deps);
    // A command that has kept its work keeps that: the same reply follows from it.
    await saveResult(row, renderKeptResult({ reply }), database);
    reachFaultPoint("after-reply", mention.place.number);
    return post(mention, reply, deps);
  }
  return post(mention, kept.reply, deps);
}

async function work(asked: MentionToAnswer, deps: ConverseStepDeps): Promise<Reply | `skipped:${string}`> {
  const command = toConversationCommand(asked.mention.command);
  if (command === null) throw new TypeError(`the first job answers ${asked.mention.command.kind}`);
  const opened = await openMention(asked.mention, deps);
  return opened.kind === "opened" ? holdConversation({ ...asked, ...opened, command }, deps) : opened.result;
}

async function post(mention: MentionJob, reply: Reply, deps: ConverseStepDeps): Promise<JobOutcome> {
  await deps.context.step("publishing");
  return finishConversation(mention, reply, { ...deps, job: deps.context.job });
}
