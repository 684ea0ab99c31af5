/**
 * Attends to a mention: acknowledges it, checks who may give the command, answers what takes no time, and hands the rest over to another
 * job. Each mention gets one answer or starts one job, no matter how often this runs: the reply is kept in the same transaction as
 * everything that the command changes, and a hand-over in the same transaction as the new job.
 */
import { KodiaiError, messageOf } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { JobOutcome } from "../../recipe.ts";
import { statisticsDays } from "../../run/figure-origin.ts";
import type { CommandClass } from "../command.ts";
import { ALL_COMMANDS } from "../commands/all-commands.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";
import { answerMention } from "./answer-mention.ts";
import type { ImmediateDeps, ImmediateResult } from "./immediate-command.ts";
import { findClass } from "./find-class.ts";
import { parseKeptReply, renderKeptReply } from "./kept-reply.ts";
import { readSubject } from "./read-subject.ts";
import { refuseByRights, replying } from "./refuse.ts";
import { findTurnLimit, HOUR_MS } from "../turn-limits.ts";
import { runImmediateCommand } from "./all-immediate-commands.ts";
import { waitForEarlier } from "./wait-for-earlier.ts";

export async function attendMention(attempt: MentionAttempt, deps: ImmediateDeps): Promise<JobOutcome> {
  const { mention, record, session, context } = attempt;
  const { command, place } = mention;
  const { store } = deps;
  if (record.outcome !== null) return ended(record.outcome);
  const kept = parseKeptReply(record.result);
  if (kept !== null) {
    if (record.requesterClass !== "writer") session.limitWrites();
    return answerMention(attempt, kept, store);
  }
  // The class is recorded with a kept reply, or with a hand-over.
  if (record.requesterClass !== null) return ended(HANDED_OVER);

  const waiting = await waitForEarlier(attempt, store);
  if (waiting !== null) return waiting;

  await context.step("reading the comment");
  const { who } = ALL_COMMANDS[command.kind];
  const found = await orNullIfGone(() => findClass(mention, who, session.people, store));
  if (found === null) return end("skipped:not-found", attempt);
  if (found !== "writer") session.limitWrites();
  if (found !== "writer" && (await isMuted(attempt, store.now()))) return ended(await record.mute());
  const read = await orNullIfGone(() => readSubject(mention, session));
  if (read === null) return end("skipped:not-found", attempt);
  const { subject, config } = read;
  const { mentions: settings, telemetry, bots } = config.tree.root.values;
  context.keepStatistics(statisticsDays(telemetry));
  if (!settings.enabled) return end("skipped:mentions-off", attempt);
  if (mention.requester.isBot && !bots.allow.some((login) => isSameLogin(login, mention.requester.login)))
    return end("skipped:bot", attempt);
  if (
    mention.isUnaddressed === true &&
    !(found === "writer" && settings.threads && (await isInOwnThread(attempt)))
  )
    return end("skipped:not-mentioned", attempt);
  if (!(await acknowledgeMention(attempt))) return end("skipped:comment-deleted", attempt);
  reachFaultPoint("after-acknowledgement", place.number);

  const asked = { mention, session, subject, config, isWriter: found === "writer" };
  const result = refuseByRights(asked, found) ?? (await runImmediateCommand(command, asked, deps));
  const standing = { found, maxTurns: settings.maxTurns };
  if (result.kind === "hand-over" && !(await isOverLimit(result, attempt, standing, store)))
    return handOver(result, attempt, found, store);
  const answer = result.kind === "hand-over" ? replying(SILENCE) : result;
  const reply = await keepReply(answer, attempt, standing, store);
  if (typeof reply === "string") return ended(reply);
  store.queue.wake();
  return answerMention(attempt, reply, store);
}

