/**
 * Reads how people reacted to the findings on a pull request, and stores it: who, where and when, what became of each finding, and what
 * repeated reactions teach. Everything is read again each time, so that reactions that were taken back are removed. Writes nothing to the
 * pull request.
 */
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import { describeOpinions, type OpinionLearning } from "../../memory/describe-opinions.ts";
import {
  type ExplainedLearning,
  explainRejection,
  nameOfExplained,
  wordReason,
} from "../../memory/explain-rejection.ts";
import type { Feedback, FeedbackOnFinding, ReplyReading } from "../../memory/feedback.ts";
import { findingOutcome } from "../../memory/finding-outcome.ts";
import { findProblems } from "../../memory/problems.ts";
import type { Database, Sql } from "../../store/database.ts";
import {
  deleteFeedbackPoll,
  type FeedbackPoll,
  readFeedbackPoll,
  writeFeedbackPoll,
} from "../../store/repositories/feedback-polls.ts";
import { readReplyReadings } from "../../store/repositories/reply-readings.ts";
import { readFeedback, readFeedbackOf, syncFeedback } from "../../store/repositories/feedback.ts";
import {
  markMerged,
  readReported,
  type LedgerFinding,
  writeUrls,
} from "../../store/repositories/findings.ts";
import {
  deleteLearning,
  isForgotten,
  listLearnings,
  putLearning,
} from "../../store/repositories/learnings.ts";
import { setOutcome } from "../../store/repositories/memories.ts";
import { collectSignals } from "./collect-signals.ts";
import { decideTeachers } from "./decide-teachers.ts";
import { findUnclearReplies, type UnclearReply } from "./find-unclear-replies.ts";
import { nextPollAt } from "./next-poll.ts";

export type LearnInput = {
  readonly number: number;
  readonly repositoryId: number;
  readonly session: Pick<ForgeSession, "pullRequests" | "reviews" | "people" | "mention">;
  /** Called in the transaction that records new signals, or takes some back. Missing: nothing else follows from them. */
  readonly onChange?: (sql: Sql) => Promise<void>;
  /** Called in the same transaction with replies of the team that say nothing clear. Missing: no model reads them. */
  readonly onUnclear?: (replies: readonly UnclearReply[], sql: Sql) => Promise<void>;
};

export type LearnDeps = { readonly database: Database; readonly now: () => number };

/** Returns how many signals are new or were taken back. Null for a pull request whose reactions aren't followed. */
export async function learnFromFeedback(
  { number, repositoryId, session, onChange, onUnclear }: LearnInput,
  { database, now }: LearnDeps,
): Promise<number | null> {
  const scope = { repositoryId, pullRequest: number };
  if ((await readFeedbackPoll(repositoryId, number, database)) === null) return null;
  const [pullRequest, threads] = [
    await session.pullRequests.read(number),
    await session.reviews.readThreads(number),
  ];
  const findings = await readReported(scope, database);
  const readings = await readReplyReadings(scope, database);
  const mention = await session.mention();
  const signals = collectSignals({ pullRequest, findings, threads, readings, mention, now: now() });
  const earlier = await readFeedbackOf(scope, database);
  const known = new Set(earlier.filter(({ teaches }) => teaches).map(({ person }) => person));
  const rows = await decideTeachers(
    signals,
    { author: pullRequest.author, known, isMerged: pullRequest.mergedAt !== null },
    session.people,
  );
  const unclear =
    onUnclear === undefined
      ? []
      : await ofTheTeam(findUnclearReplies({ findings, threads, readings, mention }), session.people);
  const urls = new Map(threads.map(({ findingId, url }) => [findingId, url]));
  return database.transaction(async (sql) => {
    // Reviews of a repository that turned memory off in the meantime have deleted it.
    const poll = await readFeedbackPoll(repositoryId, number, sql);
    if (poll === null) return null;
    const at = now();
    // First, because it keeps other jobs from writing the same signals.
    await writeFeedbackPoll({ ...poll, nextAt: at }, sql);
    // A problem that loses an opinion may no longer be found by the opinions that are left.
    const before = isTakenBack(earlier, rows) ? await readFeedback(repositoryId, sql) : [];
    const changes = await syncFeedback({ ...scope, rows, at }, sql);
    await writeUrls(urls, scope, sql);
    if (pullRequest.mergedAt !== null) await markMerged({ ...scope, at: pullRequest.mergedAt }, sql);
    if (changes > 0) {
      await applyFeedback({ ...scope, findings, rows, earlier, before, at }, sql);
      await onChange?.(sql);
    }
    if (unclear.length > 0) await onUnclear?.(unclear, sql);
    await scheduleNext({ ...poll, changedAt: changes > 0 ? at : poll.changedAt }, pullRequest, at, sql);
    return changes;
  });
}

