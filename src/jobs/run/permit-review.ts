/**
 * Decides whether a model may review, by the requester's class and how many reviews that class has requested within the
 * hour. The decision is stored per run, so a review counts exactly once even if a process crashes.
 */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { readModelRequests, saveModelRequest } from "../../store/repositories/model-requests.ts";
import { lockSpending } from "../../store/repositories/spendings.ts";
import type { ModelChoice } from "../model-review/model-access.ts";
import type { Requester } from "../review-job.ts";
import {
  type RequesterClass,
  type ReviewRequester,
  type Decision,
  decideRequest,
  effectiveLimits,
  LIMIT_WINDOW_MS,
} from "../spending/request-limits.ts";
import type { ModelSource } from "../reading/pull-request-models.ts";
import type { WriteAccess } from "../gathering/gather-access.ts";
import { gatherMerged } from "../gathering/gather-author.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";
import type { Degradations } from "../gathering/optional.ts";

export type PermitInput = {
  readonly requests: readonly GatheredRequest[];
  readonly pullRequest: PullRequest;
  readonly session: ForgeSession;
  readonly run: { readonly id: number };
  readonly config: RepoConfig;
  /** A refusal would leave the request without any review, so the requester gets an answer. */
  readonly wantsAnswer: boolean;
};

export type PermitDeps = {
  readonly database: Database;
  /** The store's clock. */
  readonly now: () => number;
  readonly degradations: Degradations;
  readonly hasWriteAccess: WriteAccess;
  readonly models: Pick<ModelSource, "settings">;
  readonly choice: Pick<ModelChoice, "choose">;
};

/** Null when no model would review: the built-in rules are free, so they have no limit. */
export async function permitReview(input: PermitInput, deps: PermitDeps): Promise<Decision | null> {
  const { requests, pullRequest, run, config, wantsAnswer } = input;
  const { installationId, repositoryId } = pullRequest.repositoryRef;
  if ((await deps.choice.choose(config)).models.length === 0) return null;
  const limits = effectiveLimits(config.limits, deps.models.settings.limits);
  const candidates: ReviewRequester[] = [];
  for (const request of requests) {
    candidates.push(await candidateOf(request, input, deps));
    // If the job's own request is unlimited, the others don't matter and the host isn't queried for them.
    if (candidates[0] !== undefined && limits[candidates[0].requesterClass] === null) break;
  }
  const [own, ...inherited] = candidates;
  if (own === undefined) throw new TypeError("every job has its own request");
  const nowMs = deps.now();
  const key = { repositoryId, pullRequest: pullRequest.number };
  return deps.database.transaction(async (sql) => {
    await lockSpending(installationId, nowMs, sql);
    const earlier = await readModelRequests({ ...key, sinceMs: nowMs - LIMIT_WINDOW_MS }, sql);
    const decision = decideRequest(
      { runId: run.id, candidates: [own, ...inherited], limits, wantsAnswer, nowMs },
      earlier.map(({ outcome, ...request }) => ({
        ...request,
        isGranted: outcome === "granted",
        isAnswered: outcome === "answered",
      })),
    );
    const outcome =
      decision.kind === "granted" ? "granted" : decision.isAnswered ? ("answered" as const) : "refused";
    await saveModelRequest({ ...key, ...decision.by, runId: run.id, outcome, at: nowMs }, sql);
    return decision;
  });
}

async function candidateOf(
  { jobId, trigger, requester: named }: GatheredRequest,
  input: PermitInput,
  deps: PermitDeps,
): Promise<ReviewRequester> {
  const requester = named ?? { ...input.pullRequest.author, isInsider: false };
  // Only the operator can use the command line.
  const requesterClass = trigger === "command-line" ? "writer" : await classOf(requester, input, deps);
  return { jobId, login: requester.login, requesterClass };
}

/** GitHub's associations for people with a merged pull request, and for team members without write access. */
const CONTRIBUTING: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"]);

async function classOf(
  requester: Requester,
  { pullRequest, session }: PermitInput,
  { hasWriteAccess, ...deps }: PermitDeps,
): Promise<RequesterClass> {
  if (await hasWriteAccess(requester)) return "writer";
  const isAuthor = requester.login === pullRequest.author.login;
  if (requester.isInsider || (isAuthor && CONTRIBUTING.has(pullRequest.association))) return "contributor";
  if (requester.isBot) return "stranger";
  const merged = await gatherMerged(requester.login, pullRequest.repositoryRef, session, deps);
  return (merged ?? 0) > 0 ? "contributor" : "stranger";
}