function isSameLogin(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The thread is about a finding, so Kodiai started it. */
async function isInOwnThread({ mention, session }: MentionAttempt): Promise<boolean> {
  const discussion = await session.comments.readDiscussion(mention.place, 0);
  return discussion !== null && discussion.findingId !== null;
}

/** The reason of a job that another job continues. */
const HANDED_OVER = "handed-over";

function ended(reason: string): JobOutcome {
  return { state: reason.startsWith("skipped:") ? "skipped" : "done", reason };
}

/** Fewer would mute people who try to find the right command; each costs three writes. */
const MAX_REFUSED_PER_HOUR = 3;

/** A person who waits for so many answers has asked enough. */
const MAX_OPEN = 10;

/** Nothing more is written for a person who was refused so often within the hour, or waits for so many answers, not even a reaction. */
async function isMuted({ record }: MentionAttempt, nowMs: number): Promise<boolean> {
  const { refused, open } = await record.readStanding(nowMs - HOUR_MS);
  return refused >= MAX_REFUSED_PER_HOUR || open >= MAX_OPEN;
}

/** Ends a mention without an answer. */
async function end(outcome: `skipped:${string}`, { record }: MentionAttempt): Promise<JobOutcome> {
  await record.end(outcome);
  return ended(outcome);
}

/** Null if the host says that it doesn't exist. */
async function orNullIfGone<Value>(step: () => Promise<Value>): Promise<Value | null> {
  try {
    return await step();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof KodiaiError && error.code === "not-found" && !error.retryable;
}

/** False if the comment was deleted. A conversation that is locked takes no reaction, and may take no answer. */
async function acknowledgeMention({ mention, session, context }: MentionAttempt): Promise<boolean> {
  try {
    await session.comments.react(mention.place.target, "eyes");
  } catch (error) {
    if (isGone(error)) return false;
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    context.log.warn("reaction failed", { reaction: "eyes", error: messageOf(error) });
  }
  return true;
}

/** The class of the person, and the number of answers that such people get. */
type Standing = { readonly found: CommandClass; readonly maxTurns: number };

type AttendStore = ImmediateDeps["store"];

type HandOver = Extract<ImmediateResult, { kind: "hand-over" }>;

/** Answers are counted by the job that gives them. A review that a person without write access requests counts as one. */
async function isOverLimit(
  { outcome }: HandOver,
  { mention, record }: MentionAttempt,
  { found, maxTurns }: Standing,
  { database, now }: AttendStore,
): Promise<boolean> {
  if (found === "writer" || outcome === null) return false;
  const asker = { record, login: mention.requester.login, isWriter: false, nowMs: now() };
  return (await findTurnLimit(asker, maxTurns, database)) !== null;
}

async function handOver(
  { request, outcome, record: recordMore }: HandOver,
  { mention, record }: MentionAttempt,
  found: CommandClass,
  { database, queue }: AttendStore,
): Promise<JobOutcome> {
  await database.transaction(async (sql) => {
    if (outcome === null || found === "writer") await record.noteClass(found, sql);
    else await record.countTurn(found, sql);
    await recordMore?.(sql);
    await queue.enqueue([request], sql);
    if (outcome !== null) await record.end(outcome, sql);
  });
  reachFaultPoint("after-hand-over", mention.place.number);
  queue.wake();
  return ended(outcome ?? HANDED_OVER);
}

/**
 * The reply, or the outcome of a mention that has ended. People without write access can't make Kodiai talk endlessly: from some number of
 * answers on, they get a reaction only.
 */
async function keepReply(
  result: Exclude<ImmediateResult, { kind: "hand-over" }>,
  { mention, record }: MentionAttempt,
  { found, maxTurns }: Standing,
  { database, now }: AttendStore,
): Promise<Reply | string> {
  return database.transaction(async (sql) => {
    const locked = await record.lock(sql);
    // Another worker that took over the job may have done everything meanwhile.
    if (locked.outcome !== null) return locked.outcome;
    const kept = parseKeptReply(locked.result);
    if (kept !== null) return kept;
    const isWriter = found === "writer";
    const asker = { record, login: mention.requester.login, isWriter, nowMs: now() };
    const isSilent = !isWriter && (await findTurnLimit(asker, maxTurns, sql)) !== null;
    const spoken = result.kind === "record" ? await result.record(sql) : result.reply;
    const reply = isSilent ? SILENCE : spoken;
    if (isWriter || isSilent) await record.noteClass(found, sql);
    else await record.countTurn(found, sql);
    await record.keep(renderKeptReply(reply), sql);
    return reply;
  });
}

const SILENCE: Reply = { body: null, reaction: "confused", outcome: "refused:max-turns" };
