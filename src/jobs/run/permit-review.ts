/** Decides whether a model may review, by the class of the person who requested the review. */
import type { GatheredRequest } from "../gathering/gather-requests.ts";
import type { RowStore } from "../job-store.ts";
import type { ModelSource } from "../reading/pull-request-models.ts";
import { type ReviewRequester, type Decision, effectiveLimits } from "../spending/request-limits.ts";
import { decideModels, saveDecision } from "./decide-models.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { requesterClassOf } from "./requester-class.ts";

export type PermitTerms = {
  /** A refusal would leave the request without any review, so the requester gets an answer. */
  readonly wantsAnswer: boolean;
  /** The operator's limits. */
  readonly operator: ModelSource["settings"]["limits"];
};

/** Null when no model would review: the built-in rules are free, so they have no limit. */
export async function permitReview(
  reviewed: PreparedRun,
  { wantsAnswer, operator }: PermitTerms,
  store: RowStore,
): Promise<Decision | null> {
  const { requests, pullRequest, run, models, prepared } = reviewed;
  const config = prepared.config.tree.root.values;
  if ((await models.choice.choose(config)).models.length === 0) return null;
  const limits = effectiveLimits(config.limits, operator);
  const candidates: ReviewRequester[] = [];
  for (const request of requests) {
    candidates.push(await candidateOf(request, reviewed, store));
    // If the job's own request is unlimited, the others don't matter and the host isn't queried for them.
    if (candidates[0] !== undefined && limits[candidates[0].requesterClass] === null) break;
  }
  const [own, ...inherited] = candidates;
  if (own === undefined) throw new TypeError("every job has its own request");
  const nowMs = store.now();
  const request = {
    runId: run.id,
    candidates: [own, ...inherited],
    limits,
    wantsAnswer,
    nowMs,
    subject: pullRequest,
  } as const;
  return store.database.transaction(async (sql) => {
    const decision = await decideModels(request, sql);
    const { kind, by } = decision;
    await saveDecision({ kind, by, isAnswered: kind === "refused" && decision.isAnswered }, request, sql);
    return decision;
  });
}

async function candidateOf(
  { jobId, trigger, requester: named }: GatheredRequest,
  { pullRequest, session, hasWriteAccess, degradations }: PreparedRun,
  { database, now }: RowStore,
): Promise<ReviewRequester> {
  const requester = named ?? { ...pullRequest.author, isInsider: false };
  const deps = { people: session.people, hasWriteAccess, database, now, degradations };
  // Only the operator can use the command line.
  const requesterClass =
    trigger === "command-line" ? "writer" : await requesterClassOf(requester, pullRequest, deps);
  return { jobId, login: requester.login, requesterClass };
}