/** Only their replies are worth a model's time. */
async function ofTheTeam(
  replies: readonly UnclearReply[],
  people: LearnInput["session"]["people"],
): Promise<readonly UnclearReply[]> {
  const found: UnclearReply[] = [];
  for (const reply of replies) if (await people.hasWriteAccess(reply.login)) found.push(reply);
  return found;
}

type Applied = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly findings: readonly LedgerFinding[];
  /** On the pull request, now and before. */
  readonly rows: readonly Feedback[];
  readonly earlier: readonly Feedback[];
  /** Of the repository, before signals were taken back. */
  readonly before: readonly FeedbackOnFinding[];
  readonly at: number;
};

function isTakenBack(earlier: readonly Feedback[], rows: readonly Feedback[]): boolean {
  const keyOf = ({ identity, signal, person, words }: Feedback): string =>
    JSON.stringify([identity, signal, person, words]);
  const left = new Set(rows.map(keyOf));
  return earlier.some((row) => !left.has(keyOf(row)));
}

async function applyFeedback(applied: Applied, sql: Sql): Promise<void> {
  const { repositoryId, pullRequest, findings, rows, earlier, before, at } = applied;
  const byFinding = Map.groupBy(rows, ({ identity }) => identity);
  for (const { identity } of findings) {
    const outcome = findingOutcome(byFinding.get(identity) ?? []);
    await setOutcome({ repositoryId, pullRequest, identity, outcome, at }, sql);
  }
  const feedback = await readFeedback(repositoryId, sql);
  const { patternOf } = findProblems(feedback);
  const formerly = findProblems(before);
  const touched = new Set(
    [...rows, ...earlier].flatMap(({ pattern }) => [pattern, formerly.patternOf(pattern)]).map(patternOf),
  );
  const byPattern = Map.groupBy(feedback, ({ pattern }) => patternOf(pattern));
  const stored = await listLearnings(repositoryId, at, sql);
  /** Under the name of the problem, the first one. A learning from before its patterns were known to be one goes. */
  const write = async (names: readonly string[], learning: TaughtLearning | null): Promise<void> => {
    const [name = ""] = names;
    const kept = learning === null ? [] : [name];
    for (const each of stored)
      if (each.source === "feedback" && names.includes(each.name) && !kept.includes(each.name))
        await deleteLearning(each.id, sql);
    if (learning === null || (await areForgotten(repositoryId, names, sql))) return;
    await putLearning({ ...NO_ONES, ...learning, source: "feedback", repositoryId, name, at }, sql);
  };
  for (const pattern of touched) {
    const own = byPattern.get(pattern) ?? [];
    const patterns = [...new Set([pattern, ...own.map((row) => row.pattern)])];
    const explained = explainRejection(own, at);
    await write(patterns, describeOpinions(own, at));
    const reading = explained === null ? null : await readingOf(explained, repositoryId, sql);
    const reason = explained === null ? null : wordReason(explained, reading);
    await write(patterns.map(nameOfExplained), reason);
  }
}

/** Whether a person made Kodiai forget one of these learnings. */
async function areForgotten(repositoryId: number, names: readonly string[], sql: Sql): Promise<boolean> {
  for (const name of names)
    if (await isForgotten({ repositoryId, source: "feedback", name }, sql)) return true;
  return false;
}

/** How a model understood the reply; null if its words were clear. */
async function readingOf(
  { pullRequest, url, signal }: Feedback,
  repositoryId: number,
  sql: Sql,
): Promise<ReplyReading | null> {
  if (signal !== "disagrees") return null;
  const readings = await readReplyReadings({ repositoryId, pullRequest }, sql);
  return readings.find((each) => each.url === url && each.verdict === "disagrees") ?? null;
}

/** Of a learning that a person didn't word. */
const NO_ONES = { paths: [], owner: null, createdBy: "kodiai" };

type TaughtLearning = OpinionLearning | ExplainedLearning;

async function scheduleNext(
  poll: FeedbackPoll,
  { isOpen, mergedAt }: PullRequest,
  at: number,
  sql: Sql,
): Promise<void> {
  const closedAt = isOpen ? null : (poll.closedAt ?? mergedAt ?? at);
  const nextAt = nextPollAt({ ...poll, closedAt }, at);
  if (nextAt === null) await deleteFeedbackPoll(poll.repositoryId, poll.pullRequest, sql);
  else await writeFeedbackPoll({ ...poll, closedAt, nextAt }, sql);
}
