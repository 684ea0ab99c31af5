/**
 * The recipe for a mention that takes code or a model: opens the code, checks who may, runs the command, and answers exactly once. A reply is
 * kept before it is posted, so that a crash neither repeats the work nor pays for it again.
 */
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { JobStore } from "../../job-store.ts";
import type { JobOutcome, Recipe } from "../../recipe.ts";
import type { Reply } from "../reply.ts";
import { type MentionAttempt, runMention } from "../run-mention.ts";
import { toConversationCommand } from "./all-conversations.ts";
import type { ConverseDeps } from "./converse-deps.ts";
import { finishConversation, finishRunsOf } from "./finish-conversation.ts";
import { giveUpConversation } from "./give-up-conversation.ts";
import { holdConversation } from "./hold-conversation.ts";
import { parseKeptResult, renderKeptResult } from "./kept-result.ts";
import { openMention } from "./open-mention.ts";
import { skipMention } from "./skip-mention.ts";

export function createConverseRecipe(deps: ConverseDeps): Recipe {
  return {
    run: runMention(deps, (attempt) => converse(attempt, deps)),
    giveUp: (job, why) => giveUpConversation(job, why, deps),
  };
}

async function converse(attempt: MentionAttempt, deps: ConverseDeps): Promise<JobOutcome> {
  const { mention, record, session, context } = attempt;
  const { store } = deps;
  if (record.outcome !== null) {
    await finishRunsOf(context.job, record.outcome, store);
    return { state: "done", reason: record.outcome };
  }
  if (record.requesterClass !== "writer") session.limitWrites();
  const kept = parseKeptResult(record.result);
  if (kept === null || !("reply" in kept)) {
    const reply = await work(attempt, kept?.work ?? null, deps);
    if (typeof reply === "string") return skipMention(reply, attempt, store);
    // A command that has kept its work keeps that: the same reply follows from it.
    await record.keep(renderKeptResult({ reply }));
    reachFaultPoint("after-reply", mention.place.number);
    return post(attempt, reply, store);
  }
  return post(attempt, kept.reply, store);
}

async function work(
  attempt: MentionAttempt,
  kept: string | null,
  deps: ConverseDeps,
): Promise<Reply | `skipped:${string}`> {
  const { mention } = attempt;
  const command = toConversationCommand(mention.command);
  if (command === null) throw new TypeError(`the first job answers ${mention.command.kind}`);
  const opened = await openMention(attempt);
  if (opened.kind === "end") return opened.result;
  const { subject, discussion } = opened;
  return holdConversation({ attempt, command, subject, discussion, kept }, deps);
}

async function post(attempt: MentionAttempt, reply: Reply, store: JobStore): Promise<JobOutcome> {
  const { context } = attempt;
  await context.step("publishing");
  return finishConversation({ answered: attempt, job: context.job }, reply, store);
}
