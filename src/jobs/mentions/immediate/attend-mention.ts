/**
 * Attends to a mention: acknowledges it, checks who may give the command, answers what takes no time, and hands the rest over to another
 * job. Each mention gets one answer or starts one job, no matter how often this runs: the reply is kept in the same transaction as
 * everything that the command changes, and a hand-over in the same transaction as the new job.
 */
import { KodiaiError, messageOf } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { Forge, ForgeSession } from "../../../forge/forge.ts";
import {
  claimMention,
  countTurn,
  endMention,
  lockMention,
  MUTED,
  readStanding,
  recordClass,
  saveResult,
} from "../../../store/repositories/mentions.ts";
import type { JobContext, JobOutcome } from "../../recipe.ts";
import { statisticsDays } from "../../run/figure-origin.ts";
import type { CommandClass } from "../command.ts";
import { ALL_COMMANDS } from "../commands/all-commands.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import { answerMention } from "./answer-mention.ts";
import { type ImmediateDeps, type ImmediateResult, mentionKeyOf } from "./immediate-command.ts";
import { findClass } from "./find-class.ts";
import { parseKeptReply, renderKeptReply } from "./kept-reply.ts";
import { readSubject } from "./read-subject.ts";
import { refuseByRights, replying } from "./refuse.ts";
import { findTurnLimit, HOUR_MS } from "../turn-limits.ts";
import { runImmediateCommand } from "./all-immediate-commands.ts";

export type MentionDeps = ImmediateDeps & { readonly forge: Pick<Forge, "openSession"> };

export type AttendDeps = MentionDeps & { readonly context: JobContext; readonly session: ForgeSession };

export async function attendMention(mention: MentionJob, deps: AttendDeps): Promise<JobOutcome> {
  const { database, now, session, context } = deps;
  const { requester, command, place } = mention;
  const row = await claimMention(
    { ...mentionKeyOf(mention), login: requester.login, command: command.kind, at: now() },
    database,
  );
  if (row.outcome !== null) return ended(row.outcome);
  const kept = parseKeptReply(row.result);
  if (kept !== null) {
    if (row.requesterClass !== "writer") session.limitWrites();
    return answerMention(mention, kept, deps);
  }
  // The class is recorded with a kept reply, or with a hand-over.
  if (row.requesterClass !== null) return ended(HANDED_OVER);

  await context.step("reading the comment");
  const found = await orNullIfGone(() =>
    findClass(requester, ALL_COMMANDS[command.kind].who, { ...deps, mention }),
  );
  if (found === null) return skip("skipped:not-found", mention, deps);
  if (found !== "writer") session.limitWrites();
  if (found !== "writer" && (await isMuted(mention, deps))) return end(MUTED, mention, deps);
  const read = await orNullIfGone(() => readSubject(mention, session));
  if (read === null) return skip("skipped:not-found", mention, deps);
  const { mentions: settings, telemetry } = read.config.tree.root.values;
  context.keepStatistics(statisticsDays(telemetry));
  if (!settings.enabled) return skip("skipped:mentions-off", mention, deps);
  if (!(await acknowledgeMention(mention, deps))) return skip("skipped:comment-deleted", mention, deps);
  reachFaultPoint("after-acknowledgement", place.number);

  const asked = { mention, session, ...read, isWriter: found === "writer" };
  const result = refuseByRights(asked, found) ?? (await runImmediateCommand(command, asked, deps));
  const attended = { mention, found, maxTurns: settings.maxTurns };
  if (result.kind === "hand-over" && !(await isOverLimit(result, attended, deps)))
    return handOver(result, attended, deps);
  const answer = result.kind === "hand-over" ? replying(SILENCE) : result;
  const reply = await keepReply(answer, attended, deps);
  if (typeof reply === "string") return ended(reply);
  deps.queue.wake();
  return answerMention(mention, reply, deps);
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
async function isMuted(mention: MentionJob, { database, now }: AttendDeps): Promise<boolean> {
  const person = { login: mention.requester.login, sinceMs: now() - HOUR_MS };
  const { refused, open } = await readStanding(mentionKeyOf(mention), person, database);
  return refused >= MAX_REFUSED_PER_HOUR || open >= MAX_OPEN;
}

function skip(outcome: `skipped:${string}`, mention: MentionJob, deps: AttendDeps): Promise<JobOutcome> {
  return end(outcome, mention, deps);
}

/** Ends a mention without an answer. */
async function end(outcome: string, mention: MentionJob, { database, now }: AttendDeps): Promise<JobOutcome> {
  await endMention(mentionKeyOf(mention), { outcome, at: now() }, database);
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
async function acknowledgeMention({ place }: MentionJob, { session, context }: AttendDeps): Promise<boolean> {
  try {
    await session.react(place.target, "eyes");
  } catch (error) {
    if (isGone(error)) return false;
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    context.log.warn("reaction failed", { reaction: "eyes", error: messageOf(error) });
  }
  return true;
}

type Attended = {
  readonly mention: MentionJob;
  readonly found: CommandClass;
  readonly maxTurns: number;
};

type HandOver = Extract<ImmediateResult, { kind: "hand-over" }>;

/** Answers are counted by the job that gives them. A review that a person without write access requests counts as one. */
async function isOverLimit(
  { outcome }: HandOver,
  { mention, found, maxTurns }: Attended,
  { database, now }: AttendDeps,
): Promise<boolean> {
  if (found === "writer" || outcome === null) return false;
  const asker = { ...mentionKeyOf(mention), login: mention.requester.login, isWriter: false, nowMs: now() };
  return (await findTurnLimit(asker, maxTurns, database)) !== null;
}

async function handOver(
  { request, outcome, record }: HandOver,
  { mention, found }: Attended,
  { database, queue, now }: AttendDeps,
): Promise<JobOutcome> {
  const key = mentionKeyOf(mention);
  await database.transaction(async (sql) => {
    const note = outcome === null || found === "writer" ? recordClass : countTurn;
    await note({ ...key, requesterClass: found }, sql);
    await record?.(sql);
    await queue.enqueue([request], sql);
    if (outcome !== null) await endMention(key, { outcome, at: now() }, sql);
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
  { mention, found, maxTurns }: Attended,
  { database, now }: AttendDeps,
): Promise<Reply | string> {
  const key = mentionKeyOf(mention);
  return database.transaction(async (sql) => {
    const locked = await lockMention(key, sql);
    // Another worker that took over the job may have done everything meanwhile.
    if (locked.outcome !== null) return locked.outcome;
    const kept = parseKeptReply(locked.result);
    if (kept !== null) return kept;
    const isWriter = found === "writer";
    const asker = { ...key, login: mention.requester.login, isWriter, nowMs: now() };
    const isSilent = !isWriter && (await findTurnLimit(asker, maxTurns, sql)) !== null;
    const spoken = result.kind === "record" ? await result.record(sql) : result.reply;
    const reply = isSilent ? SILENCE : spoken;
    if (isWriter || isSilent) await recordClass({ ...key, requesterClass: found }, sql);
    else await countTurn({ ...key, requesterClass: found }, sql);
    await saveResult(key, renderKeptReply(reply), sql);
    return reply;
  });
}

const SILENCE: Reply = { body: null, reaction: "confused", outcome: "refused:max-turns" };
