/**
 * Decides whether a mention gets an answer: the hourly limits on models that it shares with reviews, and the number of answers per pull
 * request and person. All are decided in one transaction under the installation's lock, so that two mentions can't take the last answer.
 */
import { count } from "../../../base/count.ts";
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Sql } from "../../../store/database.ts";
import { countGrantedTo } from "../../../store/repositories/model-requests.ts";
import type { RowStore } from "../../job-store.ts";
import type { ModelSource } from "../../reading/pull-request-models.ts";
import { PEOPLE } from "../../run/answer-refusal.ts";
import { decideModels, type ModelDecisionInput, saveDecision } from "../../run/decide-models.ts";
import type { RequestSubject } from "../../run/requester-class.ts";
import {
  effectiveLimits,
  LIMIT_WINDOW_MS,
  type Decision,
  type RequesterClass,
  type ReviewRequester,
} from "../../spending/request-limits.ts";
import type { MentionRecord } from "../mention-record.ts";
import type { Reply } from "../reply.ts";
import { findTurnLimit } from "../turn-limits.ts";

export type PermitConversationInput = {
  readonly record: Pick<MentionRecord, "isTurn" | "countTurn" | "countOtherTurns">;
  readonly login: string;
  readonly subject: RequestSubject;
  readonly requesterClass: RequesterClass;
  readonly run: { readonly id: number };
  readonly jobId: number;
  readonly config: Pick<RepoConfig, "limits" | "mentions">;
  /** Whether a model would be used. Answers without one count, but have no hourly limit. */
  readonly hasModel: boolean;
};

/** The reply that refuses, or null if the mention may be answered. `operator` has the operator's limits. */
export async function permitConversation(
  input: PermitConversationInput,
  operator: ModelSource["settings"]["limits"],
  { database, now }: RowStore,
): Promise<Reply | null> {
  const { record, login, subject, requesterClass, run, jobId, config, hasModel } = input;
  const nowMs = now();
  const by = { jobId, login, requesterClass };
  const limits = effectiveLimits(config.limits, operator);
  const request = { runId: run.id, candidates: [by], limits, wantsAnswer: true, nowMs, subject } as const;
  const asker = { record, login, isWriter: requesterClass === "writer", nowMs };
  return database.transaction(async (sql) => {
    const { hasAnswered, ...decision } = await decideModels(request, sql);
    const isLimited = hasModel && decision.kind === "refused";
    // A retry after a crash keeps its turn.
    const ofPerson = hasModel && !record.isTurn ? await findPersonLimit(request, by, sql) : null;
    const outOfTurns = record.isTurn ? null : await findTurnLimit(asker, config.mentions.maxTurns, sql);
    if (!isLimited && ofPerson === null && outOfTurns === null) {
      await record.countTurn(requesterClass, sql);
      if (hasModel) await saveDecision({ kind: "granted", by, isAnswered: false }, request, sql);
      return null;
    }
    // Further refusals within the hour are silent, so that no one makes Kodiai talk endlessly.
    const isAnswered = !hasAnswered || requesterClass === "writer";
    await saveDecision({ kind: "refused", by, isAnswered }, request, sql);
    if (outOfTurns !== null) return refusal("refused:max-turns", isAnswered ? outOfTurns : null);
    const reason = decision.kind === "refused" ? overLimit(decision) : (ofPerson ?? "");
    return refusal("refused:request-limit", isAnswered ? reason : null);
  });
}

/** A person may use as many models in the whole repository within an hour as their class may on so many pull requests. */
const PULL_REQUESTS_PER_PERSON = 3;

/** Null if the person may use a model. Their class has a limit per pull request, which doesn't keep a person from using many of them. */
async function findPersonLimit(
  { runId, subject, limits, nowMs }: ModelDecisionInput,
  { login, requesterClass }: ReviewRequester,
  sql: Sql,
): Promise<string | null> {
  const perPullRequest = limits[requesterClass];
  if (requesterClass === "writer" || perPullRequest === null) return null;
  const limit = perPullRequest * PULL_REQUESTS_PER_PERSON;
  const { repositoryId } = subject.repositoryRef;
  const person = { repositoryId, login, sinceMs: nowMs - LIMIT_WINDOW_MS, exceptRunId: runId };
  return (await countGrantedTo(person, sql)) < limit
    ? null
    : `Kodiai didn't answer: without write access, you can use a model ${count(limit, "time")} an hour in this repository. Try again later, or ask a maintainer to ask.`;
}

function refusal(outcome: Reply["outcome"], body: string | null): Reply {
  return { body, reaction: "confused", outcome };
}

function overLimit({ by, limit, againAtMs }: Extract<Decision, { kind: "refused" }>): string {
  const people = PEOPLE[by.requesterClass];
  const limited = `Kodiai didn't answer: ${people} can use a model ${count(limit, "time")} an hour per pull request.`;
  const time = new Date(againAtMs).toISOString().slice(11, 16);
  return limit === 0
    ? `${limited} Ask a maintainer to ask.`
    : `${limited} Try again after ${time} UTC, or ask a maintainer to ask.`;
}
