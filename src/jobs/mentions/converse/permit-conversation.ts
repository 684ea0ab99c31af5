/**
 * Decides whether a mention gets an answer: the hourly limits on models that it shares with reviews, and the number of answers per pull
 * request. Both are decided in one transaction under the installation's lock, so that two mentions can't take the last answer.
 */
import { count } from "../../../base/count.ts";
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Database } from "../../../store/database.ts";
import { countOtherTurns, countTurn, type MentionRow } from "../../../store/repositories/mentions.ts";
import type { ModelSource } from "../../reading/pull-request-models.ts";
import { PEOPLE } from "../../run/answer-refusal.ts";
import { decideModels, saveDecision } from "../../run/decide-models.ts";
import type { RequestSubject } from "../../run/requester-class.ts";
import { effectiveLimits, type Decision, type RequesterClass } from "../../spending/request-limits.ts";
import type { Reply } from "../reply.ts";

export type PermitConversationInput = {
  readonly mention: Pick<MentionRow, "repositoryId" | "number" | "request" | "login" | "isTurn">;
  readonly subject: RequestSubject;
  readonly requesterClass: RequesterClass;
  readonly run: { readonly id: number };
  readonly jobId: number;
  readonly config: Pick<RepoConfig, "limits" | "mentions">;
  /** Whether a model would be used. Answers without one count, but have no hourly limit. */
  readonly hasModel: boolean;
};

export type PermitConversationDeps = {
  readonly database: Database;
  /** The store's clock. */
  readonly now: () => number;
  readonly models: { readonly settings: Pick<ModelSource["settings"], "limits"> };
};

/** The reply that refuses, or null if the mention may be answered. */
export async function permitConversation(
  input: PermitConversationInput,
  { database, now, models }: PermitConversationDeps,
): Promise<Reply | null> {
  const { mention, subject, requesterClass, run, jobId, config, hasModel } = input;
  const nowMs = now();
  const by = { jobId, login: mention.login, requesterClass };
  const limits = effectiveLimits(config.limits, models.settings.limits);
  const request = { runId: run.id, candidates: [by], limits, wantsAnswer: true, nowMs, subject } as const;
  const { maxTurns } = config.mentions;
  return database.transaction(async (sql) => {
    const { hasAnswered, ...decision } = await decideModels(request, sql);
    const isLimited = hasModel && decision.kind === "refused";
    // A retry after a crash keeps its turn.
    const isOut = !mention.isTurn && (await countOtherTurns(mention, sql)) >= maxTurns;
    if (!isLimited && !isOut) {
      await countTurn({ ...mention, requesterClass }, sql);
      if (hasModel) await saveDecision({ kind: "granted", by, isAnswered: false }, request, sql);
      return null;
    }
    // Further refusals within the hour are silent, so that no one makes Kodiai talk endlessly.
    const isAnswered = !hasAnswered || requesterClass === "writer";
    await saveDecision({ kind: "refused", by, isAnswered }, request, sql);
    return isOut
      ? refusal("refused:max-turns", isAnswered ? outOfTurns(maxTurns) : null)
      : refusal(
          "refused:request-limit",
          isAnswered && decision.kind === "refused" ? overLimit(decision) : null,
        );
  });
}

function refusal(outcome: Reply["outcome"], body: string | null): Reply {
  return { body, reaction: "confused", outcome };
}

function outOfTurns(maxTurns: number): string {
  return `Kodiai has given ${count(maxTurns, "answer")} here and stops now (\`mentions.maxTurns\`). A maintainer can raise the limit in \`.kodiai.yml\`.`;
}

function overLimit({ by, limit, againAtMs }: Extract<Decision, { kind: "refused" }>): string {
  const people = PEOPLE[by.requesterClass];
  const limited = `Kodiai didn't answer: ${people} can use a model ${count(limit, "time")} an hour per pull request.`;
  const time = new Date(againAtMs).toISOString().slice(11, 16);
  return limit === 0
    ? `${limited} Ask a maintainer to ask.`
    : `${limited} Try again after ${time} UTC, or ask a maintainer to ask.`;
}
